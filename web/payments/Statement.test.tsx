import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { StatementLine } from '#contract/payment-statement.ts'
import type { Payment } from '#contract/payments.ts'
import { Statement } from './Statement.tsx'
import { made, read } from './testing.tsx'

const line: StatementLine = {
  ...{ id: 1, lead_id: 41, external_id: 'solicitud-9', product_name: 'Tarjeta Oro', step_name: 'Aprobación' },
  ...{ amount: '500.00', state: 'in_payment', earned_at: '2025-03-10T12:00:00Z', is_difference: false },
}
const statement = (
  change: Partial<Payment>,
  lines: StatementLine[] = [line, { ...line, id: 2 }, { ...line, id: 3 }],
) => (
  <Statement
    payment={{ ...made, ...change }}
    issuer={{ company_name: 'Banco Río', rfc: 'BRI010101AB1' }}
    affiliate={{ company_name: 'Portal Sur', rfc: 'PSU010101CD2' }}
    lines={lines}
  />
)
const textOf = (...given: Parameters<typeof statement>) => read(statement(...given))

test('a statement says who owes whom, for which period and that it is no invoice', () => {
  const text = textOf({ notes: 'SPEI 2026' })
  expect(text).toMatch(/Estado de pago 7 Pendiente, impreso el \d{2}\/\d{2}\/\d{4} \d{2}:\d{2}/)
  expect(text).toContain('Emisor Banco RíoRFC BRI010101AB1')
  expect(text).toContain('Afiliado Portal SurRFC PSU010101CD2')
  expect(text).toContain('Periodo 01/03/2025 - 31/03/2025 (31 días)')
  expect(text).toContain('Fecha de pago 04/04/2025')
  expect(text).toContain('Notas SPEI 2026')
  expect(text).toContain('Montos antes de IVA y retenciones. No es un comprobante fiscal.')
  expect(textOf({ payment_date: null })).toContain('Fecha de pago Sin fecha asignada')
})

test('each commission is a line with its day, lead, product and step', () => {
  const bonus = { ...line, id: 2, lead_id: null, external_id: '', product_name: '', step_name: 'Bono' }
  const text = textOf({}, [line, bonus])
  expect(text).toContain('10/03/2025 41 solicitud-9 Tarjeta Oro · Aprobación $500.00')
  expect(text).toContain('10/03/2025 — — Bono $500.00')
})

test.each<[string, Partial<Payment>, StatementLine[] | undefined, string]>([
  ['as calculated', {}, undefined, '3 comisiones $1,500.00 Ajuste $0.00 Total $1,500.00'],
  [
    'with a typed difference and its reason',
    { total_amount: '1540.00', adjustment: '40.00', adjustment_reason: 'Bono de marzo' },
    [line, { ...line, id: 2 }, { ...line, id: 3 }, { ...line, id: 4, amount: '40.00', is_difference: true }],
    '3 comisiones $1,500.00 AjusteBono de marzo $40.00 Total $1,540.00',
  ],
  [
    'after a rejection, which counts no more',
    { entries_amount: '500.00', calculated_amount: '1000.00', total_amount: '1000.00' },
    [line, { ...line, id: 2, state: 'reversed' }],
    '1 comisión $500.00 Cambio posterior de comisiones $500.00 Ajuste $0.00 Total $1,000.00',
  ],
  ['cancelled', { payment_status: 'cancelled' }, [], 'Total $1,500.00'],
])('its sums lead to the total: %s', (_, change, lines, sums) => {
  expect(textOf(change, lines)).toContain(`${sums} Montos antes`)
})

test('what counts no more is struck out: a reversed line, and the total of what was cancelled', () => {
  const struck = (...given: Parameters<typeof statement>) =>
    [...renderToStaticMarkup(statement(...given)).matchAll(/<del>(.*?)<\/del>/g)].map(([, text]) =>
      text?.replace(/<[^>]*>/g, ''),
    )
  expect(struck({})).toEqual([])
  expect(struck({}, [line, { ...line, id: 2, amount: '80.00', state: 'reversed' }])).toEqual(['$80.00'])
  expect(struck({ payment_status: 'cancelled', cancel_reason: 'El banco la devolvió' }, [])).toEqual(['$1,500.00'])
  expect(textOf({ payment_status: 'cancelled', cancel_reason: 'El banco la devolvió' }, [])).toContain(
    'Motivo de la cancelación El banco la devolvió',
  )
})
