import fc from 'fast-check'
import type { PaymentStatus } from '#contract/payments.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { Validation } from '#contract/validation.ts'

export const today = dateInMexico()
/** Entries are earned now: all but the last hold them. */
export const periods = [1, 2, 3, 60].map((days, index) => ({
  period_start: addDays(today, -days),
  period_end: index < 3 ? today : addDays(today, -30),
}))

export type Paying = 'aprobado' | 'entregado'
export type EventName = Paying | 'rechazado'
/** Of the affiliate's own commission, or of the product. */
export type Owner = 'own' | 'default'

export type Step =
  | { kind: 'event'; lead: number; type: EventName; attempt: number }
  | { kind: 'file'; rows: { lead: number; type: EventName }[]; restores: boolean; attempt: number }
  | { kind: 'undo'; file: number }
  | { kind: 'reject'; lead: number }
  | { kind: 'restore'; lead: number }
  | { kind: 'term'; scope: number; validation: Validation; validation_days: number }
  | { kind: 'approve' }
  | { kind: 'hold' | 'release'; lead: number }
  | { kind: 'adjust'; cents: number }
  | { kind: 'void'; adjustment: number }
  | { kind: 'click' }
  | { kind: 'commission'; cents: number }
  | { kind: 'rate'; owner: Owner; step: Paying | 'all'; cents: number }
  | { kind: 'compensate'; owner: Owner; step: Paying | 'all'; cents: number }
  | { kind: 'cancel'; change: number }
  | { kind: 'end'; owner: Owner; step: Paying | 'all' }
  | { kind: 'fold'; batchRows: number }
  | { kind: 'create'; period: number; status: PaymentStatus }
  | { kind: 'status'; payment: number; status: PaymentStatus }
  | { kind: 'period'; payment: number; period: number }
  | { kind: 'recalculate'; payment: number }
  | { kind: 'retype'; payment: number; cents: number }
  | { kind: 'accept'; payment: number }
  | { kind: 'remove'; payment: number }

export const LEADS = 3
const nat = (max: number) => fc.nat(max)
const status = fc.constantFrom<PaymentStatus>('pending', 'processing', 'paid', 'cancelled')
const type = fc.constantFrom<EventName>('aprobado', 'entregado', 'rechazado')
const rows = fc.array(fc.record({ lead: nat(LEADS - 1), type }), { minLength: 1, maxLength: 4 })
const owner = fc.constantFrom<Owner>('own', 'default')
const scopeStep = fc.constantFrom<Paying | 'all'>('aprobado', 'entregado', 'all')
const validation = fc.constantFrom(...Validation.options)
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('event'), lead: nat(LEADS - 1), type, attempt: nat(1) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('file'), rows, restores: fc.boolean(), attempt: nat(1) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo'), file: nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reject'), lead: nat(LEADS - 1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore'), lead: nat(LEADS - 1) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('term'), scope: nat(3), validation, validation_days: nat(1) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('approve') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('hold', 'release'), lead: nat(LEADS - 1) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('adjust'), cents: fc.integer({ min: -30_000, max: 30_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('void'), adjustment: nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('click') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('commission'), cents: nat(100_000) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rate'), owner, step: scopeStep, cents: nat(100_000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('compensate'), owner, step: scopeStep, cents: nat(100_000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel'), change: nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end'), owner, step: scopeStep }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fold'), batchRows: fc.integer({ min: 1, max: 20 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('create'), period: nat(3), status }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('status'), payment: nat(3), status }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('period'), payment: nat(3), period: nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('recalculate'), payment: nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('retype'), payment: nat(3), cents: nat(200_000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('accept'), payment: nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), payment: nat(3) }) },
)
