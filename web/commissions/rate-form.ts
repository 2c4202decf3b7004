import { z } from 'zod'
import { type EventStep, REJECTED } from '#contract/event-steps.ts'
import { GivenDate, payoutText } from '#contract/fields.ts'
import { type Compensation, PAST_RATE, type RateAsked, type RateCreate, Since } from '#contract/rates.ts'
import { Reason } from '#contract/rulings.ts'
import { dateInMexico, startOfDay } from '#contract/time.ts'
import type { RateScope } from './rate-scope.ts'

export interface RateValues {
  product_id: number | null
  /** Empty for all steps. */
  event_step_id: string
  amount: string
  /** Empty from now on. */
  valid_from: string
  /** From which day on what was earned is compensated; empty: it is not. */
  since: string
  note: string
}

const Day = GivenDate.refine((day) => day > dateInMexico(), PAST_RATE)

/** A change begins with a day, or at once; the one amount of a commission changes at once in its own dialog. */
const askedForm = (scope: RateScope | undefined) =>
  z
    .object({
      product_id: scope ? z.number().nullable() : z.number('Selecciona un producto'),
      event_step_id: z.string(),
      amount: payoutText('Ingresa el monto'),
      valid_from: z.string(),
      since: z.string(),
      note: z.string(),
    })
    .superRefine(({ event_step_id, valid_from, since }, context) => {
      if (since !== '') addIssues(context, 'since', Since.safeParse(since))
      const ofAll = event_step_id === '' && (scope?.step ?? null) === null
      if (valid_from === '' && !(scope?.commission && ofAll)) return
      addIssues(context, 'valid_from', Day.safeParse(valid_from))
    })

/** What it would mean can be asked before it says why. */
export const rateForm = (scope: RateScope | undefined) =>
  askedForm(scope).superRefine(({ since, note }, context) => {
    if (since !== '') addIssues(context, 'note', Reason.safeParse(note))
  })

function addIssues(context: z.RefinementCtx, field: string, { error }: z.ZodSafeParseResult<unknown>): void {
  for (const { message } of error?.issues ?? []) context.addIssue({ code: 'custom', path: [field], message })
}

/** Nothing while a field that matters for it is wrong. */
export function rateAsked(scope: RateScope | undefined, values: RateValues): RateAsked | undefined {
  const { data } = askedForm(scope).safeParse(values)
  if (!data) return undefined
  return { ...changeOf(scope, data), ...(data.since !== '' && { compensation: { since: data.since } }) }
}

/** With what was shown of the compensation. */
export function rateCall(scope: RateScope | undefined, values: RateValues, shown: Compensation | null): RateCreate {
  const { since, note } = values
  const compensation = since !== '' && shown && { since, note, entries: shown.entries, amount: shown.amount }
  return { ...changeOf(scope, values), ...(compensation && { compensation }) }
}

function changeOf(scope: RateScope | undefined, { product_id, event_step_id, ...values }: RateValues) {
  const step = scope?.step ?? (event_step_id === '' ? null : Number(event_step_id))
  return {
    ...(scope?.commission ? { commission_id: scope.commission } : { product_id: scope?.product ?? product_id ?? 0 }),
    event_step_id: step,
    amount: values.amount,
    ...(values.valid_from !== '' && { valid_from: new Date(startOfDay(values.valid_from)).toISOString() }),
  }
}

/** The steps of a product that may have an amount of their own. */
export const payingSteps = (steps: readonly EventStep[] | undefined, product: number | null) =>
  (steps ?? []).filter(
    (step) => step.product_id === product && step.is_payout_event && step.event_type_name !== REJECTED,
  )
