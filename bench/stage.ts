import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Db } from '#db/connect.ts'
import { buildApp } from '#server/app.ts'
import { AccessTokens } from '#server/auth/tokens.ts'
import { readConfig } from '#server/config.ts'

const SECRET = '7d1f20c9b64e83a5f07b2d9c11e6a84450c3f98e2b7d61a0'
const SETTINGS = { LOG_LEVEL: 'silent', SECRET, SPOOL_MB: '1', REQUESTS_PER_SECOND: '100000' }

export type Reader = 'admin' | 'issuer' | 'affiliate'
/** The demonstration's accounts: the last two belong to the largest company of their kind. */
export const readers: Record<Reader, string> = {
  admin: 'admin@demo.afluente.mx',
  issuer: 'emisor@demo.afluente.mx',
  affiliate: 'afiliado@demo.afluente.mx',
}

export interface Stage {
  db: Db
  databaseUrl: string
  read: (reader: Reader, path: string) => Promise<unknown>
  stop: () => Promise<void>
}

/** The whole product over HTTP, on the database at a URL. */
export async function openStage(databaseUrl: string): Promise<Stage> {
  const db = connect(databaseUrl, { max: 20, role: 'afluente_app', statementTimeoutMs: 120_000 })
  const dataDir = mkdtempSync(join(tmpdir(), 'afluente-bench-'))
  // A reader repeats without pauses, which exceeds the limit of a person.
  const settings = { ...SETTINGS, DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
  const app = await buildApp({ db, config: readConfig(settings), databaseUrl })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const bearers = new Map<Reader, string>()
  for (const reader of Object.keys(readers) as Reader[]) bearers.set(reader, await bearerOf(db, readers[reader]))
  const read = async (reader: Reader, path: string) => {
    const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${bearers.get(reader)}` } })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${reader} ${path}: ${answer.status} ${text.slice(0, 300)}`)
    return (JSON.parse(text) as { data: unknown }).data
  }
  return {
    db,
    databaseUrl,
    read,
    stop: async () => {
      await app.close()
      await db.destroy()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export async function bearerOf(db: Db, email: string, secret = SECRET): Promise<string> {
  const user = await db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const session = await db
    .insertInto('session')
    .values({
      user_id: user.id,
      refresh_hash: Buffer.from(hash('sha256', `bench ${email} ${performance.now()}`), 'hex'),
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
      address: '127.0.0.1',
      user_agent: 'bench',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return new AccessTokens(secret).sign({ id: session.id, userId: user.id })
}
