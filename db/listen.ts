import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { endClient, newClient } from './pool.ts'

export type Listener = {
  /** Resolves when it listens for the first time, or is closed before. */
  connected: Promise<void>
  close(): Promise<void>
}

const PING_MS = 15_000
const RETRY_MS = 250
const RETRY_MAX_MS = 5_000

/**
 * Listens to a NOTIFY channel until closed, as soon as the database is there. Messages sent while there was no
 * connection are lost, so `onReconnect` must drop everything that the messages would have changed.
 */
export function listen(
  url: string,
  channel: string,
  onMessage: (payload: string) => void,
  onReconnect: () => void,
): Listener {
  const closing = new AbortController()
  const connected = Promise.withResolvers<void>()
  const watch = async () => {
    for (let missed = false; !closing.signal.aborted; missed = true) {
      const opened = await openInTheEnd(() => openListener(url, channel, onMessage), closing.signal)
      if (!opened) break
      if (missed || opened.late) onReconnect()
      connected.resolve()
      await brokenOr(opened.client, closing.signal)
      await endClient(opened.client)
    }
    connected.resolve()
  }
  const watching = watch()
  return {
    connected: connected.promise,
    close: () => {
      closing.abort()
      return watching
    },
  }
}

async function openListener(url: string, channel: string, onMessage: (payload: string) => void): Promise<pg.Client> {
  const client = newClient(url, 'afluente listen', { query_timeout: 5_000 })
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

/** Resolves when the connection is lost, found dead by a ping, or aborted. */
async function brokenOr(client: pg.Client, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  client.once('end', resolve)
  client.once('broken' as 'end', resolve)
  signal.addEventListener('abort', () => resolve(), { once: true })
  // The event fires once, perhaps while this connection was being made.
  if (signal.aborted) resolve()
  // A peer that vanished silently raises no error; only an unanswered query shows it.
  const ping = setInterval(() => client.query('select 1').catch(() => resolve()), PING_MS)
  ping.unref()
  await promise
  clearInterval(ping)
}

async function openInTheEnd(
  open: () => Promise<pg.Client>,
  signal: AbortSignal,
): Promise<{ client: pg.Client; late: boolean } | undefined> {
  for (let delay = RETRY_MS; !signal.aborted; delay = Math.min(delay * 2, RETRY_MAX_MS)) {
    try {
      return { client: await open(), late: delay > RETRY_MS }
    } catch {
      await wait(delay, undefined, { signal }).catch(() => undefined) // aborted: the loop ends
    }
  }
  return undefined
}
