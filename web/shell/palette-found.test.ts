import { expect, test } from 'vitest'
import type { Role } from '#contract/roles.ts'
import type { Found } from '#contract/search.ts'
import { groupsOf } from './palette-rows.ts'

const company = (id: number, company_name: string) => ({ id, company_name, rfc: 'XAXX010101000' })
const found: Found = {
  leads: [{ id: 5, tracking_id: '0195', external_id: 'visita', product_name: 'Oro' }],
  affiliates: [company(3, 'Portal & Luna')],
  issuers: [company(2, 'Banco Sol')],
  products: [{ id: 1, name: 'Oro', issuer: 2, issuer_name: 'Banco Sol' }],
  payments: [
    {
      id: 41,
      issuer_name: 'Banco Sol',
      affiliate_name: 'Portal Luna',
      period_start: '2025-03-01',
      period_end: '2025-03-31',
      total_amount: '1500.00',
    },
  ],
}
const nothing: Found = { leads: [], affiliates: [], issuers: [], products: [], payments: [] }

test('what is found leads where the role sees it', () => {
  const foundBy = (role: Role, some: Partial<Found>) =>
    groupsOf(role, 'no es una pantalla', { ...nothing, ...some }).flatMap(({ value, items }) =>
      items.map(({ path }) => `${value}: ${path}`),
    )
  const { leads, affiliates, issuers, products, payments } = found
  expect(foundBy('admin', found)).toEqual([
    'Leads: /app/admin/leads?lead=5',
    'Afiliados: /app/admin/affiliates?q=Portal+%26+Luna',
    'Emisores: /app/admin/issuers?q=Banco+Sol',
    'Productos: /app/admin/products?q=Oro',
    'Pagos: /app/admin/payments?pago=41',
  ])
  expect(foundBy('issuer', { leads, affiliates, products, payments })).toEqual([
    'Leads: /app/issuer/leads?lead=5',
    'Afiliados: /app/issuer/affiliates?q=Portal+%26+Luna',
    'Productos: /app/issuer/products?q=Oro',
    'Pagos: /app/issuer/payments?pago=41',
  ])
  expect(foundBy('affiliate', { leads, issuers, products, payments })).toEqual([
    'Leads: /app/affiliate/leads?lead=5',
    'Emisores: /app/affiliate/issuers?q=Banco+Sol',
    'Productos: /app/affiliate/products?emisor=2',
    'Pagos: /app/affiliate/payments?pago=41',
  ])
})

test('a row says what tells it from others', () => {
  const rows = groupsOf('admin', 'no es una pantalla', found).flatMap(({ items }) => items)
  expect(rows.map(({ label, hint }) => [label, hint])).toEqual([
    ['Lead 5', 'visita · Oro · 0195'],
    ['Portal & Luna', 'XAXX010101000'],
    ['Banco Sol', 'XAXX010101000'],
    ['Oro', 'Banco Sol'],
    ['Pago 41 · $1,500.00', 'Portal Luna · Banco Sol · 01/03/2025 - 31/03/2025'],
  ])
})

test('screens and actions are found without accents and case', () => {
  const labelsOf = (text: string) =>
    groupsOf('admin', text, undefined).flatMap(({ items }) => items.map(({ label }) => label))
  expect(labelsOf('BITACORA')).toEqual(['Bitácora'])
  expect(labelsOf('comisiones')).toEqual(['Comisiones'])
  expect(labelsOf('crear')).toEqual(['Crear pago'])
  expect(groupsOf('admin', 'nadie se llama así', nothing)).toEqual([])
})
