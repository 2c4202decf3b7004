import { sql } from 'kysely'
import { eventTypeNames } from '#contract/event-steps.ts'
import { firstOfMonth } from '#contract/time.ts'
import type { Tx } from '#db/connect.ts'
import { ApiKeys } from '#server/companies/api-keys.ts'
import { at, iso } from '#server/demo/calendar.ts'
import { habits } from '#server/demo/campaigns.ts'
import type { AffiliateKey, IssuerKey } from '#server/demo/companies.ts'
import { fill } from '#server/demo/fill.ts'
import { flows } from '#server/demo/flows.ts'
import type { Link, PlacedStep } from '#server/demo/network.ts'
import { products as models, type ProductKey } from '#server/demo/products.ts'
import { Random } from '#server/demo/random.ts'
import { companyOf } from './companies.ts'

const ISSUERS = 16
const AFFILIATES = 160
/** The exponents of Zipf's law that the traffic of real networks follows: few bring most of it. */
const SKEW = { issuer: 0.9, affiliate: 1.05 }
const DAY = 86_400_000

interface Party {
  id: number
  name: string
  weight: number
}
interface Offer {
  id: number
  issuer: Party
  model: (typeof models)[number]
  steps: PlacedStep[]
  weight: number
}
interface Pair {
  id: number
  affiliate: Party
  issuer: Party
  archetype: AffiliateKey
  from: number
  until: number
}

const archetypes = Object.keys(habits) as AffiliateKey[]
const issuerArchetypes = [...new Set(models.map(({ issuer }) => issuer))] as IssuerKey[]

interface Making {
  tx: Tx
  random: Random
  secret: string
  /** First days of the months, oldest first; the network is older than its first lead. */
  months: readonly string[]
}

/**
 * A network beside the existing one, whose companies become the largest, so that existing accounts see much of it. Only
 * pairs without a relationship are used, so nothing existing changes.
 */
export async function insertCatalog(tx: Tx, days: readonly string[], secret: string, seed: number): Promise<Link[]> {
  const months = [...new Set(days.map(firstOfMonth))]
  const making = { tx, random: new Random(seed), secret, months }
  const issuers = await insertParties(making, 'issuer', ISSUERS)
  const affiliates = await insertParties(making, 'affiliate', AFFILIATES)
  const offers = await insertOffers(making, issuers)
  const pairs = await insertPairs(making, issuers, affiliates)
  return insertCommissions(making, pairs, offers)
}

async function insertParties({ tx, months, secret }: Making, kind: 'issuer' | 'affiliate', count: number) {
  const there = await tx
    .selectFrom(kind)
    .select(['id', 'company_name'])
    .where('archived_at', 'is', null)
    .where('user_status', '=', 'active')
    .orderBy('id')
    .execute()
  const created_at = iso(at(months[0] as string, 9) - 60 * DAY)
  const rows = Array.from({ length: Math.max(count - there.length, 0) }, (_, index) => ({
    ...companyOf(kind, index),
    user_status: 'active',
    created_at,
    updated_at: created_at,
  }))
  const ids = await fill(tx, kind, rows)
  const keys = new ApiKeys(tx, secret)
  for (const id of ids) {
    await keys.create(tx, kind === 'issuer' ? { issuerId: id } : { affiliateId: id }, 'api')
    if (kind === 'issuer') await keys.create(tx, { issuerId: id }, 'postback')
  }
  const made = rows.map(({ company_name }, index) => ({ id: ids[index] as number, company_name }))
  return [...there, ...made]
    .slice(0, count)
    .map(({ id, company_name: name }, index): Party => ({ id, name, weight: (index + 1) ** -SKEW[kind] }))
}

/** Many from the largest issuers, one from the smallest. */
async function insertOffers({ tx, random, months }: Making, issuers: Party[]): Promise<Offer[]> {
  const drafts = issuers.flatMap((issuer, rank) =>
    Array.from({ length: Math.max(1, Math.round(7 / (1 + rank / 4))) }, (_, index) => {
      const model = models[(rank * 5 + index) % models.length] as (typeof models)[number]
      return { issuer, model, weight: issuer.weight * (model.appeal + random.int(1, 6)) }
    }),
  )
  const created_at = iso(at(months[0] as string, 10) - 50 * DAY)
  const rows = drafts.map(({ issuer, model }, index) => ({
    issuer_id: issuer.id,
    name: `${model.name.split(' ')[0]} ${issuer.name} ${index + 1}`,
    description: `Producto de ${issuer.name}, inventado para la demostración. Sujeto a aprobación.`,
    redirect_url: `https://solicitud.red.example/p/${index + 1}?ref={tracking_id}`,
    product_status: 'active',
    created_at,
    updated_at: created_at,
  }))
  const ids = await fill(tx, 'product', rows)
  return insertSteps(
    tx,
    drafts.map((draft, index) => ({ ...draft, id: ids[index] as number })),
    created_at,
  )
}

async function insertSteps(tx: Tx, offers: Omit<Offer, 'steps'>[], created_at: string): Promise<Offer[]> {
  const steps = offers.flatMap(({ id, model }) => flows[model.flow].map((step, index) => ({ id, step, index })))
  const rows = steps.map(({ id, step, index }) => ({
    product_id: id,
    event_type_id: eventTypeNames.indexOf(step.type) + 1,
    name: step.name,
    description: step.description,
    step_order: index + 1,
    is_payout_event: step.pays ?? false,
    created_at,
    updated_at: created_at,
  }))
  const ids = await fill(tx, 'event_step', rows)
  const placed = steps.map(({ id, step, index }, place) => ({
    product: id,
    step: { ...step, id: ids[place] as number, order: index + 1 },
  }))
  return offers.map((offer) => ({
    ...offer,
    steps: placed.filter(({ product }) => product === offer.id).map(({ step }) => step),
  }))
}

/** The largest affiliates work with nearly everybody, the smallest with one or two; some begin late, some end. */
async function insertPairs({ tx, random, months }: Making, issuers: Party[], affiliates: Party[]): Promise<Pair[]> {
  const { rows: taken } = await sql<{ pair: string }>`
    select affiliate_id || '/' || issuer_id as pair from relationship where archived_at is null`.execute(tx)
  const known = new Set(taken.map(({ pair }) => pair))
  const begin = (month: number) => at(months[month] as string, 0)
  const drafts = affiliates.flatMap((affiliate, rank) =>
    pickSome(issuers, Math.max(1, Math.round(15 / (1 + rank / 8))), random)
      .filter((issuer) => !known.has(`${affiliate.id}/${issuer.id}`))
      .map((issuer) => {
        const first = rank < 12 || random.chance(0.4) ? 0 : random.int(0, months.length - 2)
        const ends = rank >= 12 && random.chance(0.1) && first < months.length - 4
        const until = ends ? begin(random.int(first + 3, months.length - 1)) : Infinity
        const archetype = archetypes[rank % archetypes.length] as AffiliateKey
        return { affiliate, issuer, archetype, from: first === 0 ? 0 : begin(first), until }
      }),
  )
  const rows = drafts.map(({ affiliate, issuer, from, until }) => ({
    affiliate_id: affiliate.id,
    issuer_id: issuer.id,
    notes: '',
    relationship_status: until === Infinity ? 'active' : 'inactive',
    created_at: iso((from || begin(0)) - 20 * DAY),
    updated_at: iso(until === Infinity ? (from || begin(0)) - 20 * DAY : until),
  }))
  const ids = await fill(tx, 'relationship', rows)
  return drafts.map((draft, index) => ({ ...draft, id: ids[index] as number }))
}

function pickSome(parties: Party[], count: number, random: Random): Party[] {
  const left = [...parties]
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const picked = random.weighted(left.map((party) => [party, party.weight] as const))
    left.splice(left.indexOf(picked), 1)
    return picked
  })
}

async function insertCommissions({ tx, random }: Making, pairs: Pair[], offers: Offer[]): Promise<Link[]> {
  const drafts = pairs.flatMap((pair) => {
    const own = offers.filter(({ issuer }) => issuer === pair.issuer)
    const promoted = own.filter(() => random.chance(0.7))
    return (promoted.length ? promoted : own.slice(0, 1)).map((offer) => {
      const pesos = Math.max(80, Math.round((offer.model.payout * habits[pair.archetype].deal) / 10) * 10)
      return { pair, offer, payout: pesos.toFixed(2), luck: random.spread(0.3, 3) }
    })
  })
  const rows = drafts.map(({ pair, offer }) => ({
    issuer_id: pair.issuer.id,
    affiliate_id: pair.affiliate.id,
    product_id: offer.id,
    relationship_id: pair.id,
    name: `${offer.model.name.split(' ')[0]} · ${pair.affiliate.name}`,
    description: '',
  }))
  const ids = await fill(tx, 'commission', rows)
  const versions = rows.map(({ product_id, affiliate_id }, index) => ({
    ...{ product_id, affiliate_id, commission_id: ids[index] },
    ...{ amount: drafts[index]?.payout, valid_from: iso(Date.now()) },
  }))
  await fill(tx, 'rate', versions)
  return drafts.map(
    ({ pair, offer, payout, luck }, index): Link => ({
      affiliate: pair.archetype,
      issuer: issuerArchetypes[pair.issuer.id % issuerArchetypes.length] as IssuerKey,
      product: offer.model.key as ProductKey,
      relationship_id: pair.id,
      affiliate_id: pair.affiliate.id,
      issuer_id: pair.issuer.id,
      product_id: offer.id,
      steps: offer.steps,
      commission: { id: ids[index] as number, name: rows[index]?.name ?? '', createdAt: 0, amounts: [[0, payout]] },
      from: pair.from,
      until: pair.until,
      weight: pair.affiliate.weight * offer.weight * luck,
    }),
  )
}
