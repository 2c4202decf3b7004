import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, Moment, Money } from './fields.ts'
import { FIGURES, formerly } from './figures.ts'
import { Comparison } from './periods.ts'
import { everyone } from './roles.ts'

export const Dashboard = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  iframe_url: z.string(),
})
export type Dashboard = z.infer<typeof Dashboard>

/**
 * A figure and the one it is compared with; `change` in percent with one decimal, null when there is nothing to compare
 * and for a day that is not over. `comparison` says which days stand beside which; today is never one of them, unless
 * `until`, a time of both days, is told. `compared` is the value of those days: without today, where `value` counts it.
 */
const compared = <T extends z.ZodType>(value: T) =>
  z.object({
    value,
    compared: value,
    previous: value,
    change: z.number().nullable(),
    comparison: Comparison.nullable(),
    until: z.string().nullable(),
  })

/** The four cards of the administrator (D62). Days and months are Mexico City's. */
export const Overview = z.object({
  total_users: compared(z.number()),
  active_products: compared(z.number()),
  conversions_today: compared(z.number()),
  month_income: compared(Money),
})
export type Overview = z.infer<typeof Overview>

/** What a network needs before its first commission (D40), in the order in which it is made; true once it is there. */
export const FirstSteps = z.object({
  issuer: z.boolean(),
  product: z.boolean(),
  /** Of a product. */
  event_step: z.boolean(),
  affiliate: z.boolean(),
  relationship: z.boolean(),
  commission: z.boolean(),
  /** A test or a real one. */
  event: z.boolean(),
})
export type FirstSteps = z.infer<typeof FirstSteps>

export const AuditEntry = z.object({
  id: Id,
  created_at: Moment,
  actor_id: Id.nullable(),
  actor_name: z.string(),
  actor_role: z.string(),
  action: z.string(),
  entity: z.string(),
  entity_id: z.number().nullable(),
  /** What it was called when it happened. */
  label: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const metrics = {
  dashboards: endpoint({
    method: 'GET',
    path: `${FIGURES}dashboards/`,
    // The specified address, which stays.
    alias: { path: '/api/v1/metrics/dashboards/', deprecated: false },
    access: everyone,
    summary: 'Los tableros que la persona puede ver',
    response: z.array(Dashboard),
  }),
  overview: endpoint({
    method: 'GET',
    path: `${FIGURES}overview/`,
    alias: formerly('overview/'),
    access: ['admin'],
    summary: 'Cifras del tablero del administrador',
    response: Overview,
  }),
  firstSteps: endpoint({
    method: 'GET',
    path: `${FIGURES}first-steps/`,
    alias: formerly('first-steps/'),
    access: ['admin'],
    summary: 'Qué ya tiene la red de lo que necesita para su primera comisión',
    response: FirstSteps,
  }),
  activity: endpoint({
    method: 'GET',
    path: `${FIGURES}activity/`,
    alias: formerly('activity/'),
    access: ['admin'],
    summary: 'Lo último que pasó, de la bitácora',
    response: z.array(AuditEntry),
  }),
}
