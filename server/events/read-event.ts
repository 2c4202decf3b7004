import { cleanText } from '#contract/fields.ts'
import { readMoment } from '#contract/moments.ts'
import { isPlaceholder, readNumberId, readTransactionId, unwrap } from '#contract/outside-ids.ts'
import { DATA_DEPTH_LIMIT, EVENT_DATA_LIMIT, IncomingEvent, PARAM_LIMIT } from '#contract/tracking.ts'
import { invalid, schemaError } from '../http/errors.ts'
import type { EventWarning, IgnoredField, SentEvent } from './sent-events.ts'

type Field = keyof IncomingEvent
const names = Object.keys(IncomingEvent.shape) as Field[]
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '')
const fields = new Map(names.map((name) => [plain(name), name]))

/** The fields of an event by their names, however those are written; of several the one with the right name. */
export function fieldsOf(sent: unknown): Partial<Record<Field, unknown>> {
  const [event] = [sent].flat()
  if (typeof event !== 'object' || event === null) return {}
  const found: Partial<Record<Field, unknown>> = {}
  for (const [said, value] of Object.entries(event)) {
    const name = fields.get(plain(said))
    if (name && (name === said || found[name] === undefined || found[name] === null)) found[name] = value
  }
  return found
}

const SOURCE_LIMIT = 50
const cut = (text: string, limit: number): string => [...text].slice(0, limit).join('')

const textOf = (value: unknown): string =>
  typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value)) ? cleanText(String(value)) : ''

/** A text that says something; undefined for a macro that nobody replaced. */
function readText(value: unknown): string | undefined {
  const text = unwrap(textOf(value))
  return text === '' || isPlaceholder(text) ? undefined : text
}

export function readId(value: unknown): string | undefined {
  const id = readTransactionId(textOf(value))
  return id === '' || id.length > PARAM_LIMIT ? undefined : id
}

const readNumber = (value: unknown): number | undefined => readNumberId(textOf(value))

const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((child) => isDeeperThan(child, levels - 1)))

/** Without data that nests too deep, which are left out before anything walks through them. */
export function shallow(sent: unknown): unknown {
  if (Array.isArray(sent)) return sent.map(shallow)
  const data = fieldsOf(sent).event_data
  return isDeeperThan(data, DATA_DEPTH_LIMIT) ? { ...(sent as object), event_data: null } : sent
}

function readData(value: unknown): unknown {
  if (value === null || value === '' || isDeeperThan(value, DATA_DEPTH_LIMIT)) return undefined
  const json = JSON.stringify(value)
  if (json.length > EVENT_DATA_LIMIT) return undefined
  return typeof value === 'string' || (typeof value === 'object' && !Array.isArray(value)) ? value : json
}

/** What each optional field says; undefined for one that cannot be understood, which is left out (D87). */
const readers: Record<IgnoredField, (value: unknown) => unknown> = {
  step_id: readNumber,
  event_type_id: readNumber,
  event_type: readText,
  step_order: readNumber,
  event_id: readId,
  transaction_id: readId,
  occurred_at: (value) => readMoment(typeof value === 'number' ? value : unwrap(textOf(value)))?.moment,
  source: (value) => cut(readText(value) ?? '', SOURCE_LIMIT) || undefined,
  reason_code: (value) => cut(readText(value) ?? '', PARAM_LIMIT) || undefined,
  event_data: readData,
}

export const ignored = (field: IgnoredField) => `${field.toUpperCase()}_IGNORED` as EventWarning

export interface ReadEvent {
  event: SentEvent
  warnings: EventWarning[]
}

/** An event as it came. Refused is only what names no lead or no step. */
export function readEvent(sent: unknown): ReadEvent {
  if (Array.isArray(sent) && sent.length > 1)
    throw invalid('body', 'Manda varios eventos juntos a /api/v1/events/lead-events/batch/, en events')
  const said = fieldsOf(sent)
  const { tracking_id } = said
  const event: Record<string, unknown> = tracking_id === undefined ? {} : { tracking_id: textOf(tracking_id) }
  const warnings: EventWarning[] = []
  for (const [name, read] of Object.entries(readers) as [IgnoredField, (value: unknown) => unknown][]) {
    if (said[name] === undefined) continue
    const value = read(said[name])
    if (value === undefined) warnings.push(ignored(name))
    else event[name] = value
  }
  const parsed = IncomingEvent.safeParse(event)
  if (!parsed.success) throw schemaError(parsed.error, 422)
  if (event.occurred_at !== undefined && isLocal(said.occurred_at)) warnings.push('OCCURRED_AT_WITHOUT_ZONE')
  return { event: { ...parsed.data, ...saidId(said.event_id, parsed.data.event_id) }, warnings }
}

const isLocal = (said: unknown): boolean => readMoment(unwrap(textOf(said)))?.isLocal === true

function saidId(said: unknown, id: string | undefined): { said_id?: string } {
  const text = textOf(said)
  return typeof said === 'string' && text !== id && text !== '' && text.length <= PARAM_LIMIT ? { said_id: text } : {}
}
