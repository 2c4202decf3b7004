import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OwnEntryPage, WaitingPage } from '#contract/commission-entries.ts'
import type { Explanation } from '#contract/explain.ts'
import type { Product } from '#contract/products.ts'
import { PAIR_CHANGED } from '#contract/relationships.ts'
import type { Term } from '#contract/terms.ts'
import { addDays, dateInMexico, dayFirst } from '#contract/time.ts'
import { makeAffiliate, makeCommission, makeLead, makeTerm } from '#db/factories.ts'
import { EVENTS, entriesOf, type Funnel, makeFunnel, type TypeName } from '../events/testing.ts'
import { paymentForm } from '../payments/testing.ts'
import {
  asOwner,
  makePair,
  makeProduct,
  startServer,
  type TestClient,
  type TestServer,
  untilLockWait,
} from '../testing.ts'
import { expectConserved, expectNoDrift } from '../totals/testing.ts'

const TERMS = '/api/v1/terms/'
const ENTRIES = '/api/v1/commission-entries/'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(async () => {
  await expectNoDrift(server.db)
  await expectConserved(server.db)
  await server.stop()
})

const today = dateInMexico()

async function send({ client, lead }: Funnel, event_type: TypeName, more: object = {}): Promise<void> {
  const answer = await client.post(EVENTS, { tracking_id: lead.tracking_id, event_type, ...more })
  expect(answer.status, answer.text).toBe(201)
}

async function data<T>(client: TestClient, path: string): Promise<T> {
  const answer = await client.get(path)
  expect(answer.status, answer.text).toBe(200)
  return answer.json().data
}

const asIssuer = ({ issuer }: Pick<Funnel, 'issuer'>) => server.as({ role: 'issuer', issuerId: issuer.id })
const asAffiliate = ({ affiliate }: Funnel) => server.as({ role: 'affiliate', affiliateId: affiliate.id })

const previewed = async ({ relationship }: Funnel, start: string, end: string): Promise<string> => {
  const query = `relationship=${relationship.id}&period_start=${start}&period_end=${end}`
  const { total_amount } = await data<{ total_amount: string }>(admin, `/api/v1/payments/preview/?${query}`)
  return total_amount
}

/** As if it had been earned so many days ago, at a rate that held long before. */
const shift = async (id: number, days: number) =>
  asOwner(server.databaseUrl, async (owner) => {
    await sql`update rate set valid_from = valid_from - make_interval(days => ${days})`.execute(owner)
    await sql`update commission_entry set earned_at = earned_at - make_interval(days => ${days}),
      due_on = due_on - ${days}::int, validation_ends_on = validation_ends_on - ${days}::int where id = ${id}`.execute(
      owner,
    )
  })

const approve = async (client: TestClient, ...ids: number[]) => {
  const answer = await client.post(`${ENTRIES}approve/`, { ids })
  expect(answer.status, answer.text).toBe(200)
  return answer.json().data as { id: number; outcome: string }[]
}

const approverOf = async (client: TestClient, id: number) => {
  const { nodes } = await data<Explanation>(client, `/api/v1/explain/entry/${id}/`)
  const facts = nodes.find(({ kind }) => kind === 'approval')?.facts
  return facts?.find(({ label }) => label === 'Autor')?.value
}

const entryOf = async ({ lead }: Funnel) => {
  const [entry] = await entriesOf(server, lead.id)
  if (!entry) throw new Error('The lead earned nothing')
  return entry
}

test('a relationship that goes to another pair takes none of its terms along (D24)', async () => {
  const funnel = await makeFunnel(server)
  const { relationship, issuer, ids } = funnel
  const term = { relationship_id: relationship.id, validation: 'explicit', validation_days: 60 }
  for (const valid_from of [today, addDays(today, 5)])
    expect((await admin.post(TERMS, { ...term, valid_from })).status).toBe(201)
  const next = await makeAffiliate(server.db)
  const moved = { affiliate_id: next.id, issuer_id: issuer.id }
  expect((await admin.put(`/api/v1/relationships/${relationship.id}/`, moved)).status).toBe(200)
  const theirs = { ...ids, affiliate_id: next.id }
  await makeCommission(server.db, theirs)
  const other = { ...funnel, lead: await makeLead(server.db, theirs) }
  await send(other, 'aprobado')
  expect(await entryOf(other)).toMatchObject({ due_on: today, validation_ends_on: today })
  const client = await server.as({ role: 'affiliate', affiliateId: next.id })
  expect((await data<Term[]>(client, TERMS)).filter(({ scope }) => scope === 'pair')).toEqual([])
  // They stay those of the old pair, which is told.
  const own = (await data<Term[]>(await asAffiliate(funnel), TERMS)).filter(({ scope }) => scope === 'pair')
  expect(own.map(({ valid_from, state }) => [valid_from, state])).toEqual([
    [addDays(today, 5), 'cancelled'],
    [today, 'cancelled'],
  ])
  const told = await server.db
    .selectFrom('occurrence')
    .select(['affiliate_id', 'term_id'])
    .where('type', '=', 'term.changed')
    .where('detail', '=', 'cancelled')
    .where('issuer_id', '=', issuer.id)
    .orderBy('id')
    .execute()
  expect(told).toEqual(own.toReversed().map(({ id }) => ({ affiliate_id: funnel.affiliate.id, term_id: id })))
  // Nor do those of the new pair reach what leads of the old one earn.
  expect((await admin.post(TERMS, { ...term, valid_from: today })).status).toBe(201)
  await send(funnel, 'aprobado')
  expect(await entryOf(funnel)).toMatchObject({ due_on: today })
  const third = { ...funnel, lead: await makeLead(server.db, theirs) }
  await send(third, 'aprobado')
  expect(await entryOf(third)).toMatchObject({ due_on: 'infinity', validation_ends_on: addDays(today, 60) })
  const trail = (await data<{ results: object[] }>(admin, '/api/v1/audit/?entity=term&action=cancel')).results
  expect(trail.slice(0, 2)).toMatchObject([{ action: 'cancel' }, { action: 'cancel' }])
})

test('without terms a commission can be paid on its day', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'aprobado')
  expect(await entryOf(funnel)).toMatchObject({ due_on: today, validation_ends_on: today, approved_at: null })
})

test('a commission in validation is paid when that ends, and not before', async () => {
  const funnel = await makeFunnel(server)
  await makeTerm(server.db, { issuer_id: funnel.issuer.id, validation_days: 30 })
  await send(funnel, 'aprobado')
  const end = addDays(today, 30)
  expect(await entryOf(funnel)).toMatchObject({ state: 'accrued', due_on: end, validation_ends_on: end })
  expect(await previewed(funnel, addDays(today, -5), today)).toBe('0.00')
  const client = await asAffiliate(funnel)
  const page = await data<OwnEntryPage>(client, `${ENTRIES}?standing=validating`)
  expect(page.results).toMatchObject([{ standing: 'validating', due_on: end, state: 'accrued' }])
  expect(await data<OwnEntryPage>(client, `${ENTRIES}?standing=payable`)).toMatchObject({ results: [] })
  const file = await client.get('/api/v1/exports/commission-entries/?standing=validating')
  expect(file.text).toContain(`En validación hasta el ${dayFirst(end)}`)
  const [balance] = await data<object[]>(admin, `/api/v1/payments/balances/?relationship=${funnel.relationship.id}`)
  expect(balance).toMatchObject({ accrued: '500.00', validating: '500.00', since: null })
  await shift((await entryOf(funnel)).id, 30)
  expect(await previewed(funnel, addDays(today, -5), today)).toBe('500.00')
  expect(await data<OwnEntryPage>(client, `${ENTRIES}?standing=payable`)).toMatchObject({ amount: '500.00' })
})

test('a commission that needs approval is paid after it alone, its validation over', async () => {
  const funnel = await makeFunnel(server)
  await makeTerm(server.db, { issuer_id: funnel.issuer.id, validation: 'explicit', validation_days: 10 })
  await send(funnel, 'aprobado')
  const entry = await entryOf(funnel)
  expect(entry).toMatchObject({ due_on: 'infinity', validation_ends_on: addDays(today, 10) })
  expect(await previewed(funnel, addDays(today, -5), today)).toBe('0.00')
  const [issuer, affiliate] = [await asIssuer(funnel), await asAffiliate(funnel)]
  const waiting = await data<WaitingPage>(issuer, `${ENTRIES}waiting/`)
  expect(waiting).toMatchObject({
    amount: '500.00',
    results: [{ id: entry.id, affiliate_name: funnel.affiliate.company_name, days: 0 }],
  })
  expect((await data<OwnEntryPage>(affiliate, ENTRIES)).results).toMatchObject([{ standing: 'awaiting', due_on: null }])
  expect(await approve(issuer, entry.id, 999_999_999)).toEqual([
    { id: entry.id, outcome: 'approved' },
    { id: 999_999_999, outcome: 'not_found' },
  ])
  expect(await approve(issuer, entry.id)).toEqual([{ id: entry.id, outcome: 'already' }])
  expect(await entryOf(funnel)).toMatchObject({ due_on: addDays(today, 10), approved_at: expect.any(String) })
  expect(await data<WaitingPage>(issuer, `${ENTRIES}waiting/`)).toMatchObject({ amount: '0.00', results: [] })
  expect(await previewed(funnel, addDays(today, -5), today)).toBe('0.00')
  await shift(entry.id, 10)
  expect(await previewed(funnel, addDays(today, -5), today)).toBe('500.00')
  const told = await data<Explanation>(affiliate, `/api/v1/explain/entry/${entry.id}/`)
  expect(told.nodes.find(({ kind }) => kind === 'approval')).toMatchObject({ title: 'La comisión se aprobó' })
  expect(JSON.stringify(told)).not.toContain('Autor')
  expect(await approverOf(issuer, entry.id)).toMatch(/\S+ \S+/)
  const trail = await data<{ results: object[] }>(admin, '/api/v1/audit/?action=approve')
  expect(trail.results).toMatchObject([{ entity: 'commission_entry', label: '1 comisión' }])
})

test('what was validated long ago can be paid from the day of its approval on', async () => {
  const funnel = await makeFunnel(server)
  await makeTerm(server.db, { issuer_id: funnel.issuer.id, validation: 'explicit' })
  await send(funnel, 'aprobado')
  const { id } = await entryOf(funnel)
  await shift(id, 200)
  await approve(admin, id)
  expect(await entryOf(funnel)).toMatchObject({ due_on: today })
  expect(await approverOf(await asIssuer(funnel), id)).toBeUndefined()
  expect(await approverOf(admin, id)).toMatch(/\S+ \S+/)
})

test('two people approve at once, and one of them does', async () => {
  const funnel = await makeFunnel(server)
  await makeTerm(server.db, { issuer_id: funnel.issuer.id, validation: 'explicit' })
  await send(funnel, 'aprobado')
  const { id } = await entryOf(funnel)
  const issuer = await asIssuer(funnel)
  const outcomes = await Promise.all([approve(issuer, id), approve(admin, id), approve(issuer, id)])
  expect(
    outcomes
      .flat()
      .map(({ outcome }) => outcome)
      .sort(),
  ).toEqual(['already', 'already', 'approved'])
})

test('a rejected commission cannot be approved, and given back it waits again', async () => {
  const funnel = await makeFunnel(server)
  await makeTerm(server.db, { issuer_id: funnel.issuer.id, validation: 'explicit' })
  await send(funnel, 'aprobado')
  const { id } = await entryOf(funnel)
  await send(funnel, 'rechazado')
  expect(await approve(admin, id)).toEqual([{ id, outcome: 'rejected' }])
  const note = { note: 'El banco lo confirmó por correo' }
  expect((await admin.post(`/api/v1/leads/${funnel.lead.id}/restore/`, note)).status).toBe(200)
  expect(await entryOf(funnel)).toMatchObject({ state: 'accrued', due_on: 'infinity' })
  expect(await approve(admin, id)).toEqual([{ id, outcome: 'approved' }])
})

test('of terms the narrowest counts, field by field, and what it leaves open the next says', async () => {
  const funnel = await makeFunnel(server)
  const { issuer, relationship, product } = funnel
  await makeTerm(server.db, { issuer_id: issuer.id, validation: 'explicit', validation_days: 90 })
  await makeTerm(server.db, { product_id: product.id, validation_days: 60 })
  const term = async (product_id: number) => {
    const { rows } = await sql<{ validation: string; validation_days: number }>`
      select * from term_of(${issuer.id}, ${product_id}, ${relationship.id}, ${today})`.execute(server.db)
    return rows[0]
  }
  expect(await term(product.id)).toEqual({ validation: 'explicit', validation_days: 60 })
  await makeTerm(server.db, { relationship_id: relationship.id, validation: 'automatic' })
  expect(await term(product.id)).toEqual({ validation: 'automatic', validation_days: 60 })
  await makeTerm(server.db, { relationship_id: relationship.id, product_id: product.id, validation_days: 0 })
  expect(await term(product.id)).toEqual({ validation: 'automatic', validation_days: 0 })
  const other = await makeProduct(server.db, { issuer_id: issuer.id })
  expect(await term(other.id)).toEqual({ validation: 'automatic', validation_days: 90 })
  // One that leaves everything open takes the place of the one before it.
  await makeTerm(server.db, { relationship_id: relationship.id, valid_from: addDays(today, 1) })
  const tomorrow = await sql`select * from term_of(${issuer.id}, ${other.id}, ${relationship.id}, ${addDays(today, 1)})`
    .execute(server.db)
    .then(({ rows }) => rows)
  expect(tomorrow).toEqual([{ validation: 'explicit', validation_days: 90 }])
})

test('a term holds for what is earned later, and what was earned keeps its day', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'aprobado')
  await makeTerm(server.db, { issuer_id: funnel.issuer.id, validation: 'explicit', validation_days: 90 })
  await makeTerm(server.db, { issuer_id: funnel.issuer.id, validation_days: 7, valid_from: addDays(today, 1) })
  expect(await entryOf(funnel)).toMatchObject({ due_on: today })
  const later = { ...funnel, lead: await makeLead(server.db, funnel.ids) }
  await send(later, 'aprobado')
  expect(await entryOf(later)).toMatchObject({ due_on: 'infinity', validation_ends_on: addDays(today, 90) })
})

const made = async (form: object): Promise<Term> => {
  const answer = await admin.post(TERMS, form)
  expect(answer.status, answer.text).toBe(201)
  return answer.json().data
}

test('an administrator sets terms, which those whom they concern read, and takes back what has not begun', async () => {
  const { issuer, relationship, product, affiliate } = await makeFunnel(server)
  const stranger = await makePair(server.db)
  const valid_from = addDays(today, 5)
  const wide = await made({ issuer_id: issuer.id, valid_from, validation: 'explicit', note: 'Acordado por correo' })
  expect(wide).toMatchObject({
    scope: 'issuer',
    state: 'future',
    author_name: expect.any(String),
    validation_days: null,
  })
  const narrow = await made({ relationship_id: relationship.id, product_id: product.id, valid_from: today })
  expect(narrow).toMatchObject({ scope: 'pair_product', state: 'in_force', affiliate_name: affiliate.company_name })
  const seen = async (client: TestClient) =>
    (await data<Term[]>(client, TERMS)).filter(({ id }) => [wide.id, narrow.id].includes(id))
  const own = await seen(await server.as({ role: 'affiliate', affiliateId: affiliate.id }))
  expect(own.map(({ id, note, author_name }) => [id, note, author_name])).toEqual([
    [wide.id, null, null],
    [narrow.id, null, null],
  ])
  expect(await seen(await asIssuer({ issuer }))).toHaveLength(2)
  for (const actor of [
    { role: 'issuer', issuerId: stranger.issuer.id },
    { role: 'affiliate', affiliateId: stranger.affiliate.id },
  ] as const)
    expect(await seen(await server.as(actor))).toEqual([])
  expect((await admin.post(`${TERMS}${narrow.id}/cancel/`)).json().meta.code).toBe('TERM_BEGAN')
  expect((await admin.post(`${TERMS}${wide.id}/cancel/`)).status).toBe(200)
  const again = await admin.post(`${TERMS}${wide.id}/cancel/`)
  expect([again.status, again.json().meta.code]).toEqual([409, 'TERM_BEGAN'])
  expect((await seen(admin)).map(({ state }) => state)).toEqual(['cancelled', 'in_force'])
  expect(await made({ issuer_id: issuer.id, valid_from, validation_days: 3 })).toMatchObject({ state: 'future' })
})

test('a term is not set for another pair than the one that was shown', async () => {
  const { relationship, affiliate, issuer } = await makePair(server.db)
  const next = await makeAffiliate(server.db)
  const pair = { affiliate: affiliate.id, issuer: issuer.id }
  const form = { relationship_id: relationship.id, valid_from: today, validation_days: 60 }
  const moved = server.db.transaction().execute(async (tx) => {
    await tx.updateTable('relationship').set({ affiliate_id: next.id }).where('id', '=', relationship.id).execute()
    const setting = admin.post(TERMS, { ...form, pair })
    await untilLockWait(server.db)
    return { setting }
  })
  const refused = await (await moved).setting
  expect([refused.status, refused.json().meta]).toMatchObject([
    409,
    { code: 'PAIR_CHANGED', field_errors: { relationship_id: [PAIR_CHANGED] } },
  ])
  expect((await data<Term[]>(admin, TERMS)).filter((term) => term.relationship === relationship.id)).toEqual([])
  expect(await made({ ...form, pair: { ...pair, affiliate: next.id } })).toMatchObject({
    relationship: relationship.id,
  })
})

test('terms that mean nothing are refused', async () => {
  const [{ issuer, relationship }, other] = [await makePair(server.db), await makePair(server.db)]
  const refused = async (form: object) => {
    const answer = await admin.post(TERMS, { valid_from: today, ...form })
    return [answer.status, Object.keys(answer.json().meta.field_errors ?? {})[0] ?? answer.json().meta.code]
  }
  expect(await refused({ valid_from: addDays(today, -1) })).toEqual([422, 'valid_from'])
  expect(await refused({ issuer_id: issuer.id, relationship_id: relationship.id })).toEqual([422, 'issuer_id'])
  expect(await refused({ product_id: other.product.id, relationship_id: relationship.id })).toEqual([422, 'product_id'])
  expect(await refused({ issuer_id: 999_999_999 })).toEqual([422, 'issuer_id'])
  expect(await refused({ validation_days: 181 })).toEqual([422, 'validation_days'])
  expect(await refused({ validation_days: 1.5 })).toEqual([422, 'validation_days'])
  await made({ issuer_id: issuer.id, valid_from: today })
  expect(await refused({ issuer_id: issuer.id })).toEqual([409, 'TERM_EXISTS'])
  const form = { issuer_id: issuer.id, valid_from: addDays(today, 9) }
  const both = await Promise.all([admin.post(TERMS, form), admin.post(TERMS, form)])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
})

test('a payment of a validated commission stays as it is when its terms change', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'aprobado')
  const period = { period_start: addDays(today, -1), period_end: today }
  const form = { ...paymentForm(funnel.relationship.id), ...period, total_amount: '500.00', payment_status: 'paid' }
  expect((await admin.post('/api/v1/payments/', form)).status).toBe(201)
  await makeTerm(server.db, { issuer_id: funnel.issuer.id, validation: 'explicit' })
  await send(funnel, 'rechazado')
  const entries = await entriesOf(server, funnel.lead.id)
  expect(entries.map(({ kind, state, due_on }) => [kind, state, due_on])).toEqual([
    ['commission', 'paid', today],
    ['reversal', 'accrued', today],
  ])
})

test('an affiliate reads with the product what its commission waits for', async () => {
  const funnel = await makeFunnel(server)
  const own = await asAffiliate(funnel)
  const path = `/api/v1/products/${funnel.product.id}/`
  const read = async () => (await data<Product>(own, path)).commission
  expect(await read()).toMatchObject({ payout: '500.00', validation: 'automatic', validation_days: 0 })
  await makeTerm(server.db, { issuer_id: funnel.issuer.id, validation: 'explicit', validation_days: 45 })
  expect(await read()).toMatchObject({ validation: 'explicit', validation_days: 45 })
})
