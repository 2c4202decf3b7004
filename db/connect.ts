import { Kysely, PostgresDialect, type PostgresPoolClient, type Transaction } from 'kysely'
import pg from 'pg'
import { type ConnectOptions, endPool, openPool } from './pool.ts'
import type { DB } from './tables.ts'

export type Db = Kysely<DB>
export type Tx = Transaction<DB>

// Of a server that became a standby: a new connection may reach the one that took over.
const READ_ONLY = '25006'
// An error of the server alone leaves the connection usable; FATAL, a lost socket or an unanswered query do not.
const endsConnection = (error: unknown) =>
  !(error instanceof pg.DatabaseError) || /^(FATAL|PANIC)$/.test(error.severity ?? '') || error.code === READ_ONLY

/** Names of prepared statements, by their texts. */
const names = new Map<string, string>()

function nameOf(text: string): string {
  const name = names.get(text) ?? `s${names.size}`
  names.set(text, name)
  return name
}

/** A broken connection must not go back to the pool, where the next caller would get it. */
function discardBroken(client: pg.PoolClient, prepared = false): PostgresPoolClient {
  let broken = false
  // Cursors, the other form of this call, are not installed.
  const query = async (text: string, parameters: readonly unknown[]) => {
    try {
      const values = [...parameters]
      return await client.query(prepared && values.length ? { name: nameOf(text), text, values } : { text, values })
    } catch (error) {
      broken ||= endsConnection(error)
      throw error
    }
  }
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy || broken),
  }
}

/** A Db over a pool that the caller owns; `destroy` ends the pool. */
export function queriesOver(pool: pg.Pool, { prepared }: Pick<ConnectOptions, 'prepared'> = {}): Db {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const take = async () => {
    const client = await pool.connect()
    const guarded = clients.get(client) ?? discardBroken(client, prepared)
    clients.set(client, guarded)
    return guarded
  }
  const guardedPool = { connect: take, end: () => endPool(pool), options: pool.options, Client: pg.Client }
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool: guardedPool }) })
}

export const connect = (url: string, options: ConnectOptions = {}): Db => queriesOver(openPool(url, options), options)
