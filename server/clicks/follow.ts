import { randomUUIDv7 } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { readNumberId } from '#contract/outside-ids.ts'
import { AppError, badRequest, unavailable } from '../http/errors.ts'
import type { Measures } from '../monitoring/measures.ts'
import type { LeadRecord } from '../spool/lead-rows.ts'
import type { DoubleTaps } from './double-taps.ts'
import type { LinkFaults } from './link-faults.ts'
import { locationOf } from './location.ts'
import { type ClickParams, readClickParams } from './params.ts'
import type { PreviewCounts } from './preview-counts.ts'
import type { Target, Targets } from './targets.ts'
import { hostOf, truncateAddress, type Visitor, visitorOf } from './visitor.ts'

export interface Parts {
  targets: Targets
  taps: DoubleTaps
  counts: PreviewCounts
  faults: LinkFaults
  measures: Measures
  /** The one place where a click becomes durable. */
  storeLead: (lead: LeadRecord) => Promise<void>
}

/** A request for a link, answered directly or by the framework. */
interface Visit {
  ip: string
  headers: IncomingHttpHeaders
  /** As written in the address. */
  linkId: string
  query: string
}

const COSTS_REFERENCE = new Set(['external_id:truncated', 'external_id:masked'])

/** Where a click leads; resolves once its lead is durable. */
export async function follow(parts: Parts, visit: Visit): Promise<string> {
  // A browser that fetched ahead drops a 503 and asks again when the person really clicks.
  if (isPrefetch(visit)) throw unavailable()
  const params = readClickParams(visit.query)
  const found = findLiveTarget(parts, visit.linkId, params)
  const target = found instanceof Promise ? await found : found
  const visitor = visitorOf(visit.headers['user-agent'] ?? '')
  if (visitor.kind === 'person') {
    const tap = { ip: visit.ip, headers: visit.headers, target, params }
    if (params.unreplaced) parts.faults.add(target, 'unreplaced', params.unreplaced)
    else if (params.notes.some((note) => COSTS_REFERENCE.has(note))) parts.faults.add(target, 'changed')
    return locationOf(target, await takeLead(parts, tap, visitor))
  }
  parts.counts.add(target, visitor.kind)
  parts.measures.clicks(visitor.kind, 1)
  // A fresh id, never stored: issuers would report events of a fixed one as if it were a lead.
  return locationOf(target, randomUUIDv7())
}

/** Under all names that browsers have given it, as matomo-org/matomo#24293 lists them. */
export function isPrefetch({ headers }: Pick<Visit, 'headers'>): boolean {
  const { 'sec-purpose': purpose, purpose: older, 'x-moz': oldest, 'x-purpose': preview } = headers
  return (
    Boolean(purpose || older || oldest || preview) &&
    /\b(?:prefetch|prerender|preview|instant)\b/i.test(`${purpose} ${older} ${oldest} ${preview}`)
  )
}

/** No promise when the link is cached. Throws or rejects with the reason why it is not live. */
export function findLiveTarget(parts: Parts, linkId: string, { product_id }: ClickParams): Target | Promise<Target> {
  const found = parts.targets.find(readId(linkId), readId(product_id))
  return found instanceof Promise ? found.then((target) => expectLive(parts, target)) : expectLive(parts, found)
}

function expectLive({ counts }: Parts, target: Target | undefined): Target {
  if (!target) throw unknownLink()
  if (target.live) return target
  counts.add(target, 'inactive')
  throw new AppError(410, 'LINK_INACTIVE', 'Este enlace ya no está activo')
}

const unknownLink = () => new AppError(404, 'NOT_FOUND', 'Este enlace no existe')

/** Plain digits cost nothing; whatever else stands there is read with care (D84). */
function readId(text: string): number {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : (readNumberId(text) ?? Number.NaN)
  if (id >= 1) return id
  throw /^\D*-?\d+\D*$/.test(text) ? unknownLink() : badRequest('El enlace está incompleto')
}

/** A click that made no lead, since its link names nothing that exists; of an existing relationship it is told to its affiliate. */
export function noteLost({ faults }: Parts, { headers, linkId, query }: Visit): void {
  const relationship_id = readNumberId(linkId)
  if (relationship_id === undefined || isPrefetch({ headers })) return
  if (visitorOf(headers['user-agent'] ?? '').kind !== 'person') return
  faults.add({ relationship_id, product_id: null }, 'lost', readClickParams(query).product_id)
}

/** A person's visit of a live link. */
interface Tap {
  ip: string
  headers: IncomingHttpHeaders
  target: Target
  params: ClickParams
}

function takeLead({ taps, counts, storeLead }: Parts, tap: Tap, visitor: Visitor): Promise<string> {
  return taps.once(textOf(tap), () => {
    const lead = leadOf(tap, visitor)
    return storeLead(lead).then(
      () => lead.tracking_id,
      (error) => {
        counts.add(tap.target, 'unstored')
        throw error
      },
    )
  })
}

/** Identifies the tap (D88): behind one carrier's address, with one agent for all telephones, two people differ in little. Neither a cleaned parameter nor a header contains the line break between its parts. */
const textOf = ({ ip, headers, target, params }: Tap): string =>
  `${target.relationship_id} ${target.product_id} ${ip}
${params.external_id}
${params.utm_source}
${params.utm_medium}
${params.utm_campaign}
${params.utm_term}
${params.utm_content}
${headers['user-agent']}
${headers['accept-language']}
${headers['sec-ch-ua']}${headers['sec-ch-ua-mobile']}${headers['sec-ch-ua-platform']}${headers['sec-ch-ua-model']}
${headers.referer}`

/** Field by field: an object made by rest or spread costs several times as much, here and in JSON.stringify. */
function leadOf({ ip, headers, target, params }: Tap, visitor: Visitor): LeadRecord {
  const referer = hostOf(headers.referer)
  return {
    tracking_id: randomUUIDv7(),
    relationship_id: target.relationship_id,
    affiliate_id: target.affiliate_id,
    issuer_id: target.issuer_id,
    product_id: target.product_id,
    external_id: params.external_id,
    utm_source: params.utm_source,
    utm_medium: params.utm_medium,
    utm_campaign: params.utm_campaign,
    utm_term: params.utm_term,
    utm_content: params.utm_content,
    lead_data: {
      params: params.params,
      ip_trunc: truncateAddress(ip),
      ua_family: visitor.family,
      referer_host: referer || undefined,
      flags: flagsOf(visitor, headers['sec-fetch-dest']),
      notes: params.notes.length ? params.notes : undefined,
    },
  }
}

/** A page cannot change what the browser says it loads: an image, frame or script is nobody's click. Older ones say nothing. */
function flagsOf({ flags }: Visitor, loads: string | string[] | undefined): string[] | undefined {
  if (loads === undefined || loads === 'document') return flags.length ? flags : undefined
  return [...flags, 'not_a_navigation']
}
