import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The owner's URL of a server's embedded PostgreSQL; its port changes with each start. */
export function embeddedUrl(dataDir: string): string {
  const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim()
  const port = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[3]
  return `postgres://afluente:${password}@127.0.0.1:${port}/afluente`
}
