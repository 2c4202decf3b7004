import { expect, test } from 'vitest'
import type { EventStep } from '#contract/event-steps.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { payingSteps, type RateValues, rateAsked, rateCall, rateForm } from './rate-form.ts'
import type { RateScope } from './rate-scope.ts'

const today = dateInMexico()
const [yesterday, tomorrow] = [addDays(today, -1), addDays(today, 1)]
const commission: RateScope = {
  ...{ product: 3, product_name: 'Tarjeta Oro', affiliate_name: 'Portal', step: null, step_name: null },
  ...{ commission: 7, payout: '500.00', next: null },
}
const ofStep: RateScope = { ...commission, step: 5, step_name: 'Entregada' }
const ofProduct: RateScope = { ...commission, commission: null, affiliate_name: null }
const whole: RateValues = { product_id: 3, event_step_id: '', amount: '620.5', valid_from: '', since: '', note: '' }
const NOTE = 'Se acordó con el banco en la junta'

/** As the form shows them: of each field the first. */
const remarksOf = (scope: RateScope | undefined, values: Partial<RateValues>) =>
  Object.fromEntries(
    (rateForm(scope).safeParse({ ...whole, ...values }).error?.issues ?? [])
      .map(({ path, message }) => [path.join('.'), message])
      .toReversed(),
  )

test.each<[string, RateScope | undefined, Partial<RateValues>, Record<string, string>]>([
  ['a product has to be chosen', undefined, { product_id: null }, { product_id: 'Selecciona un producto' }],
  ['nothing of a product that is given', ofProduct, { product_id: null }, {}],
  ['an amount is needed', ofProduct, { amount: ' ' }, { amount: 'Ingresa el monto' }],
  ['of digits', ofProduct, { amount: 'abc' }, { amount: 'Formato de monto inválido' }],
  ['a default may begin now', undefined, {}, {}],
  ['so may the amount of a step', ofStep, {}, {}],
  ['also of a commission', commission, { event_step_id: '5' }, {}],
  ['the one amount of a commission needs a day', commission, {}, { valid_from: 'Fecha inválida' }],
  ['today has begun', commission, { valid_from: today }, { valid_from: 'La fecha debe ser futura' }],
  ['for a default too', undefined, { valid_from: yesterday }, { valid_from: 'La fecha debe ser futura' }],
  ['tomorrow has not', commission, { valid_from: tomorrow }, {}],
  ['no day at all', undefined, { valid_from: '31/02' }, { valid_from: 'Fecha inválida' }],
  ['compensated with a reason', undefined, { since: today, note: NOTE }, {}],
  [
    'not what nobody has earned yet',
    undefined,
    { since: tomorrow, note: NOTE },
    { since: 'La fecha no puede ser posterior a hoy' },
  ],
  [
    'nor without one',
    undefined,
    { since: yesterday, note: 'Porque sí' },
    { note: 'Explica por qué (de 10 a 500 caracteres)' },
  ],
])('%s', (_, scope, values, remarks) => expect(remarksOf(scope, values)).toEqual(remarks))

test('what it means is asked before it says why, and not while something else is wrong', () => {
  const compensation = { since: yesterday }
  const asked = { product_id: 3, event_step_id: null, amount: '620.50' }
  expect(rateAsked(undefined, whole)).toEqual(asked)
  expect(rateAsked(undefined, { ...whole, since: yesterday })).toEqual({ ...asked, compensation })
  expect(rateAsked(undefined, { ...whole, since: tomorrow })).toBeUndefined()
  expect(rateAsked(commission, whole)).toBeUndefined()
})

test('what is sent names its commission or its product, the step, the moment and what was shown', () => {
  const amount = '620.50'
  const values = { ...whole, amount }
  expect(rateCall(undefined, { ...values, event_step_id: '5' }, null)).toEqual({
    ...{ product_id: 3, event_step_id: 5, amount },
  })
  expect(rateCall(ofStep, { ...values, valid_from: '2031-01-01' }, null)).toEqual({
    ...{ commission_id: 7, event_step_id: 5, amount, valid_from: '2031-01-01T06:00:00.000Z' },
  })
  const shown = { entries: 2, paid: 1, amount: '341.00', held: 0 }
  expect(rateCall(ofProduct, { ...values, since: yesterday, note: NOTE }, shown)).toEqual({
    ...{ product_id: 3, event_step_id: null, amount },
    compensation: { since: yesterday, note: NOTE, entries: 2, amount: '341.00' },
  })
})

test('steps of the product that pay can have an amount of their own', () => {
  const step = (id: number, product_id: number, is_payout_event: boolean, event_type_name: string) =>
    ({ id, product_id, is_payout_event, event_type_name }) as EventStep
  const steps = [
    step(1, 3, true, 'aprobado'),
    step(2, 3, false, 'step_1'),
    step(3, 3, true, 'rechazado'),
    step(4, 4, true, 'aprobado'),
  ]
  expect(payingSteps(steps, 3).map(({ id }) => id)).toEqual([1])
  expect(payingSteps(undefined, 3)).toEqual([])
})
