import type { Socket } from 'node:net'

const LINGER_MS = 2_000

/**
 * Closes our side and reads on for a moment: closing a connection with unread bytes resets it, and a reset discards the
 * answer at the client (RFC 9112, 9.6).
 */
function linger(socket: Socket): void {
  socket.end()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}

/** For the refusal of a body that is still arriving; Node would close as soon as the answer is sent. */
export function lingerWhenClosed(socket: Socket): void {
  socket.destroySoon = () => linger(socket)
}
