import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { serverUrlOf } from './server-role.ts'
import { SERVER_SECRET, TEMPLATE } from './test-cluster.ts'

export type TestDatabase = {
  /** The owner's. */
  url: string
  /** The server's. */
  serverUrl: string
  drop(): Promise<void>
}

/** Whether this is `npm run test:all`, which takes every case where `npm test` takes a few of each kind. */
export const isWhole = process.env.TEST_ALL !== undefined

/** How many histories a property test runs: as many as HISTORIES of the environment says, else a few, or more in `npm run test:all`. */
export const historiesOr = (few: number): number => Number(process.env.HISTORIES ?? (isWhole ? 5 * few : few))

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** A database of the test's own, migrated and empty. */
export async function createTestDatabase(template: string = TEMPLATE): Promise<TestDatabase> {
  const cluster = inject('clusterUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await run(cluster, `create database ${name} template ${template} strategy file_copy`)
  const urlOf = (base: string) => Object.assign(new URL(base), { pathname: `/${name}` }).href
  const [url, serverUrl] = [urlOf(cluster), urlOf(serverUrlOf(cluster, SERVER_SECRET))]
  return { url, serverUrl, drop: () => run(cluster, `drop database if exists ${name} with (force)`) }
}
