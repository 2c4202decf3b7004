import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A mail as a server received it: real SMTP, kept in memory. */
export interface Received {
  from: string
  to: string[]
  /** The whole message, quoted-printable undone. */
  text: string
}

/** What the receiver says to a recipient, if not yes. */
type Refusal = { code: number; message: string } | undefined

export interface Receiver {
  url: string
  received: Received[]
  refuse: (refusal: Refusal) => void
  /** Milliseconds until it answers to a recipient. */
  slow: (ms: number) => void
  stop: () => Promise<void>
}

const plain = (raw: string): string =>
  Buffer.from(
    raw
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let refusal: Refusal
  let slowness = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) => {
      const answer = refusal ? Object.assign(new Error(refusal.message), { responseCode: refusal.code }) : null
      setTimeout(() => done(answer), slowness).unref()
    },
    onData: (stream, { envelope }, done) => {
      text(stream).then((raw) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), text: plain(raw) })
        done()
      }, done)
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuse: (next) => {
      refusal = next
    },
    slow: (ms) => {
      slowness = ms
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

export const linkIn = (text: string): string => /\/acceso#([\w-]+)/.exec(text)?.[1] ?? ''
