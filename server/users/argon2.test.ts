import { argon2Sync, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { argon2id } from './argon2.ts'

const make = (message: string) => ({
  ...{ message, nonce: randomBytes(16), memory: 64, passes: 1, parallelism: 1, tagLength: 32 },
})
const right = [make('una clave'), make('otra clave')]
const expectRight = async () =>
  expect(await Promise.all(right.map(argon2id))).toEqual(right.map((each) => argon2Sync('argon2id', each)))

test('simultaneous jobs each get their own hash', expectRight)

test.each([
  ['cannot be hashed', { ...make('clave'), passes: 0 }],
  ['does not reach the thread', { ...make('clave'), message: (() => 'clave') as never }],
])('a question that %s fails alone: the next ones get their own hashes', async (_what, wrong) => {
  await expect(argon2id(wrong)).rejects.toThrow()
  await expectRight()
})
