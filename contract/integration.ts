import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, Moment } from './fields.ts'
import { readTrackingId } from './outside-ids.ts'
import { BatchResult } from './tracking.ts'

/** No lead can have it: those of clicks are of version 7, this is of version 8. The product stands at its end. */
const TEST_PREFIX = '00000000-0000-8000-8000-'

/**
 * The tracking id of a product's test lead. An event that names it is judged as any other, up to the commission that it
 * would earn, and nothing of it is kept.
 */
export const testTrackingId = (productId: number): string => TEST_PREFIX + productId.toString(16).padStart(12, '0')

/** The product whose test lead is meant, if a test lead is. */
export function testProductOf(trackingId: string): number | undefined {
  const canonical = readTrackingId(trackingId)
  return canonical?.startsWith(TEST_PREFIX) ? Number.parseInt(canonical.slice(TEST_PREFIX.length), 16) : undefined
}

/** Where the events of an issuer go, by the name the world knows us by. */
export const IntegrationAddresses = z.object({ events_url: z.string(), postback_url: z.string() })
export type IntegrationAddresses = z.infer<typeof IntegrationAddresses>

export const verdictLabels = { accepted: 'Aceptado', duplicate: 'Duplicado', rejected: 'Rechazado' } as const
const Verdict = z.enum(['accepted', 'duplicate', 'rejected'])
export type Verdict = z.infer<typeof Verdict>

export const RECEIVED_LIMIT = 100

/** One postback as it came; what names no lead of the issuer has neither a lead nor external id nor product. */
export const ReceivedPostback = z.object({
  key: z.string(),
  created_at: Moment,
  verdict: Verdict,
  /** STORED, DUPLICATE, TEST or the code of the refusal. */
  code: z.string(),
  message: z.string().nullable(),
  /** What is odd about a stored approval (D88): the codes of meta.warnings. */
  warnings: z.array(z.string()),
  test: z.boolean(),
  tracking_id: z.string().nullable(),
  lead: Id.nullable(),
  external_id: z.string().nullable(),
  event_id: z.string().nullable(),
  product_name: z.string().nullable(),
  /** The step's name, or what the sender asked for where there was no such step. */
  step: z.string().nullable(),
  source: z.string(),
  /** The sender's network: /24 or /48. */
  sent_from: z.string().nullable(),
})
export type ReceivedPostback = z.infer<typeof ReceivedPostback>

const base = '/api/v1/integration/'

export const integration = {
  addresses: endpoint({
    method: 'GET',
    path: base,
    access: ['issuer'],
    summary: 'Direcciones a las que los sistemas del emisor reportan sus eventos',
    response: IntegrationAddresses,
  }),
  received: endpoint({
    method: 'GET',
    path: `${base}postbacks/`,
    access: ['issuer'],
    summary: 'Los últimos cien postbacks recibidos del emisor con su resultado, lo más reciente primero',
    response: z.array(ReceivedPostback),
  }),
  tryEvent: endpoint({
    method: 'POST',
    path: `${base}test-event/`,
    access: ['issuer'],
    summary: 'Probar un evento: la respuesta que recibiría quien lo envíe, sin guardar nada',
    body: z.object({ event: z.record(z.string(), z.unknown(), 'event debe ser un objeto') }),
    response: BatchResult,
  }),
}
