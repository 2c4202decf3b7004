import type { FastifyRequest } from 'fastify'
import { cleanText } from '#contract/fields.ts'
import { isPlaceholder, readTrackingId, readTransactionId, unwrap } from '#contract/outside-ids.ts'
import { PARAM_LIMIT, postback, postbackAliases, type StoredEvent } from '#contract/tracking.ts'
import type { ApiKeys } from '../companies/api-keys.ts'
import { AppError } from '../http/errors.ts'
import { Answer, type App, serve } from '../http/http.ts'
import { queryOf, sane } from '../http/input.ts'
import { createLimit, type Limit } from '../http/limits.ts'
import { readParameters } from '../http/outside-text.ts'
import { findSender, unsignable } from './access.ts'
import { formOrJson, readBodies } from './bodies.ts'
import { cleanEventData } from './data.ts'
import { type Intake, receiveEvent } from './intake.ts'
import { readEvent } from './read-event.ts'
import { keepRefusals, readSummary } from './receipts.ts'
import type { EventWarning } from './sent-events.ts'

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
  readBodies(app, formOrJson)
  app.decorateRequest('sender', null)
  app.decorateRequest('sent', null)
  keepRefusals(app, parts.intake, ({ sent }) => readSummary(sent))
  serve(app, postback.get, ({ request }) => takePostback(postbacks, request, {}))
  serve(app, postback.post, ({ request }) => takePostback(postbacks, request, (sane(request.body) ?? {}) as object))
}

async function takePostback(
  { intake, apiKeys, limit }: Postbacks,
  request: FastifyRequest,
  body: object,
): Promise<Answer<StoredEvent>> {
  // A request for headers alone must not store anything.
  if (request.method === 'HEAD') throw new AppError(405, 'METHOD_NOT_ALLOWED', 'Método no permitido')
  const { token, ...said } = readPostback([...Object.entries(body), ...readParameters(queryOf(request))])
  const sender = await findSender(apiKeys, request, 'postback', token)
  await limit(token, request)
  request.sender = sender
  request.sent = said.sent
  if (sender.signatureRequired) throw unsignable()
  const { event, warnings: ignored } = readEvent(said.sent)
  const { stored, warnings } = await receiveEvent(intake, sender, { event, warnings: [] })
  const all = [...new Set([...said.warnings, ...ignored, ...warnings])]
  return new Answer(stored, { meta: all.length ? { warnings: all } : {} })
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, '')

/** Parameters by the names that have a meaning, in whatever spelling; the others stay, in their order. */
class Parameters {
  readonly #left: [name: string, text: string][]

  constructor(said: readonly [string, unknown][]) {
    this.#left = said.flatMap(([name, value]): [string, string][] => {
      const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : cleanText(String(value ?? ''))
      return text === '' ? [] : [[name.trim(), text]]
    })
  }

  /** The first of these names, in their order, whose text says it; with none, the first text. */
  take(names: readonly string[], read: (text: string) => unknown): string | undefined {
    const said = names.flatMap((alias) => this.#left.filter(([name]) => plain(name) === plain(alias)))
    const chosen = said.find(([, text]) => read(text)) ?? said[0]
    const gone = new Set(said.filter((one) => one === chosen || isPlaceholder(unwrap(one[1]))))
    for (const one of gone) this.#left.splice(this.#left.indexOf(one), 1)
    return chosen?.[1]
  }

  rest(): readonly [string, string][] {
    return this.#left
  }
}

interface Said {
  token: string
  sent: Record<string, unknown>
  warnings: EventWarning[]
}

const saysSomething = (text: string): boolean => unwrap(text) !== '' && !isPlaceholder(unwrap(text))

/** The event that the parameters describe; parameters without a meaning go into event_data. */
function readPostback(said: readonly [string, unknown][]): Said {
  const parameters = new Parameters(said)
  const token = unwrap(parameters.take(['token'], saysSomething) ?? '')
  const tracking_id = parameters.take(postbackAliases.tracking_id, readTrackingId)
  const event = parameters.take(postbackAliases.event, saysSomething)
  const event_id = parameters.take(postbackAliases.event_id, readTransactionId)
  const reason_code = parameters.take(['reason_code'], saysSomething)
  const amount = parameters.take(['amount'], saysSomething)
  const isAmount = amount !== undefined && saysSomething(amount)
  const data = [...(isAmount ? [['amount', amount] as const] : []), ...parameters.rest().slice(0, EXTRA_LIMIT)]
  // The first of a name counts. Masked before it is cut, or the beginning of a number at the end would stay.
  const { data: clean, warnings: masked } = cleanEventData(Object.fromEntries(data.toReversed()))
  const sent = {
    ...(tracking_id !== undefined && { tracking_id }),
    ...(event !== undefined && (/^\d{1,15}$/.test(unwrap(event)) ? { step_id: event } : { event_type: event })),
    ...(event_id !== undefined && { event_id }),
    ...(reason_code !== undefined && { reason_code }),
    ...(data.length && {
      event_data: Object.fromEntries(Object.entries(clean).map(([name, value]) => [cut(name), cut(value)])),
    }),
    source: 'postback',
  }
  return {
    token,
    sent,
    warnings: [...(amount === undefined || isAmount ? [] : ['AMOUNT_IGNORED' as const]), ...masked],
  }
}

const cut = (text: string): string => [...text].slice(0, PARAM_LIMIT).join('')
