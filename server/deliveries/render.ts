import { fillMacros, type MacroValues } from '#contract/macros.ts'
import { signingBytes } from '../companies/key-text.ts'
import { signatureOf } from '../events/signature.ts'
import type { Call } from './dial.ts'
import type { Facts, Wishes } from './facts.ts'

/** Names of parameters whose values are nobody's business in a log. */
const SECRET_PARAMETER = /token|secret|key|pass|pwd|sign|auth|hash/i
const MASKED = '***'

/** Of the delivery. */
interface Ids {
  id: string
  seq: number
}

/** Words of the receiver where it has some, else ours. */
function statusOf({ type, event_type }: Facts, { status_map }: Wishes): string {
  const name = type === 'lead.event' && event_type ? event_type : type
  return status_map[name] ?? (type === 'lead.event' ? name : (type.split('.')[1] ?? type))
}

const reasonFor = ({ reason, reason_group }: Facts, { reader }: Wishes) =>
  reader === 'affiliate' ? reason_group : reason

/** Sub ids and click ids are between the affiliate and the network (security 2.5). */
const paramsFor = ({ params }: Facts, { reader }: Wishes): Record<string, unknown> =>
  reader === 'issuer' || typeof params !== 'object' || params === null ? {} : params

const texts = (values: Record<string, unknown>): MacroValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value == null ? '' : String(value)]))

const utmOf = ({ utm_source, utm_medium, utm_campaign, utm_term, utm_content }: Facts) => ({
  ...{ utm_source, utm_medium, utm_campaign, utm_term, utm_content },
})

function macroValues(what: Facts, wishes: Wishes, { id, seq }: Ids): MacroValues {
  return texts({
    ...paramsFor(what, wishes),
    ...utmOf(what),
    external_id: what.external_id,
    tracking_id: what.tracking_id,
    event: what.step_name ?? what.type,
    event_type: what.event_type ?? what.type,
    status: statusOf(what, wishes),
    event_id: id, // of the delivery, as `webhook-id`; not the event_id that the issuer sent
    step_id: what.step_id,
    payout: what.amount ?? what.payment_amount ?? '0.00',
    currency: 'MXN',
    commission_status: what.entry_state,
    reason: reasonFor(what, wishes),
    product_id: what.product_id,
    relationship_id: what.relationship_id,
    timestamp: Math.floor(Date.parse(what.at) / 1000),
    seq,
  })
}

/** The body of a POST: what happened, in the state of now. */
function payloadOf(what: Facts, wishes: Wishes, { seq }: Ids): string {
  const { reader } = wishes
  const isOfLead = what.tracking_id !== null
  const data = {
    seq,
    ...(reader !== 'affiliate' && { affiliate_id: what.affiliate_id }),
    ...(reader !== 'issuer' && { issuer_id: what.issuer_id }),
    ...(isOfLead && {
      tracking_id: what.tracking_id,
      external_id: what.external_id,
      relationship_id: what.relationship_id,
      product_id: what.product_id,
      ...utmOf(what),
      ...(reader !== 'issuer' && { params: paramsFor(what, wishes) }),
    }),
    status: statusOf(what, wishes),
    ...(what.step_id !== null && { step_id: what.step_id, step_name: what.step_name, event_type: what.event_type }),
    ...(what.reason !== null && { reason: reasonFor(what, wishes) }),
    ...(isOfLead && {
      commission: what.amount === null ? null : { amount: what.amount, currency: 'MXN', status: what.entry_state },
    }),
    ...(what.payment_id !== null && {
      payment: { id: what.payment_id, amount: what.payment_amount, currency: 'MXN', status: what.payment_status },
    }),
  }
  return JSON.stringify({ type: what.type, timestamp: what.at, data })
}

/** As it goes over the wire: what is signed and logged is what the receiver gets. */
function addressOf(url: string, values: MacroValues): string {
  const filled = fillMacros(url, values)
  const parsed = URL.parse(filled)
  if (!parsed) return filled
  parsed.hash = ''
  return parsed.href
}

/** What would be sent, without its signature. */
export const draw = (what: Facts, wishes: Wishes, ids: Ids): { url: string; body: string | null } => ({
  url: addressOf(wishes.url, macroValues(what, wishes, ids)),
  body: wishes.method === 'POST' ? payloadOf(what, wishes, ids) : null,
})

/** A test tells of nothing that happened. */
export const drawTest = (at: string, wishes: Wishes, ids: Ids): { url: string; body: string | null } => ({
  url: addressOf(
    wishes.url,
    texts({
      event: 'test',
      event_type: 'test',
      status: 'test',
      payout: '0.00',
      currency: 'MXN',
      event_id: ids.id,
      seq: ids.seq,
      timestamp: Math.floor(Date.parse(at) / 1000),
    }),
  ),
  body: wishes.method === 'POST' ? JSON.stringify({ type: 'test.ping', timestamp: at, data: { seq: ids.seq } }) : null,
})

/**
 * Signed as in Standard Webhooks, with every secret that is valid. A GET has no body to sign, so its address is signed
 * the same way in a header of its own.
 */
export function signed(
  drawn: { url: string; body: string | null },
  { id, method }: { id: string; method: Call['method'] },
  secrets: readonly string[],
  now: number,
): Call {
  const timestamp = String(Math.floor(now / 1000))
  const sign = (text: string) =>
    secrets.map((secret) => signatureOf(signingBytes(secret), id, timestamp, Buffer.from(text))).join(' ')
  return {
    ...drawn,
    method,
    headers: {
      'user-agent': 'Afluente',
      accept: '*/*',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': sign(drawn.body ?? ''),
      ...(drawn.body === null ? { 'webhook-url-signature': sign(drawn.url) } : { 'content-type': 'application/json' }),
    },
  }
}

/** Without what may be a token of the receiver's owner, which stands in the path of some. */
export function maskPath(url: string): string {
  const parsed = URL.parse(url)
  return parsed ? `${parsed.origin}/${MASKED}` : ''
}

/** Of an address that was called, only what the macros of the address as it was written filled. */
export function maskFixed(url: string, written: string): string {
  const called = URL.parse(url)
  const template = URL.parse(written)
  if (!called) return ''
  const fixed = template?.pathname.split('/') ?? []
  const isFilled = (part: string, place: number) => part === '' || fixed[place]?.includes('%7B')
  called.pathname = called.pathname
    .split('/')
    .map((part, place) => (isFilled(part, place) ? part : MASKED))
    .join('/')
  for (const name of [...called.searchParams.keys()])
    if (!template?.searchParams.get(name)?.includes('{')) called.searchParams.set(name, MASKED)
  return called.href
}

/** For the log. */
export function maskUrl(url: string): string {
  const [start = '', query] = url.split(/\?(.*)/s, 2)
  if (query === undefined) return url
  const parts = query.split('&').map((part) => {
    const [name = '', ...value] = part.split('=')
    return value.length && SECRET_PARAMETER.test(name) ? `${name}=${MASKED}` : part
  })
  return `${start}?${parts.join('&')}`
}
