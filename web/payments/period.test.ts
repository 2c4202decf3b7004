import { expect, test } from 'vitest'
import type { PaymentStatus } from '#contract/payments.ts'
import { periodNote } from './period.ts'

const paid = (id: number, period_start: string, period_end: string, payment_status: PaymentStatus = 'paid') => ({
  id,
  affiliate: 1,
  issuer: 2,
  period_start,
  period_end,
  payment_status,
})
const february = paid(10, '2026-02-01', '2026-02-28')
const march = paid(11, '2026-03-01', '2026-03-31')
const june = paid(12, '2026-06-01', '2026-06-30')
const overlap = (other: typeof february) => ({ kind: 'overlap', with: other })
const gap = (days: number) => ({ kind: 'gap', days })

test.each([
  ['the first of the pair', '2026-04-01', '2026-04-30', [], undefined],
  ['the day after', '2026-04-01', '2026-04-30', [february, march], undefined],
  ['the same days', '2026-03-01', '2026-03-31', [february, march], overlap(march)],
  ['one day in common at its start', '2026-03-31', '2026-04-30', [march], overlap(march)],
  ['one day in common at its end', '2026-01-15', '2026-02-01', [february], overlap(february)],
  ['around another', '2026-05-01', '2026-07-31', [june], overlap(june)],
  ['within another', '2026-06-10', '2026-06-11', [june], overlap(june)],
  ['one day left out', '2026-04-02', '2026-04-30', [march, february], gap(1)],
  ['a month left out, before a later payment', '2026-05-01', '2026-05-31', [june, march, february], gap(30)],
  ['before all others', '2025-12-01', '2025-12-31', [february, june], undefined],
  [
    'a cancelled one on the same days',
    '2026-03-01',
    '2026-03-31',
    [paid(13, '2026-03-01', '2026-03-31', 'cancelled')],
    undefined,
  ],
  [
    'a cancelled one fills no gap',
    '2026-04-01',
    '2026-04-30',
    [february, { ...march, payment_status: 'cancelled' as const }],
    gap(31),
  ],
  ['another issuer of the affiliate', '2026-03-01', '2026-03-31', [{ ...march, issuer: 3 }], undefined],
  ['another affiliate of the issuer', '2026-03-01', '2026-03-31', [{ ...march, affiliate: 4 }], undefined],
  ['an end before its start', '2026-03-31', '2026-03-01', [march], undefined],
  ['a date not typed yet', '2026-03-01', '', [march], undefined],
])('%s: %s to %s', (_, period_start, period_end, payments, note) => {
  expect(periodNote({ affiliate: 1, issuer: 2, period_start, period_end }, payments)).toEqual(note)
})

test('a payment that is edited does not overlap itself', () => {
  const edited = { ...march, id: march.id, period_end: '2026-03-30' }
  expect(periodNote(edited, [february, march])).toBeUndefined()
})
