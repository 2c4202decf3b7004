import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CommissionGap } from '#contract/commissions.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { makeAdjustment } from '#db/factories.ts'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import {
  makeAffiliate,
  makeCommission,
  makeLead,
  makePair,
  makePayingStep,
  makeProduct,
  makeRelationship,
  makeStep,
  startServer,
  type TestClient,
  type TestServer,
} from '../testing.ts'

const PATH = '/api/v1/payouts/gaps/'
const today = dateInMexico()

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const gapsOf = async (client: TestClient, query = ''): Promise<CommissionGap[]> =>
  (await client.get(PATH + query)).json().data
const asIssuer = ({ id }: { id: number }) => server.as({ role: 'issuer', issuerId: id })

test('what is promoted without a commission is listed until one is set, and to its issuer and administrators alone', async () => {
  const { issuer, affiliate, product, relationship, ids } = await makePair(server.db)
  const client = await asIssuer(issuer)
  expect(await gapsOf(client)).toEqual([]) // no step pays
  await makePayingStep(server.db, { product_id: product.id })
  const gap = {
    id: `${relationship.id}-${product.id}`,
    relationship_id: relationship.id,
    product: product.id,
    affiliate: affiliate.id,
    issuer: issuer.id,
    product_name: product.name,
    affiliate_name: affiliate.company_name,
    issuer_name: issuer.company_name,
    unpaid_events: 0,
    unpaid_since: null,
  }
  expect(await gapsOf(client)).toEqual([gap])
  const admin = await server.as({ role: 'admin' })
  expect(await gapsOf(admin, `?search=${encodeURIComponent(affiliate.company_name)}`)).toEqual([gap])
  expect(await gapsOf(await asIssuer((await makePair(server.db)).issuer))).toEqual([])
  expect((await (await server.as({ role: 'affiliate', affiliateId: affiliate.id })).get(PATH)).status).toBe(403)
  await makeCommission(server.db, ids)
  expect(await gapsOf(client)).toEqual([])
})

test.each([
  ['product', { product_status: 'inactive' }],
  ['product', { archived_at: new Date() }],
  ['relationship', { relationship_status: 'inactive' }],
  ['relationship', { archived_at: new Date() }],
  ['affiliate', { user_status: 'inactive' }],
  ['issuer', { user_status: 'inactive' }],
] as const)('nothing is missing where the %s is %j', async (table, change) => {
  const pair = await makePair(server.db)
  await makePayingStep(server.db, { product_id: pair.product.id })
  await server.db.updateTable(table).set(change).where('id', '=', pair[table].id).execute()
  const admin = await server.as({ role: 'admin' })
  expect((await gapsOf(admin)).filter(({ issuer }) => issuer === pair.issuer.id)).toEqual([])
})

test('a rejection that is marked as paying and an archived step need no commission', async () => {
  const { issuer, product } = await makePair(server.db)
  await makeStep(server.db, { product_id: product.id, event_type_id: 4, is_payout_event: true })
  await makeStep(server.db, { product_id: product.id, is_payout_event: true, archived_at: new Date() })
  expect(await gapsOf(await asIssuer(issuer))).toEqual([])
})

test('the events that earned nothing are counted from the end of the last commission on, folded or not', async () => {
  const { client, issuer, ids, commission, lead, steps } = await makeFunnel(server)
  const send = (tracking_id: string, event_type: string) => client.post(EVENTS, { tracking_id, event_type })
  const session = await asIssuer(issuer)
  const seen = async () => (await gapsOf(session)).map((gap) => [gap.unpaid_events, gap.unpaid_since])
  await send(lead.tracking_id, 'aprobado')
  await server.db.updateTable('commission').set({ archived_at: new Date() }).where('id', '=', commission.id).execute()
  expect(await seen()).toEqual([[0, null]])
  // Who clicked while there was a commission earns it (D77).
  await send(lead.tracking_id, 'entregado')
  const later = await makeLead(server.db, ids)
  for (const type of ['step_1', 'aprobado', 'entregado']) await send(later.tracking_id, type)
  expect(await seen()).toEqual([[2, today]])
  await makeAdjustment(server.db, ids, { product_id: ids.product_id })
  expect(await seen()).toEqual([[2, today]])
  await sql`select fold_totals(100000)`.execute(server.db)
  expect(await seen()).toEqual([[2, today]])
  const noLonger = { is_payout_event: false }
  await server.db.updateTable('event_step').set(noLonger).where('id', '=', steps.entregado.id).execute()
  expect(await seen()).toEqual([[1, today]])
  await server.db
    .updateTable('commission')
    .set({ archived_at: `${addDays(today, 1)}T18:00:00Z` })
    .where('id', '=', commission.id)
    .execute()
  expect(await seen()).toEqual([[0, null]])
})

test('a long list is read in pages, in the order of relationships and products', async () => {
  const { issuer, product } = await makePair(server.db)
  const more = await makeProduct(server.db, { issuer_id: issuer.id })
  for (const { id } of [product, more]) await makePayingStep(server.db, { product_id: id })
  const affiliate = await makeAffiliate(server.db)
  await makeRelationship(server.db, { affiliate_id: affiliate.id, issuer_id: issuer.id })
  const client = await asIssuer(issuer)
  const all = await gapsOf(client)
  expect(all.map((gap) => gap.product)).toEqual([product.id, more.id, product.id, more.id])
  const pages = [await gapsOf(client, '?page_size=3'), await gapsOf(client, '?page_size=3&page=2')]
  expect(pages.flat()).toEqual(all)
})
