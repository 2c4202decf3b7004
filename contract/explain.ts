import { z } from 'zod'
import { Standing } from './commission-entries.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Moment, Money, Text } from './fields.ts'
import { everyone } from './roles.ts'

/** One thing that an amount comes from, as it was recorded. */
export const ExplainNode = z.object({
  kind: z.enum([
    ...(['rate', 'click', 'event', 'import', 'approval', 'hold', 'release', 'rejection', 'restore', 'void'] as const),
    ...(['entry', 'payment'] as const),
  ]),
  at: Moment,
  title: z.string(),
  /** What it added or took, where it moved money. */
  amount: Money.nullable(),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  /** The lead or the payment that it is about. */
  link: z.object({ kind: z.enum(['lead', 'payment']), id: Id }).nullable(),
})
export type ExplainNode = z.infer<typeof ExplainNode>

/** One of the amounts that add up to the subject's. */
export const ExplainPart = z.object({
  /** The commission that it is; null for what is none. */
  entry: Id.nullable(),
  title: z.string(),
  amount: Money,
  standing: Standing.nullable(),
})
export type ExplainPart = z.infer<typeof ExplainPart>

export const ExplainKind = z.enum(['entry', 'lead', 'payment'])
export type ExplainKind = z.infer<typeof ExplainKind>

export const Explanation = z.object({
  /** Only a commission has a standing. */
  subject: z.object({ kind: ExplainKind, id: Id, amount: Money, standing: Standing.nullable() }),
  sentence: z.string(),
  /** None for a commission, which is one amount. */
  parts: z.array(ExplainPart),
  /** In the order in which it happened. */
  nodes: z.array(ExplainNode),
  /** What cannot be told. */
  gaps: z.array(z.string()),
})
export type Explanation = z.infer<typeof Explanation>

/** What an id or a tracking id may mean, of what the viewer may see. */
export const Explainable = z.object({ kind: ExplainKind, id: Id, title: z.string(), amount: Money.nullable() })
export type Explainable = z.infer<typeof Explainable>

export const explain = {
  search: endpoint({
    method: 'GET',
    path: '/api/v1/explain/',
    access: everyone,
    summary: 'Qué se puede explicar con un tracking ID, o con el número de un lead, una comisión o un pago',
    query: z.object({ q: Text.pipe(z.string().max(100)).default('') }),
    response: z.array(Explainable),
  }),
  entry: endpoint({
    method: 'GET',
    path: '/api/v1/explain/entry/:id/',
    access: everyone,
    summary: 'De dónde sale el monto de una comisión: su tarifa, el clic, el evento, los rechazos y los pagos',
    params: IdParams,
    response: Explanation,
  }),
  lead: endpoint({
    method: 'GET',
    path: '/api/v1/explain/lead/:id/',
    access: everyone,
    summary: 'De dónde sale lo que ha ganado un lead: sus comisiones, que suman su monto, y lo que les pasó',
    params: IdParams,
    response: Explanation,
  }),
  payment: endpoint({
    method: 'GET',
    path: '/api/v1/explain/payment/:id/',
    access: everyone,
    summary: 'De dónde sale el total de un pago: sus comisiones y su ajuste, que lo suman',
    params: IdParams,
    response: Explanation,
  }),
}
