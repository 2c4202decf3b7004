import { z } from 'zod'

/** Whether a commission can be paid once its days of validation are over, or only after somebody approved it as well. */
export const Validation = z.enum(['automatic', 'explicit'])
export type Validation = z.infer<typeof Validation>
export const validationLabels: Record<Validation, string> = { automatic: 'Automática', explicit: 'Con aprobación' }
