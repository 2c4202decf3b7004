import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

export type Listener = { close(): Promise<void> }

const PING_MS = 15_000
const RETRY_MS = 250
const RETRY_MAX_MS = 5_000

/**
 * Hears a NOTIFY channel for as long as the process lives. Messages sent while the connection was down are lost, so
 * `onReconnect` must drop whatever the messages would have changed.
 */
export async function listen(
  url: string,
  channel: string,
  onMessage: (payload: string) => void,
  onReconnect: () => void,
): Promise<Listener> {
  const closing = new AbortController()
  let client = await openListener(url, channel, onMessage)
  const watch = async () => {
    while (!closing.signal.aborted) {
      await brokenOr(client, closing.signal)
      if (closing.signal.aborted) break
      const next = await reopen(() => openListener(url, channel, onMessage), closing.signal)
      if (!next) break
      client = next
      onReconnect()
    }
    await client.end().catch(() => undefined) // the server may be gone already
  }
  const watching = watch()
  return {
    close: () => {
      closing.abort()
      return watching
    },
  }
}

async function openListener(url: string, channel: string, onMessage: (payload: string) => void): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'afluente listen',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  })
  client.on('error', () => client.emit('broken'))
  client.on('notification', (message) => onMessage(message.payload ?? ''))
  try {
    await client.connect()
    await client.query(`listen ${client.escapeIdentifier(channel)}`)
  } catch (error) {
    client.end().catch(() => undefined) // never was a connection
    throw error
  }
  return client
}

/** Settles when the connection is lost, found dead by a ping, or no longer wanted. */
async function brokenOr(client: pg.Client, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  client.once('end', resolve)
  client.once('broken' as 'end', resolve)
  signal.addEventListener('abort', () => resolve(), { once: true })
  // A peer that vanished without a word never raises an error; only an unanswered question shows it.
  const ping = setInterval(() => client.query('select 1').catch(() => resolve()), PING_MS)
  ping.unref()
  await promise
  clearInterval(ping)
  if (!signal.aborted) client.end().catch(() => undefined) // already broken
}

async function reopen(open: () => Promise<pg.Client>, signal: AbortSignal): Promise<pg.Client | undefined> {
  for (let delay = RETRY_MS; !signal.aborted; delay = Math.min(delay * 2, RETRY_MAX_MS)) {
    try {
      return await open()
    } catch {
      await wait(delay, undefined, { signal }).catch(() => undefined) // aborted: the loop ends
    }
  }
  return undefined
}
