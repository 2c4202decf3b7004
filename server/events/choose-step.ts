import type { IncomingEvent } from '#contract/tracking.ts'
import { AppError } from '../http/errors.ts'

export interface Step {
  id: number
  name: string
  step_order: number
  event_type_id: number
  event_type_name: string
  is_payout_event: boolean
  live: boolean
}

export type Selector = Pick<IncomingEvent, 'step_id' | 'event_type_id' | 'event_type' | 'step_order'>

/** The steps of a product that a sender's words fit; archived ones among them, for the sake of repetitions. */
export function stepsMatching(steps: Step[], selector: Selector): Step[] {
  const name = selector.event_type?.trim().toLowerCase()
  return steps.filter(
    (step) =>
      step.id === selector.step_id ||
      step.event_type_id === selector.event_type_id ||
      step.event_type_name === name ||
      step.step_order === selector.step_order,
  )
}

/** The one step that is meant, or what to tell the sender. */
export function chooseStep(matching: Step[]): Step | AppError {
  const [step, ...others] = matching.filter(({ live }) => live)
  if (!step) return new AppError(422, 'UNKNOWN_EVENT', 'El producto del lead no tiene ese paso')
  if (others.length)
    return new AppError(422, 'AMBIGUOUS_EVENT', 'El producto tiene varios pasos de ese tipo: indica step_id')
  return step
}
