import { expect, test } from 'vitest'
import { may } from './roles.ts'

test('a role may do what the specification grants it, and nobody what it does not', () => {
  expect(may('admin', 'manage_users')).toBe(true)
  expect(may('issuer', 'manage_payments')).toBe(true)
  expect(may('issuer', 'manage_users')).toBe(false)
  expect(may('affiliate', 'create_campaigns')).toBe(true)
  expect(may('affiliate', 'manage_products')).toBe(false)
  for (const role of [null, undefined, 'toString'] as const) expect(may(role as never, 'manage_users')).toBe(false)
})
