import { expect, onTestFinished, test } from 'vitest'
import { connect } from '#db/connect.ts'
import { OperatorError } from '#db/operator-error.ts'
import { createTestDatabase } from '#db/testing.ts'
import { readConfig } from '../config.ts'
import { makeFirstAdmin } from './first-admin.ts'

test('an administrator is not made with a password that anybody would guess', async () => {
  const database = await createTestDatabase()
  const db = connect(database.url)
  onTestFinished(async () => {
    await db.destroy()
    await database.drop()
  })
  const make = (ADMIN_PASSWORD: string) =>
    makeFirstAdmin(db, readConfig({ ADMIN_EMAIL: 'ana@ejemplo.mx', ADMIN_PASSWORD, DATA_DIR: '/nowhere' }))
  for (const weak of ['Afluente2026', 'password1', '        '])
    await expect(make(weak)).rejects.toSatisfy(
      (error) => error instanceof OperatorError && error.message.startsWith('ADMIN_PASSWORD: '),
    )
  expect(await make('tres caballos azules')).toMatchObject({ email: 'ana@ejemplo.mx', generated: false })
  expect(await make('tres caballos azules')).toBeUndefined()
  // Somebody who only reads could let nobody in.
  await db.updateTable('user').set({ duty: 'reader' }).execute()
  const made = await makeFirstAdmin(db, readConfig({ DATA_DIR: '/nowhere' }))
  expect(made).toMatchObject({ email: 'admin@afluente.mx', generated: true })
  const given = db.selectFrom('user').select('password_given').where('email', '=', 'admin@afluente.mx')
  expect(await given.executeTakeFirst()).toEqual({ password_given: true })
  const policy = db.selectFrom('security_policy').select('replaces_given').where('role', '=', 'admin')
  expect(await policy.executeTakeFirst()).toEqual({ replaces_given: true })
})
