import { sql } from 'kysely'
import { LeadState, leadOrderings } from '#contract/leads.ts'
import { addDays, dateInMexico, firstOfMonth } from '#contract/time.ts'
import type { Reader, Stage } from './stage.ts'

export interface Case {
  group: string
  /** Limit of its p95 at the large size, in ms. */
  limit: number
  reader: Reader
  path: string
}

const PAGE = 50
/** With one or two texts, or a state. */
const SEARCH = 200
const BOARD = 200
const everybody: Reader[] = ['admin', 'issuer', 'affiliate']

interface Largest {
  issuer_id: number
  affiliate_id: number
  product_id: number
  relationship_id: number
  payment_id: number
  /** From a lead in the middle. */
  tracking_id: string
}

/** The most frequent values, for the heaviest queries. */
async function findLargest({ db }: Stage): Promise<Largest> {
  const { rows } = await sql<Largest>`select
    (select issuer_id from total where affiliate_id = 0 and issuer_id <> 0 group by 1 order by sum(leads) desc limit 1) as issuer_id,
    (select affiliate_id from total where issuer_id = 0 and affiliate_id <> 0 group by 1 order by sum(leads) desc limit 1) as affiliate_id,
    (select product_id from total where affiliate_id = 0 and product_id <> 0 group by 1 order by sum(leads) desc limit 1) as product_id,
    (select relationship_id from commission_entry group by 1 order by count(*) desc limit 1) as relationship_id,
    (select payment_id from commission_entry where payment_id is not null group by 1 order by count(*) desc limit 1)
      as payment_id,
    (select tracking_id from lead where id >= (select max(id) / 2 from lead) order by id limit 1) as tracking_id`.execute(
    db,
  )
  return rows[0] as Largest
}

const leadsPath = (query: Record<string, string | number>) =>
  `/api/v1/leads/?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`

export async function listCases(stage: Stage): Promise<Case[]> {
  const largest = await findLargest(stage)
  const cases: Case[] = []
  for (const reader of everybody) cases.push(...(await leadCases(stage, reader, largest)))
  return [...cases, ...boardCases(largest), ...otherCases(largest)]
}

async function leadCases(stage: Stage, reader: Reader, largest: Largest): Promise<Case[]> {
  const first = (await stage.read(reader, leadsPath({}))) as { pagination: { total_pages: number } }
  const pages = { 'page 1': 1, 'page 50': 50, 'last page': Math.max(first.pagination.total_pages, 1) }
  const of = (group: string, query: Record<string, string | number>): Case => {
    const hasText = Object.keys(query).some((name) => /^(utm_|external_id|tracking_id)/.test(name))
    const name = `leads, ${group}${hasText ? ' with text' : ''}`
    return { group: name, limit: hasText || 'state' in query ? SEARCH : PAGE, reader, path: leadsPath(query) }
  }
  const filters = filtersOf(reader, largest)
  const lastPages: Case[] = []
  for (const filter of filters) {
    const { pagination } = (await stage.read(reader, leadsPath(filter))) as typeof first
    lastPages.push(of('one filter, last page', { ...filter, page: Math.max(pagination.total_pages, 1) }))
  }
  const today = dateInMexico()
  const days = { from: addDays(today, -40), to: addDays(today, -10) }
  const rare = { external_id: '-1a2b', utm_campaign: 'zzz', utm_source: 'zzz', tracking_id: '00000000' }
  return [
    ...Object.entries(pages).map(([name, page]) => of(name, { page })),
    ...leadOrderings.flatMap((ordering) =>
      // Clicks come meanwhile, and other orders show only what lies near their ends.
      Object.entries(pages)
        .filter(([name]) => name !== 'last page' || /created_at|tracking_id/.test(ordering))
        .map(([name, page]) => of(`every order, ${name}`, { ordering, page })),
    ),
    ...filters.map((filter) => of('one filter', filter)),
    ...filters.map((filter) => of('one filter and days', { ...filter, ...days })),
    ...filters.map((filter) => of('one filter, page 50', { ...filter, page: 50 })),
    ...lastPages,
    ...Object.entries(rare).map((filter) => of('one filter, rare or absent text', Object.fromEntries([filter]))),
    ...LeadState.options.flatMap((state) => [
      of('a state', { state }),
      of('a state, page 50', { state, page: 50 }),
      of('a state and days', { state, ...days }),
      of('a state by external id', { state, ordering: 'external_id' }),
      ...filters.map((filter) => of('a state and one filter', { state, ...filter })),
    ]),
    ...filters.flatMap((one, index) => filters.slice(index + 1).map((two) => of('two filters', { ...one, ...two }))),
  ]
}

function filtersOf(reader: Reader, largest: Largest): Record<string, string | number>[] {
  const { issuer_id, affiliate_id, product_id, tracking_id } = largest
  const texts = {
    utm_source: 'google',
    utm_medium: 'social',
    utm_campaign: 'tarjeta',
    utm_term: 'credito',
    utm_content: 'bio',
    external_id: 'post-2',
    tracking_id: tracking_id.slice(0, 8),
  }
  return [
    ...(reader === 'issuer' ? [] : [{ issuer_id }]),
    ...(reader === 'affiliate' ? [] : [{ affiliate_id }]),
    { product_id },
    ...Object.entries(texts).map((text) => Object.fromEntries([text])),
  ]
}

function boardCases({ product_id }: Largest): Case[] {
  const today = dateInMexico()
  const boards = ['performance/', 'commissions/', `funnel/${product_id}/`, 'network/']
  return [30, 90, 365].flatMap((days) =>
    boards.flatMap((board) =>
      everybody
        .filter((reader) => (board === 'network/' || board.startsWith('funnel/') ? reader === 'admin' : true))
        .map((reader) => ({
          group: `board ${board.replace(/\d+\/$/, '')} ${days} days`.replace('/', ''),
          limit: BOARD,
          reader,
          path: `/api/v1/figures/reports/${board}?from=${addDays(today, 1 - days)}&to=${today}`,
        })),
    ),
  )
}

function otherCases({ relationship_id, payment_id }: Largest): Case[] {
  const end = addDays(firstOfMonth(dateInMexico()), -1)
  const preview = (group: string, start: string, limit: number): Case => ({
    group,
    limit,
    reader: 'admin',
    path: `/api/v1/payments/preview/?relationship=${relationship_id}&period_start=${start}&period_end=${end}`,
  })
  const of = (group: string, path: string, limit: number, reader: Reader = 'admin'): Case => ({
    ...{ group, path, limit, reader },
  })
  return [
    preview('payment preview, a month', firstOfMonth(end), PAGE),
    preview('payment preview, two years', addDays(end, -729), BOARD),
    of('commissions of a payment', `/api/v1/payments/${payment_id}/entries/`, PAGE),
    ...everybody.map((reader) => of('payments, a page', '/api/v1/payments/?page=1&page_size=50', PAGE, reader)),
    of('overview', '/api/v1/figures/overview/', BOARD),
    of('activity', '/api/v1/figures/activity/', PAGE),
  ]
}
