import { eventTypeNames } from '#contract/event-steps.ts'
import type { Tx } from '#db/connect.ts'
import { iso } from './calendar.ts'
import { habits } from './campaigns.ts'
import type { Clock } from './clock.ts'
import { fill } from './fill.ts'
import { flows } from './flows.ts'
import type { Companies } from './insert-companies.ts'
import type { Link, PlacedCommission, PlacedStep } from './network.ts'
import { type DemoProduct, notPromoted, products } from './products.ts'
import { type DemoRelationship, relationships } from './relationships.ts'

const DAY = 86_400_000
const ALWAYS = Number.POSITIVE_INFINITY

/** How many days ago a commission was raised. */
const raises: Record<string, number> = {
  'comparaycuadra/clasica': 44,
  'onceveinte/tlanextli-cuenta': 30,
  'ruedas/auto-seminuevo': 26,
  'finanzasconlupa/personal': 19,
}
/** An affiliate that promotes a product before its commission is agreed. */
const notAgreed = 'mafer/travesia'

interface PlacedProduct extends DemoProduct {
  id: number
  createdAt: number
  steps: PlacedStep[]
}

interface PlacedRelationship extends DemoRelationship {
  id: number
  createdAt: number
  endedAt: number
}

export interface Catalog {
  products: PlacedProduct[]
  relationships: PlacedRelationship[]
  links: Link[]
}

/** Products, who may promote them, and for how much. */
export async function insertCatalog(tx: Tx, companies: Companies, clock: Clock): Promise<Catalog> {
  const placedProducts = await insertProducts(tx, companies, clock)
  const placedRelationships = await insertRelationships(tx, companies, clock)
  const drafts = placedRelationships.flatMap((relationship) =>
    placedProducts
      .filter((product) => product.issuer === relationship.issuer)
      .filter((product) => !(notPromoted as readonly string[]).includes(`${relationship.affiliate}/${product.key}`))
      .map((product) => draftLink(companies, relationship, product)),
  )
  const links = await insertCommissions(tx, companies, shareTraffic(drafts), clock)
  return { products: placedProducts, relationships: placedRelationships, links }
}

/** Splits an affiliate's traffic over its products by their appeal. */
const shareTraffic = (drafts: Draft[]): Draft[] =>
  drafts.map((draft) => {
    const own = drafts.filter(({ affiliate }) => affiliate === draft.affiliate)
    const appeal = own.reduce((sum, { offer }) => sum + offer.appeal, 0)
    return { ...draft, weight: (habits[draft.affiliate].weight * draft.offer.appeal) / appeal }
  })

async function insertProducts(tx: Tx, companies: Companies, clock: Clock): Promise<PlacedProduct[]> {
  const list: readonly DemoProduct[] = products
  const born = list.map((_, index) => clock.ago(205 - 4 * index, 12, 5))
  const rows = list.map(({ issuer, name, description, redirect_url, retiredDaysAgo }, index) => ({
    issuer_id: companies.issuers.get(issuer)?.id,
    name,
    description,
    redirect_url,
    product_status: retiredDaysAgo === undefined ? 'active' : 'inactive',
    created_at: iso(born[index] as number),
    updated_at: iso(retiredDaysAgo === undefined ? (born[index] as number) : clock.ago(retiredDaysAgo, 18)),
  }))
  const ids = await fill(tx, 'product', rows)
  const placed = list.map((product, index) => ({
    ...product,
    id: ids[index] as number,
    createdAt: born[index] as number,
  }))
  return insertSteps(tx, placed)
}

async function insertSteps(tx: Tx, placed: Omit<PlacedProduct, 'steps'>[]): Promise<PlacedProduct[]> {
  const steps = placed.flatMap((product) =>
    flows[product.flow].map((step, index) => ({ product, step, order: index + 1 })),
  )
  const rows = steps.map(({ product, step, order }) => {
    const created_at = iso(product.createdAt + order * 90_000)
    return {
      product_id: product.id,
      event_type_id: eventTypeNames.indexOf(step.type) + 1,
      name: step.name,
      description: step.description,
      step_order: order,
      is_payout_event: step.pays ?? false,
      created_at,
      updated_at: created_at,
    }
  })
  const ids = await fill(tx, 'event_step', rows)
  const numbered = steps.map(({ product, step, order }, index) => ({
    ...step,
    id: ids[index] as number,
    order,
    product: product.id,
  }))
  return placed.map((product) => ({ ...product, steps: numbered.filter((step) => step.product === product.id) }))
}

async function insertRelationships(tx: Tx, companies: Companies, clock: Clock): Promise<PlacedRelationship[]> {
  const placed = relationships.map((each, index) => ({
    ...each,
    createdAt: clock.ago(each.sinceDaysAgo ?? 150 - index, 17, 20),
    endedAt: each.endedDaysAgo === undefined ? ALWAYS : clock.ago(each.endedDaysAgo, 18, 10),
  }))
  const rows = placed.map(({ affiliate, issuer, notes, createdAt, endedAt }) => ({
    affiliate_id: companies.affiliates.get(affiliate)?.id,
    issuer_id: companies.issuers.get(issuer)?.id,
    notes,
    relationship_status: endedAt === ALWAYS ? 'active' : 'inactive',
    created_at: iso(createdAt),
    updated_at: iso(endedAt === ALWAYS ? createdAt : endedAt),
  }))
  const ids = await fill(tx, 'relationship', rows)
  return placed.map((each, index) => ({ ...each, id: ids[index] as number }))
}

type Draft = Omit<Link, 'commission'> & { offer: PlacedProduct; retiredDaysAgo: number | undefined }

function draftLink(companies: Companies, relationship: PlacedRelationship, product: PlacedProduct): Draft {
  return {
    affiliate: relationship.affiliate,
    issuer: relationship.issuer,
    product: product.key as Link['product'],
    relationship_id: relationship.id,
    affiliate_id: companies.affiliates.get(relationship.affiliate)?.id as number,
    issuer_id: companies.issuers.get(relationship.issuer)?.id as number,
    product_id: product.id,
    steps: product.steps,
    from: Math.max(relationship.createdAt, product.createdAt),
    until: relationship.endedAt,
    weight: 1,
    offer: product,
    retiredDaysAgo: product.retiredDaysAgo,
  }
}

async function insertCommissions(tx: Tx, companies: Companies, drafts: Draft[], clock: Clock): Promise<Link[]> {
  const agreed = drafts.filter((draft) => nameOf(draft) !== notAgreed)
  const terms = agreed.map((draft) => amountsOf(draft, clock))
  const rows = agreed.map((draft, index) => ({
    issuer_id: draft.issuer_id,
    affiliate_id: draft.affiliate_id,
    product_id: draft.product_id,
    relationship_id: draft.relationship_id,
    name: `${draft.offer.name} · ${companies.affiliates.get(draft.affiliate)?.name}`,
    description: conditionOf(draft),
    created_at: iso(agreedAt(draft)),
    updated_at: iso(Math.max(terms[index]?.at(-1)?.[0] ?? 0, agreedAt(draft))),
  }))
  const ids = await fill(tx, 'commission', rows)
  const versions = agreed.flatMap((draft, index) =>
    (terms[index] ?? []).map(([from, amount]) => ({
      ...{ product_id: draft.product_id, affiliate_id: draft.affiliate_id, commission_id: ids[index] },
      ...{ amount, valid_from: iso(Math.max(from, agreedAt(draft))) },
    })),
  )
  const rateIds = await fill(tx, 'rate', versions)
  await insertDefault(tx, drafts, agreed, clock)
  const placed = new Map(
    agreed.map((draft, index): [Draft, PlacedCommission] => [
      draft,
      {
        id: ids[index] as number,
        name: rows[index]?.name ?? '',
        createdAt: agreedAt(draft),
        amounts: terms[index] ?? [],
        rateIds: rateIds.filter((_, version) => versions[version]?.commission_id === ids[index]),
      },
    ]),
  )
  return drafts.map((draft) => {
    const { offer: _, retiredDaysAgo, ...link } = draft
    const until = retiredDaysAgo === undefined ? link.until : Math.min(link.until, clock.ago(retiredDaysAgo, 18))
    return { ...link, until, commission: placed.get(draft) }
  })
}

/** For who promotes it from now on: all who do so today have a commission. */
async function insertDefault(tx: Tx, drafts: Draft[], agreed: Draft[], clock: Clock): Promise<void> {
  const missing = new Set(drafts.filter((draft) => !agreed.includes(draft)).map(({ product_id }) => product_id))
  const product = agreed.find(
    ({ product_id, retiredDaysAgo }) => !missing.has(product_id) && retiredDaysAgo === undefined,
  )
  if (!product) return
  const { product_id } = product
  await fill(tx, 'rate', [
    { product_id, affiliate_id: null, commission_id: null, amount: '250.00', valid_from: iso(clock.ago(20, 11)) },
  ])
}

const agreedAt = (draft: Draft): number => draft.from + DAY / 24

const nameOf = (draft: Draft): string => `${draft.affiliate}/${draft.product}`

const conditionOf = (draft: Draft): string =>
  `Por cada lead que llega a: ${draft.steps
    .filter((step) => step.pays)
    .map((step) => step.name)
    .join('; ')}.`

/** Between $80 and $1,800, in tens. */
function amountsOf(draft: Draft, clock: Clock): PlacedCommission['amounts'] {
  const pesos = Math.min(1800, Math.max(80, Math.round((draft.offer.payout * habits[draft.affiliate].deal) / 10) * 10))
  const raise = raises[nameOf(draft)]
  if (raise === undefined) return [[0, pesos.toFixed(2)]]
  return [
    [0, (Math.round(pesos * 0.088) * 10).toFixed(2)],
    [clock.ago(raise, 10, 30), pesos.toFixed(2)],
  ]
}
