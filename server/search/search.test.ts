import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Found, SEARCH_FOUND_MAX } from '#contract/search.ts'
import { makePayment } from '#db/factories.ts'
import {
  type Actor,
  makeAffiliate,
  makeIssuer,
  makeLead,
  makePair,
  makeProduct,
  makeRelationship,
  startServer,
  type TestServer,
} from '../testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  // Ids that are long enough to be looked for, and of one table alone.
  for (const [index, table] of ['affiliate', 'issuer', 'product', 'payment', 'lead'].entries())
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${10_000 * (index + 1)})`.execute(server.db)
})
afterAll(() => server.stop())

const ADMIN: Actor = { role: 'admin' }

async function find(actor: Actor, q: string): Promise<Found> {
  const answer = await (await server.as(actor)).get(`/api/v1/search/?q=${encodeURIComponent(q)}`)
  expect(answer.status).toBe(200)
  return answer.json().data
}

/** The ids of each kind that found something. */
const idsOf = (found: Found): Record<string, number[]> =>
  Object.fromEntries(
    Object.entries(found).flatMap(([kind, rows]) => (rows.length ? [[kind, rows.map(({ id }) => id)]] : [])),
  )

/** A pair with a lead and a payment, and the three who may look. */
async function makeWorld(name: string) {
  const { db } = server
  const issuer = await makeIssuer(db, { company_name: `Banco ${name}` })
  const affiliate = await makeAffiliate(db, { company_name: `Portal ${name}` })
  const relationship = await makeRelationship(db, { affiliate_id: affiliate.id, issuer_id: issuer.id })
  const product = await makeProduct(db, { issuer_id: issuer.id, name: `Tarjeta ${name}` })
  const ids = {
    relationship_id: relationship.id,
    affiliate_id: affiliate.id,
    issuer_id: issuer.id,
    product_id: product.id,
  }
  const lead = await makeLead(db, { ...ids, external_id: `ref-${name}` })
  const payment = await makePayment(db, ids)
  const actors: Record<'issuer' | 'affiliate', Actor> = {
    issuer: { role: 'issuer', issuerId: issuer.id },
    affiliate: { role: 'affiliate', affiliateId: affiliate.id },
  }
  return { issuer, affiliate, product, lead, payment, actors }
}

test('a name finds the companies, products and payments that each role may see, case and accents aside', async () => {
  const { issuer, affiliate, product, payment, actors } = await makeWorld('Ánimas')
  const all = { products: [product.id], payments: [payment.id] }
  expect(idsOf(await find(ADMIN, 'animas'))).toEqual({ ...all, affiliates: [affiliate.id], issuers: [issuer.id] })
  expect(idsOf(await find(actors.issuer, 'ANIMAS'))).toEqual({ ...all, affiliates: [affiliate.id] })
  expect(idsOf(await find(actors.affiliate, ' Ánimas '))).toEqual({ ...all, issuers: [issuer.id] })
})

test('a row says what it is', async () => {
  const { issuer, affiliate, product, lead, payment } = await makeWorld('Rótulo')
  const found = await find(ADMIN, 'rotulo')
  expect(found.affiliates).toEqual([{ id: affiliate.id, company_name: 'Portal Rótulo', rfc: affiliate.rfc }])
  expect(found.products).toEqual([
    { id: product.id, name: 'Tarjeta Rótulo', issuer: issuer.id, issuer_name: 'Banco Rótulo' },
  ])
  expect(found.payments).toEqual([
    {
      id: payment.id,
      issuer_name: 'Banco Rótulo',
      affiliate_name: 'Portal Rótulo',
      period_start: '2025-03-01',
      period_end: '2025-03-31',
      total_amount: '1500.00',
    },
  ])
  expect((await find(ADMIN, 'ref-Rótulo')).leads).toEqual([
    { id: lead.id, tracking_id: lead.tracking_id, external_id: 'ref-Rótulo', product_name: 'Tarjeta Rótulo' },
  ])
})

test('a lead is found by each of its whole ids, and by no part of one', async () => {
  const { lead, actors } = await makeWorld('Entero')
  const digits = lead.tracking_id.replaceAll('-', '')
  for (const actor of [ADMIN, actors.issuer, actors.affiliate]) {
    for (const q of [String(lead.id), lead.tracking_id, digits, digits.toUpperCase(), 'ref-Entero'])
      expect(idsOf(await find(actor, q)), q).toEqual({ leads: [lead.id] })
    for (const q of ['ref-Enter', 'ef-Entero', lead.tracking_id.slice(0, -1)])
      expect(idsOf(await find(actor, q)), q).toEqual({})
  }
})

test('strangers find nothing of others, by whichever id or name they ask', async () => {
  const { issuer, affiliate, product, lead, payment } = await makeWorld('Ajeno')
  const other = await makeWorld('Vecino')
  const names = ['Ajeno', issuer.rfc, affiliate.rfc, affiliate.contact_email, lead.tracking_id, lead.external_id]
  for (const actor of Object.values(other.actors)) {
    for (const q of names) expect(idsOf(await find(actor, q)), q).toEqual({})
    for (const [kind, { id }] of Object.entries({ leads: lead, products: product, payments: payment }))
      expect(idsOf(await find(actor, `${id}`))[kind] ?? []).not.toContain(id)
  }
})

test('an exact id stands before what has it in its name, and a few of each kind are enough', async () => {
  const { db } = server
  const exact = await makeAffiliate(db, { company_name: 'Zeta' })
  for (let n = 0; n <= SEARCH_FOUND_MAX; n += 1) await makeAffiliate(db, { company_name: `Alfa ${n} ${exact.id}` })
  const ids = (await find(ADMIN, String(exact.id))).affiliates.map(({ id }) => id)
  expect(ids).toHaveLength(SEARCH_FOUND_MAX)
  expect(ids[0]).toBe(exact.id)
})

test('of a repeated external id the latest leads are found', async () => {
  const { ids } = await makePair(server.db)
  const moments = Array.from({ length: SEARCH_FOUND_MAX + 1 }, (_, n) => Date.now() - n * 60_000)
  const leads = []
  for (const created_at of moments)
    leads.push(await makeLead(server.db, { ...ids, created_at, external_id: 'repetido' }))
  expect((await find(ADMIN, 'repetido')).leads.map(({ id }) => id)).toEqual(
    leads.slice(0, SEARCH_FOUND_MAX).map(({ id }) => id),
  )
})

test('archived rows are not found, and neither is anything by one letter, by nothing or by a wildcard', async () => {
  const { db } = server
  const archived_at = new Date().toISOString()
  await makeIssuer(db, { company_name: 'Banco Cerrado', archived_at })
  for (const q of ['Cerrado', 'B', '', '%%', '__']) expect(idsOf(await find(ADMIN, q)), q).toEqual({})
})

test('a text that is too long is refused', async () => {
  const client = await server.as(ADMIN)
  expect((await client.get(`/api/v1/search/?q=${'a'.repeat(256)}`)).status).toBe(400)
})
