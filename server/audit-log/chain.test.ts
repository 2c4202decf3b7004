import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect, type Db } from '#db/connect.ts'
import { createTestDatabase, type TestDatabase } from '#db/testing.ts'
import { audit } from '../audit.ts'
import { TEST_SECRET } from '../testing.ts'
import { findFault, type Head, readHead, textOf } from './chain.ts'

let database: TestDatabase
/** With the rights of the server. */
let db: Db
let owner: Db
let head: Head
beforeEach(async () => {
  database = await createTestDatabase()
  db = connect(database.serverUrl, { max: 5, role: 'afluente_app' })
  owner = connect(database.url, { max: 1 })
  for (const name of ['uno', 'dos', 'tres', 'cuatro', 'cinco']) await act(name)
  head = (await readHead(db)) as Head
})
afterEach(async () => {
  await Promise.all([db.destroy(), owner.destroy()])
  await database.drop()
})

const ana = { role: 'admin', userId: 7, name: 'Ana', requestId: 'r', address: '192.0.2.17' } as const
const act = (label: string) =>
  db.transaction().execute((tx) => audit(tx, ana, { action: 'update', entity: 'user', entityId: 1, label }))

const fault = () => findFault(owner)
const change = (id: number, columns: Record<string, unknown>) =>
  owner.updateTable('audit_entry').set(columns).where('id', '=', id).execute()
const removeEntry = (id: number) => owner.deleteFrom('audit_entry').where('id', '=', id).execute()

/** An entry past the trigger, as who owns the tables may make it. */
const forge = (id: number) =>
  owner.transaction().execute(async (tx) => {
    await sql`alter table audit_entry disable trigger chain_audit_entry`.execute(tx)
    await sql`insert into audit_entry (id, actor_role, action, entity) overriding system value
      values (${id}, 'admin', 'update', 'user')`.execute(tx)
    await sql`alter table audit_entry enable trigger chain_audit_entry`.execute(tx)
  })

test('actions at once are chained one after another, without a gap for what was rolled back', async () => {
  const rehearsal = db.transaction().execute(async (tx) => {
    await audit(tx, ana, { action: 'update', entity: 'user', entityId: 1 })
    throw new Error('rolled back')
  })
  await expect(rehearsal).rejects.toThrow('rolled back')
  await Promise.all(Array.from({ length: 20 }, (_, place) => act(`a la vez ${place}`)))
  expect((await readHead(db))?.number).toBe(25)
  expect(await findFault(db, head)).toBeUndefined()
})

test('an entry that was changed is named', async () => {
  for (const columns of [
    { actor_name: 'Otra' },
    { created_at: '2026-01-01T00:00:00Z' },
    { changes: JSON.stringify({ payout: ['1.00', '2.00'] }) },
    { entity_id: null },
  ]) {
    const changing = await owner.startTransaction().execute()
    await changing.updateTable('audit_entry').set(columns).where('id', '=', 3).execute()
    const found = await findFault(changing)
    expect([Object.keys(columns), found]).toEqual([
      Object.keys(columns),
      'El registro 3 (id 3) no es como se escribió.',
    ])
    await changing.rollback().execute()
    expect(await fault()).toBeUndefined()
  }
})

test('an entry that was removed is named, with its link or without', async () => {
  await removeEntry(2)
  expect(await fault()).toBe('Falta el registro 2: su entrada de la bitácora (id 2) ya no está.')
  await sql`delete from audit_chain where number = 2`.execute(owner)
  expect(await fault()).toBe('Falta el registro 2 de la cadena; el siguiente es el 3.')
  await sql`update audit_chain set number = -number where number > 2`.execute(owner)
  await sql`update audit_chain set number = -number - 1 where number < 0`.execute(owner)
  expect(await fault()).toBe('El registro 2 (id 3) no es como se escribió.')
})

test('an entry that was put in between is named, with a link or without', async () => {
  await forge(900)
  expect(await fault()).toBe('La entrada con id 900 está en la bitácora y no en la cadena.')
  await sql`update audit_chain set number = -number where number > 2`.execute(owner)
  await sql`insert into audit_chain select 3, 900, hash from audit_chain where number = 2`.execute(owner)
  await sql`update audit_chain set number = 1 - number where number < 0`.execute(owner)
  expect(await fault()).toBe('El registro 3 (id 900) no es como se escribió.')
})

test('an end that was cut, or made anew, does not have the head that was noted', async () => {
  for (const id of [4, 5]) await removeEntry(id)
  await sql`delete from audit_chain where number > 3`.execute(owner)
  expect(await fault()).toBeUndefined()
  expect(await findFault(owner, head)).toBe('Falta el registro 5, que se anotó: se quitó el final de la cadena.')
  for (const name of ['otro', 'más']) await act(name)
  expect(await fault()).toBeUndefined()
  expect(await findFault(owner, head)).toBe('El registro 5 no es el que se anotó: la cadena se rehízo.')
})

test('an address that is truncated, or a column that is added, breaks nothing', async () => {
  await change(3, { address: '192.0.2.0/24' })
  await sql`alter table audit_entry add column later text`.execute(owner)
  expect(await findFault(owner, head)).toBeUndefined()
})

test('the server itself cannot write the chain past its trigger', async () => {
  for (const statement of [
    sql`delete from audit_chain`,
    sql`update audit_chain set hash = ''`,
    sql`insert into audit_chain values (6, 6, '')`,
  ])
    await expect(statement.execute(db)).rejects.toMatchObject({ code: '42501' })
})

test('the command tells the operator the first fault and the head', { timeout: 180_000 }, async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'afluente-'))
  const env = { DATABASE_URL: database.url, SECRET: TEST_SECRET, DATA_DIR }
  const run = (...args: string[]) =>
    new Promise((resolve) =>
      execFile(process.execPath, ['scripts/audit-check.ts', ...args], { env }, (error, said) =>
        resolve([error?.code ?? 0, said]),
      ),
    )
  const last = `Último registro: ${textOf(head)}\n`
  expect(await run(textOf(head))).toEqual([0, `La bitácora está como se escribió.\n${last}`])
  await change(4, { label: 'otra cosa' })
  expect(await run()).toEqual([1, `El registro 4 (id 4) no es como se escribió.\n${last}`])
  expect(await run('ayer')).toEqual([1, 'Lo anotado tiene la forma NÚMERO:HASH, como lo escribe el registro.\n'])
  rmSync(DATA_DIR, { recursive: true })
})
