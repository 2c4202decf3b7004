import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

interface Flooded {
  status: string
  /** Bytes sent before the server closed. */
  sent: number
  closed: boolean
  text: string
}

/** Sends the head, then the same piece repeatedly while the server accepts it; returns the outcome. */
export async function flood(port: number, head: string, piece: Buffer, bytes: number): Promise<Flooded> {
  const socket = connect({ port, host: '127.0.0.1' })
  let [received, closed, sent] = ['', false, 0]
  socket.on('data', (data) => {
    received += data.toString('latin1')
  })
  socket.on('error', () => undefined) // 'close' follows
  const end = new Promise<void>((resolve) => {
    socket.on('close', () => {
      closed = true
      resolve()
    })
  })
  socket.write(head, 'latin1')
  while (!closed && sent < bytes && piece.length) {
    const goesOn = socket.write(piece)
    sent += piece.length
    if (!goesOn) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), end])
  }
  await Promise.race([end, wait(10_000)])
  socket.destroy()
  return { status: received.slice(9, 12), sent, closed, text: received.slice(received.indexOf('\r\n\r\n') + 4) }
}
