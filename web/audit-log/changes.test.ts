import { expect, test } from 'vitest'
import { auditFields } from '#contract/audit-fields.ts'
import { exports } from '#contract/exports.ts'
import { fieldName, valueText } from './changes.ts'
import { NO_FILTERS, queryOf } from './filters.ts'

test.each([
  ['user_status', 'suspended', 'Suspendido'],
  ['payment_status', 'paid', 'Pagado'],
  ['state', 'reversed', 'Revertida'],
  ['role', 'issuer', 'Emisor'],
  ['total_amount', '1500.00', '$1,500.00'],
  ['period_start', '2026-10-01', '01/10/2026'],
  ['archived_at', '2026-10-01T05:30:00.000Z', '30/09/2026 23:30'],
  ['is_payout_event', true, 'Sí'],
  ['is_payout_event', false, 'No'],
  ['step_order', 3, '3'],
  ['event_data', { a: 1 }, '{"a":1}'],
  ['notes', '', undefined],
  ['notes', null, undefined],
  ['name', 'paid', 'paid'],
  ['reason', 'wrong_password', 'Contraseña incorrecta'],
  ['reason', 'Duplicado', 'Duplicado'],
  ['source', 'api', 'Sistema del emisor'],
  ['kind', 'signing', 'Secreto de firma'],
  ['calculated_amount', '1500.00', '$1,500.00'],
  ['validation', 'explicit', 'Con aprobación'],
  ['ids', [7, 8], '7, 8'],
  ['types', ['lead.event', 'payment.paid'], 'Evento de un lead, Pago realizado'],
  ['event_types', [3], 'Aprobado'],
  [
    'outcomes',
    [{ outcome: 'approve', rows: 2, amount: '90.00' }],
    'Veredicto: Se aprobará, Renglones: 2, Monto: $90.00',
  ],
  ['undo', [{ undo: 'take_back', rows: 1, amount: null }], 'Al deshacer: Deja de valer, Renglones: 1, Monto: -'],
  ['fields', 'external_id, utm_source', 'External ID, UTM Source'],
])('%s %j reads %j', (field, value, text) => {
  expect(valueText(field, value)).toBe(text)
})

test('a word of two meanings is that of its noun', () => {
  expect(['issuer', 'adjustment'].map((entity) => fieldName('kind', entity))).toEqual(['Clave', 'Tipo'])
  expect(valueText('kind', 'bonus', 'adjustment')).toBe('Bono')
  expect(['commission_entry', 'lead', 'receiver'].map((entity) => valueText('state', 'paid', entity))).toEqual([
    ...['Pagada', 'Pagado', 'paid'],
  ])
  expect(valueText('state', 'failed', 'receiver')).toBe('Fallida')
})

test('what files are narrowed by has a name, too', () => {
  const filters = Object.values(exports).flatMap(({ query }) => Object.keys(query.shape))
  expect(filters).toContain('standing')
  expect(filters.filter((field) => !Object.hasOwn(auditFields, field))).toEqual([])
})

test('a field without a Spanish name keeps its own', () => {
  expect(['company_name', 'step_12', 'cancel_reason', 'something'].map((field) => fieldName(field))).toEqual([
    ...['Empresa', 'Orden del paso 12', 'Motivo de la cancelación', 'something'],
  ])
})

test('what an address cannot mean is not asked for', () => {
  const wrong = { persona: 'x', entidad: 'toString', accion: 'robo', desde: 'ayer', hasta: '2026-02-31', pagina: '-1' }
  expect(queryOf(wrong)).toEqual({ actor_id: '', entity: '', action: '', from: '', to: '', page: '1' })
  const right = { ...NO_FILTERS, persona: '7', entidad: 'payment', accion: 'update', desde: '2026-01-01', pagina: '2' }
  expect(queryOf(right)).toEqual({
    actor_id: '7',
    entity: 'payment',
    action: 'update',
    from: '2026-01-01',
    to: '',
    page: '2',
  })
})
