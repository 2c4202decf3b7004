import type { Socket } from 'node:net'

const LINGER_MS = 2_000

/**
 * Closes our side and goes on to take, for a moment, what the other one still sends: a connection that is closed on
 * bytes nobody has read is reset, and a reset takes away the answer that had arrived (RFC 9112, 9.6).
 */
function linger(socket: Socket): void {
  socket.end()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}

/** For the refusal of a body that is still on its way; Node would close as soon as the answer has left. */
export function lingerWhenClosed(socket: Socket): void {
  socket.destroySoon = () => linger(socket)
}
