import { expect, test } from 'vitest'
import type { PaymentPreview } from '#contract/payment-preview.ts'
import type { OpenBalance, Payment } from '#contract/payments.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { ApiError } from '#web/api/errors.ts'
import { isOf } from './Calculate.tsx'
import { askedOf, clearTotals, empty, type Form, valuesFor } from './payment-form.ts'
import { refusalIn } from './refusal.ts'

const preview = { total_leads: 2, total_conversions: 2, total_amount: '1500.00' } as PaymentPreview

/** What is left of these totals when another calculation is needed. */
function cleared(typed: { total_leads: number; total_conversions: number; total_amount: string }) {
  const values: Record<string, unknown> = { ...typed }
  const form = {
    getValues: (name: string) => values[name],
    setValue: (name: string, value: unknown) => {
      values[name] = value
    },
  }
  clearTotals(form as unknown as Form, preview)
  return values
}

test.each([
  [{ total_leads: 2, total_conversions: 2, total_amount: '1500' }, [null, null, '']],
  [{ total_leads: 2, total_conversions: 1, total_amount: '1600.00' }, [null, 1, '1600.00']],
  [{ total_leads: 3, total_conversions: 2, total_amount: '' }, [3, null, '']],
])('of another period, %j keeps what was typed and not what was calculated', (typed, left) => {
  expect(Object.values(cleared(typed))).toEqual(left)
})

test('what is calculated is asked for once pair and period are known, and holds for them alone', () => {
  const edited = { id: 9 } as Payment
  expect(askedOf([null, '2025-03-01', '2025-03-31'], undefined)).toBeUndefined()
  expect(askedOf([1, '', '2025-03-31'], undefined)).toBeUndefined()
  expect(askedOf([1, '2025-03-01', ''], undefined)).toBeUndefined()
  const asked = askedOf([1, '2025-03-01', '2025-03-31'], edited)
  expect(asked).toEqual({ relationship: 1, period_start: '2025-03-01', period_end: '2025-03-31', payment: 9 })
  expect(asked && isOf({ asked: { ...asked }, preview }, asked)).toBe(true)
  expect(asked && isOf({ asked: { ...asked, period_end: '2025-03-30' }, preview }, asked)).toBe(false)
  expect(isOf(undefined, asked)).toBe(false)
})

test('a pair is paid from its first commission until today, over two days at least', () => {
  const today = dateInMexico()
  const since = (day: string | null) => valuesFor({ relationship: 1, since: day } as OpenBalance)
  expect(since('2025-03-10')).toEqual({ ...empty, relationship: 1, period_start: '2025-03-10', period_end: today })
  for (const day of [today, null]) expect(since(day).period_start).toBe(addDays(today, -1))
})

test('a refusal since commissions changed has both sums; any other error is another matter', () => {
  const sums = { calculated_amount: '900.00', entries_amount: '600.00' }
  const refused = (code: string, given = {}) => new ApiError(409, 'Cambiaron', {}, code, given)
  for (const code of ['PREVIEW_STALE', 'TOTAL_CHANGED'])
    expect(refusalIn(refused(code, sums))).toEqual({ code, message: 'Cambiaron', sums })
  expect(refusalIn(refused('TOTAL_CHANGED', {}))).toBeUndefined()
  expect(refusalIn(refused('PERIOD_TAKEN', sums))).toBeUndefined()
  expect(refusalIn(new Error('Cambiaron'))).toBeUndefined()
  expect(refusalIn(null)).toBeUndefined()
})
