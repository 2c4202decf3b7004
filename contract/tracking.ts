import { z } from 'zod'
import { ADDRESS_LIMIT, endpoint } from './endpoint.ts'
import { cleanText, Id, Moment, Money } from './fields.ts'
import { LooseData } from './leads.ts'
import { TRACKING_TEXT_LIMIT, trackingIdsIn } from './outside-ids.ts'

export const CLICK_PATH = '/api/v1/leads/redirect/'

/** The tracking link of an affiliate for a product; api.md 2. */
export const redirectPath = (relationshipId: number): string => `${CLICK_PATH}${relationshipId}/`

/** What stands in a link where the affiliate's own reference of the visitor goes; a click that still carries it has none. */
export const EXTERNAL_ID_PLACEHOLDER = '{external_id}'

/** An affiliate's link with parameters of its own; the placeholder stays readable so that people see what to replace. */
export function withParams(trackingUrl: string, params: Record<string, string>): string {
  const url = new URL(trackingUrl)
  for (const [name, value] of Object.entries(params)) if (value !== '') url.searchParams.set(name, value)
  return url.href.replaceAll(encodeURIComponent(EXTERNAL_ID_PLACEHOLDER), EXTERNAL_ID_PLACEHOLDER)
}

/** A click on it might not arrive. */
export function isTooLong(link: string): boolean {
  const { pathname, search } = new URL(link)
  return pathname.length + search.length > ADDRESS_LIMIT
}

/** Kept in lead_data.params beside the named ones; everything else in the query is ignored. */
export const extraParams = [
  ...Array.from({ length: 10 }, (_, index) => `sub${index + 1}`),
  ...['gclid', 'fbclid', 'ttclid', 'msclkid', 'wbraid', 'gbraid'],
] as const

export const PARAM_LIMIT = 255

/**
 * Why a click made no lead, as counted by day, pair and product. The reports show `preview` and `bot` together
 * as 'vistas previas y bots'; the other two are an answered 410 and a 503.
 */
const uncountedReasons = ['preview', 'bot', 'inactive', 'unstored'] as const
export type UncountedReason = (typeof uncountedReasons)[number]
export const EVENT_DATA_LIMIT = 16 * 1024
export const DATA_DEPTH_LIMIT = 8

const depth = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0

const EventData = z
  .union([z.string(), z.record(z.string(), z.unknown())], 'event_data debe ser un texto o un objeto')
  .refine((data) => JSON.stringify(data).length <= EVENT_DATA_LIMIT, 'event_data no puede exceder 16 KB')
  .refine((data) => depth(data) <= DATA_DEPTH_LIMIT, 'event_data no puede tener más de 8 niveles')

/** A text with two of them names no lead; so does one that is longer than what an id stands in. */
const SentTrackingId = z
  .string('tracking_id es requerido')
  .trim()
  .min(1, 'tracking_id es requerido')
  .max(
    TRACKING_TEXT_LIMIT,
    `tracking_id no puede exceder ${TRACKING_TEXT_LIMIT} caracteres: manda solo el identificador`,
  )
  .refine(
    (text) => trackingIdsIn(text).length < 2,
    'tracking_id trae dos identificadores distintos: manda uno por evento',
  )

const shortText = (limit: number) =>
  z
    .string()
    .transform(cleanText)
    .pipe(z.string().min(1).max(limit, `No puede exceder ${limit} caracteres`))

const MOMENT_FORMAT = 'occurred_at debe ser una fecha RFC 3339 posterior a 1970'

const selectors = ['step_id', 'event_type_id', 'event_type', 'step_order'] as const

export const IncomingEvent = z
  .object({
    tracking_id: SentTrackingId,
    step_id: Id.optional(),
    event_type_id: Id.optional(),
    event_type: shortText(100).optional(),
    step_order: z.number().int().min(1).optional(),
    event_id: shortText(255).optional(),
    transaction_id: shortText(255).optional(),
    occurred_at: z.iso
      .datetime({ offset: true, error: MOMENT_FORMAT })
      .refine((moment) => Date.parse(moment) > 0, MOMENT_FORMAT)
      .optional(),
    source: shortText(50).optional(),
    /** Why a lead is rejected (contract/rulings.ts); one that the list does not have is never refused. */
    reason_code: z
      .string()
      .transform((text) => cleanText(text).trim().slice(0, PARAM_LIMIT))
      .optional(),
    event_data: EventData.optional(),
  })
  .refine((event) => selectors.filter((name) => event[name] !== undefined).length === 1, {
    error: 'Indica exactamente uno de step_id, event_type_id, event_type o step_order',
    path: ['step_id'],
  })
export type IncomingEvent = z.infer<typeof IncomingEvent>

/**
 * What the sender of an event learns; the same for the first time and for a repetition, but for `duplicate`. What was
 * only tried (`test`) is not stored and so has no ids.
 */
export const StoredEvent = z.object({
  id: Id.nullable(),
  event_id: z.string().nullable(),
  lead_id: Id.nullable(),
  tracking_id: z.string(),
  step_id: Id,
  step_name: z.string(),
  duplicate: z.boolean(),
  test: z.literal(true).optional(),
  commission: z.object({ amount: Money, currency: z.literal('MXN'), status: z.string() }).nullable(),
})
export type StoredEvent = z.infer<typeof StoredEvent>

export const LookedUpEvent = z.object({
  id: Id,
  event_id: z.string().nullable(),
  tracking_id: z.string(),
  step_id: Id,
  step_name: z.string(),
  event_type_name: z.string(),
  source: z.string(),
  event_data: LooseData.nullable(),
  occurred_at: Moment.nullable(),
  created_at: Moment,
  /** It counts no more: the file that it came from was undone. */
  is_voided: z.boolean(),
})
export type LookedUpEvent = z.infer<typeof LookedUpEvent>

export const BatchResult = z.object({
  status: z.number().int(),
  code: z.string().meta({ description: 'STORED, DUPLICATE, TEST o por qué se rechazó.' }),
  message: z.string().nullable(),
  data: StoredEvent.nullable(),
  warnings: z.array(z.string()).optional().meta({ description: 'Los de meta.warnings que son de este evento.' }),
})
export type BatchResult = z.infer<typeof BatchResult>

const BATCH_LIMIT = 500

const LOOKUP_SIZE = 'limit debe ser un número entero de 1 a 500'
const base = '/api/v1/events/lead-events/'

export const tracking = {
  /** 201 the first time, 200 with `duplicate: true` afterwards. */
  storeEvent: endpoint({
    method: 'POST',
    path: base,
    access: 'issuer-key',
    summary: 'Registrar un evento de un lead (servidor a servidor)',
    body: IncomingEvent,
    unparsed: true,
    response: StoredEvent,
    status: 201,
  }),
  storeBatch: endpoint({
    method: 'POST',
    path: `${base}batch/`,
    access: 'issuer-key',
    summary: 'Registrar hasta 500 eventos; cada uno entero o nada',
    body: z.object({ events: z.array(z.unknown()).min(1).max(BATCH_LIMIT) }),
    unparsed: true,
    response: z.object({ results: z.array(BatchResult) }),
    bodyLimit: 1024 * 1024,
  }),
  lookUp: endpoint({
    method: 'GET',
    path: base,
    access: 'issuer-key',
    summary: 'Eventos guardados, para conciliar: los de un lead o los que siguen a un cursor',
    query: z.object({
      tracking_id: z.string().max(TRACKING_TEXT_LIMIT).optional().meta({ description: 'Solo los de ese lead.' }),
      since: z
        .string()
        .regex(/^\d{1,15}$/, 'since debe ser el id del último evento que leíste')
        .transform(Number)
        .optional()
        .meta({ description: 'El id del último evento que leíste; sin él, desde el primero.' }),
      limit: z.coerce.number(LOOKUP_SIZE).int(LOOKUP_SIZE).min(1, LOOKUP_SIZE).max(500, LOOKUP_SIZE).default(100),
    }),
    response: z.object({
      results: z.array(LookedUpEvent),
      next: z.string().nullable().meta({ description: 'El since de la página que sigue; null en la última.' }),
    }),
  }),
}

/** The macro postback: parameters of the query or of a form, with the aliases that other networks use (api.md 4). */
export const postbackPath = '/api/v1/events/postback/'
export const postbackAliases = {
  tracking_id: ['tracking_id', 'click_id', 'clickid', 'cid', 'subid'],
  event: ['event', 'status', 'goal'],
  event_id: ['event_id', 'txid', 'tid', 'transaction_id'],
} as const
const Postback = z.record(z.string(), z.unknown())
export const postback = {
  get: endpoint({
    method: 'GET',
    path: postbackPath,
    access: 'postback-token',
    summary: 'Postback por parámetros: token, tracking_id, event, event_id, amount',
    query: Postback,
    unparsed: true,
    response: StoredEvent,
  }),
  post: endpoint({
    method: 'POST',
    path: postbackPath,
    access: 'postback-token',
    summary: 'Postback por formulario: token, tracking_id, event, event_id, amount',
    query: Postback,
    body: Postback.optional(),
    unparsed: true,
    response: StoredEvent,
  }),
}
