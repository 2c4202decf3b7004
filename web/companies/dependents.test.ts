import { expect, test } from 'vitest'
import { countsOf } from './dependents.ts'

const none = { users: 0, relationships: 0, products: 0, commissions: 0, leads: 0, payments: 0 }

test.each([
  [{}, '', ''],
  [{ users: 1 }, '1 usuario', ''],
  [{ users: 2, relationships: 1, commissions: 4 }, '2 usuarios, 1 relación y 4 comisiones', ''],
  [{ products: 1, leads: 12345, payments: 1 }, '1 producto', '12,345 leads y 1 pago'],
])('%j reads %j and %j', (counts, going, staying) => {
  expect(countsOf({ ...none, ...counts })).toEqual({ going, staying })
})
