import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { expectVersion, MIGRATIONS_FOLDER, migrate, readFunctions } from './migrate.ts'
import { createTestDatabase, type TestDatabase } from './testing.ts'

let database: TestDatabase
let folder: string

beforeAll(async () => {
  database = await createTestDatabase('template0')
})
afterAll(() => database.drop())
beforeEach(async () => {
  await query('drop schema public cascade; create schema public')
  folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  write('0001_people.sql', 'create table person (id int primary key); insert into person values (1);')
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (file: string, sql: string) => writeFileSync(join(folder, file), sql)

async function query(sql: string, { url } = database): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}

test('applies what is due, in order, once', async () => {
  write('0002_more.sql', 'insert into person values (2);')
  expect(await migrate(database.url, folder)).toEqual(['people', 'more'])
  expect(await migrate(database.url, folder)).toEqual([])
  write('0003_again.sql', 'insert into person values (3);')
  expect(await migrate(database.url, folder)).toEqual(['again'])
  expect(await query('select id from person order by id')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  expect(await query('select number, name from migration order by number')).toEqual([
    { number: 1, name: 'people' },
    { number: 2, name: 'more' },
    { number: 3, name: 'again' },
  ])
})

test('a start that is killed between a migration and the functions leaves all of them to the next start', async () => {
  const current = await createTestDatabase()
  onTestFinished(() => current.drop())
  rmSync(join(folder, '0001_people.sql'))
  cpSync(MIGRATIONS_FOLDER, folder, { recursive: true })
  write('9999_later.sql', 'create table later (id int);')
  expect(await migrate(current.url, folder)).toEqual(['later']) // of another folder: no functions follow
  await query('delete from migration where number = 9999', current)
  const files = await readFunctions()
  expect(await migrate(current.url)).toEqual(files.map(({ name }) => name))
  expect(await migrate(current.url)).toEqual([])
})

test('copies starting at once apply each file once', async () => {
  const applied = await Promise.all(Array.from({ length: 10 }, () => migrate(database.url, folder)))
  expect(applied.flat()).toEqual(['people'])
  expect(await query('select id from person')).toEqual([{ id: 1 }])
})

test('a failing file leaves nothing of itself', async () => {
  write('0002_broken.sql', 'insert into person values (2); insert into person values (1);')
  await expect(migrate(database.url, folder)).rejects.toThrow('0002_broken.sql falló: duplicate key')
  expect(await query('select id from person')).toEqual([{ id: 1 }])
  expect(await query('select number from migration')).toEqual([{ number: 1 }])
})

test('refuses when an applied file changed', async () => {
  await migrate(database.url, folder)
  write('0001_people.sql', 'create table person (id bigint primary key);')
  await expect(migrate(database.url, folder)).rejects.toThrow('La migración 1 (people) ya aplicada cambió')
})

test('refuses a database that is ahead of the program', async () => {
  write('0002_more.sql', 'select 1;')
  await migrate(database.url, folder)
  rmSync(join(folder, '0002_more.sql'))
  await expect(migrate(database.url, folder)).rejects.toThrow('versión más nueva de Afluente (migración 2)')
})

test.each([
  ['people.sql', 'no se llama NNNN_nombre.sql'],
  ['0001_other.sql', 'Hay dos migraciones 0001'],
])('refuses a file named %s', async (file, message) => {
  write(file, 'select 1;')
  await expect(migrate(database.url, folder)).rejects.toThrow(message)
})

test('an old PostgreSQL is refused by its number', () => {
  expect(() => expectVersion(140_023)).toThrow(
    'La base de datos es PostgreSQL 14; Afluente necesita la versión 15 o posterior.',
  )
  expectVersion(150_000)
})
