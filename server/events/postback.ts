import formbody from '@fastify/formbody'
import type { FastifyRequest } from 'fastify'
import { IncomingEvent, PARAM_LIMIT, postback, postbackAliases, type StoredEvent } from '#contract/tracking.ts'
import type { ApiKeys } from '../companies/api-keys.ts'
import { AppError, schemaError } from '../http/errors.ts'
import { Answer, type App, serve } from '../http/http.ts'
import { parseQuery } from '../http/input.ts'
import { createLimit, type Limit } from '../http/limits.ts'
import type { Warning } from '../privacy/mask.ts'
import { findSender, unsignable } from './access.ts'
import { cleanEventData } from './data.ts'
import { type Intake, receiveEvent } from './intake.ts'
import { keepRefusals, readSummary } from './receipts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The event that the parameters of a postback describe. */
    sent: Record<string, unknown> | null
  }
}

const EXTRA_LIMIT = 20

/** Two hundred in four seconds: bursts of 200, 50 a second in the long run. */
const allowance = { name: 'postbacks', points: 200, duration: 4 }
const TOO_MANY = 'Demasiados postbacks. Espera un momento e inténtalo de nuevo.'

interface Postbacks {
  intake: Intake
  apiKeys: ApiKeys
  limit: Limit<string>
}

/** Postbacks by parameters, for networks that can only fill macros into a URL (api.md 4). */
export async function postbackRoutes(app: App, parts: Omit<Postbacks, 'limit'>): Promise<void> {
  const postbacks = { ...parts, limit: createLimit(allowance, TOO_MANY) }
  await app.register(formbody, { parser: parseQuery })
  app.decorateRequest('sender', null)
  app.decorateRequest('sent', null)
  keepRefusals(app, parts.intake, ({ sent }) => readSummary(sent))
  serve(app, postback.get, ({ query, request }) => takePostback(postbacks, request, query))
  serve(app, postback.post, ({ query, body, request }) => takePostback(postbacks, request, { ...query, ...body }))
}

type Parameters = Record<string, string>

async function takePostback(
  { intake, apiKeys, limit }: Postbacks,
  request: FastifyRequest,
  { token = '', ...parameters }: Parameters,
): Promise<Answer<StoredEvent>> {
  // A request for headers alone must not store anything.
  if (request.method === 'HEAD') throw new AppError(405, 'METHOD_NOT_ALLOWED', 'Método no permitido')
  const sender = await findSender(apiKeys, request, 'postback', token)
  await limit(token, request)
  request.sender = sender
  const { sent, masked } = readPostback(parameters)
  request.sent = sent
  if (sender.signatureRequired) throw unsignable()
  const event = IncomingEvent.safeParse(request.sent)
  if (!event.success) throw schemaError(event.error, 422)
  const { stored, warnings } = await receiveEvent(intake, sender, event.data)
  const all = [...new Set([...masked, ...warnings])]
  return new Answer(stored, { meta: all.length ? { warnings: all } : {} })
}

/** The event that the parameters describe; parameters without a meaning go into event_data. */
function readPostback(parameters: Parameters): { sent: Record<string, unknown>; masked: Warning[] } {
  const rest = new Map(Object.entries(parameters))
  const take = (names: readonly string[]): string | undefined => {
    const name = names.find((alias) => rest.has(alias))
    const value = name === undefined ? undefined : rest.get(name)
    if (name !== undefined) rest.delete(name)
    return value
  }
  const tracking_id = take(postbackAliases.tracking_id)
  const event = take(postbackAliases.event)
  const event_id = take(postbackAliases.event_id)
  const reason_code = take(['reason_code'])
  const extras = [...rest].filter(([name]) => name !== 'amount').slice(0, EXTRA_LIMIT)
  const amount = rest.get('amount')
  const data = [...(amount === undefined ? [] : [['amount', amount] as const]), ...extras]
  // Masked before it is cut, or the beginning of a number at the end would stay.
  const { data: clean, warnings: masked } = cleanEventData(Object.fromEntries(data))
  const sent = {
    tracking_id,
    ...(event !== undefined && (/^\d{1,15}$/.test(event) ? { step_id: Number(event) } : { event_type: event })),
    ...(event_id !== undefined && { event_id }),
    ...(reason_code !== undefined && { reason_code }),
    ...(data.length && {
      event_data: Object.fromEntries(Object.entries(clean).map(([name, value]) => [cut(name), cut(value)])),
    }),
    source: 'postback',
  }
  return { sent, masked }
}

const cut = (text: string): string => [...text].slice(0, PARAM_LIMIT).join('')
