import { expect, test } from 'vitest'
import type { z } from 'zod'
import { PaymentCreate } from './payments.ts'
import { addDays, dateInMexico } from './time.ts'

const today = dateInMexico()
const whole = {
  relationship: 1,
  period_start: '2025-10-01',
  period_end: '2025-10-31',
  total_leads: 5,
  total_conversions: 5,
  total_amount: '10.5',
  payment_status: 'pending',
  payment_date: '2025-11-04',
  adjustment_reason: '',
  cancel_reason: '',
  notes: '',
}
/** As a form reads it: the first problem of each field. */
const problemsOf = (schema: z.ZodType, form: object): Record<string, string> => {
  const { error } = schema.safeParse(form)
  const said: Record<string, string> = {}
  for (const { path, message } of error?.issues ?? []) said[path.join('.')] ??= message
  return said
}

test('an empty form says of each field at once what it lacks', () => {
  const empty = {
    ...whole,
    ...{ relationship: null, period_start: '', period_end: '', payment_date: '' },
    ...{ total_leads: null, total_conversions: null, total_amount: '' },
  }
  expect(problemsOf(PaymentCreate, empty)).toEqual({
    relationship: 'Debe seleccionar una relación',
    period_start: 'La fecha de inicio es requerida',
    period_end: 'La fecha de fin es requerida',
    total_leads: 'Debe ser un número positivo',
    total_conversions: 'Debe ser un número positivo',
    total_amount: 'El monto es requerido',
    payment_date: 'La fecha de pago es requerida',
  })
})

test.each<[string, unknown[], string]>([
  ['relationship', [undefined, null, 0], 'Debe seleccionar una relación'],
  ['period_start', [undefined, ''], 'La fecha de inicio es requerida'],
  ['period_end', [undefined, ''], 'La fecha de fin es requerida'],
  ['payment_date', [undefined, ''], 'La fecha de pago es requerida'],
  ['total_amount', [undefined, ''], 'El monto es requerido'],
  ['total_amount', ['10.555', 'abc', '-1'], 'Formato de monto inválido'],
  ['period_end', ['01/10', '2025-02-30'], 'Fecha inválida'],
  ['period_end', ['2025-10-01', '2025-09-30'], 'La fecha de fin debe ser posterior a la fecha de inicio'],
  ['period_end', [addDays(today, 1)], 'La fecha de fin no puede ser futura'],
  ['period_start', [addDays(today, 1)], 'La fecha de inicio no puede ser futura'],
  ['total_leads', [undefined, null, '5', -1, 1.5], 'Debe ser un número positivo'],
  ['total_conversions', [undefined, null, -1], 'Debe ser un número positivo'],
  ['total_conversions', [6], 'Las conversiones no pueden ser mayores que los leads'],
  ['notes', ['ñ'.repeat(501)], 'Máximo 500 caracteres'],
  ['adjustment_reason', ['ñ'.repeat(501)], 'Máximo 500 caracteres'],
  ['cancel_reason', ['ñ'.repeat(501)], 'Máximo 500 caracteres'],
])('%s may not be any of %j', (field, values, message) => {
  for (const value of values) expect(problemsOf(PaymentCreate, { ...whole, [field]: value })[field]).toBe(message)
})

test('what a rule needs of two fields is said while another is still wrong', () => {
  const form = { ...whole, relationship: null, total_conversions: 6 }
  expect(problemsOf(PaymentCreate, form)).toEqual({
    relationship: 'Debe seleccionar una relación',
    total_conversions: 'Las conversiones no pueden ser mayores que los leads',
  })
})

test.each([
  ['10', '10.00'],
  ['10.5', '10.50'],
  ['10.55', '10.55'],
  ['0', '0.00'],
])('an amount of %s is taken as %s', (total_amount, taken) => {
  expect(PaymentCreate.parse({ ...whole, total_amount }).total_amount).toBe(taken)
})
