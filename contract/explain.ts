import { z } from 'zod'
import { Standing } from './commission-entries.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Moment, Money } from './fields.ts'
import { everyone } from './roles.ts'

/** One thing that an amount comes from, as it was recorded. */
export const ExplainNode = z.object({
  kind: z.enum(['rate', 'click', 'event', 'approval', 'hold', 'release', 'rejection', 'restore', 'entry', 'payment']),
  at: Moment,
  title: z.string(),
  /** What it added or took, where it moved money. */
  amount: Money.nullable(),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  /** The lead or the payment that it is about. */
  link: z.object({ kind: z.enum(['lead', 'payment']), id: Id }).nullable(),
})
export type ExplainNode = z.infer<typeof ExplainNode>

export const Explanation = z.object({
  subject: z.object({ kind: z.literal('entry'), id: Id, amount: Money, standing: Standing }),
  sentence: z.string(),
  /** In the order in which it happened. */
  nodes: z.array(ExplainNode),
  /** What cannot be told. */
  gaps: z.array(z.string()),
})
export type Explanation = z.infer<typeof Explanation>

export const explain = {
  entry: endpoint({
    method: 'GET',
    path: '/api/v1/explain/entry/:id/',
    access: everyone,
    summary: 'De dónde sale el monto de una comisión: su tarifa, el clic, el evento, los rechazos y los pagos',
    params: IdParams,
    response: Explanation,
  }),
}
