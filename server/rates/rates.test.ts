import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Rate } from '#contract/rates.ts'
import { historiesOr } from '#db/testing.ts'
import { EVENTS, entriesOf, type Funnel, makeFunnel } from '../events/testing.ts'
import { makeLead, startServer, type TestClient, type TestServer, unique } from '../testing.ts'

const PAYOUTS = '/api/v1/payouts/'
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

/** The issuer's own means to change what it pays. */
class Terms {
  readonly #issuer: TestClient
  readonly #funnel: Funnel
  #id: number | undefined
  amount: string | undefined = '500.00'

  constructor(issuer: TestClient, funnel: Funnel) {
    this.#issuer = issuer
    this.#funnel = funnel
    this.#id = funnel.commission.id
  }

  async set(amount: string | undefined): Promise<void> {
    const { product_id, affiliate_id } = this.#funnel.ids
    const form = { product_id, affiliate_id, name: 'Alta de tarjeta', payout: amount }
    if (amount === undefined) await this.#end()
    else if (this.#id === undefined) this.#id = (await this.#issuer.post(PAYOUTS, form)).json().data.id
    else expect((await this.#issuer.put(`${PAYOUTS}${this.#id}/`, { payout: amount })).status).toBe(200)
    this.amount = amount
  }

  async #end(): Promise<void> {
    if (this.#id !== undefined) expect((await this.#issuer.delete(`${PAYOUTS}${this.#id}/`)).status).toBe(204)
    this.#id = undefined
  }
}

async function makeTerms() {
  const funnel = await makeFunnel(server)
  const issuer = await server.as({ role: 'issuer', issuerId: funnel.issuer.id })
  return { funnel, terms: new Terms(issuer, funnel) }
}

const send = ({ client }: Funnel, tracking_id: string, event_type: string) =>
  // Another event each time: what was received once under its own id is a repetition, which earns nothing.
  client.post(EVENTS, { tracking_id, event_type, event_id: `aviso ${unique()}` })
const earned = async (id: number) => (await entriesOf(server, id)).map(({ amount }) => amount)

test('an issuer that lowers, deletes or makes a commission anew around an event changes nothing (A2)', async () => {
  const { funnel, terms } = await makeTerms()
  await terms.set('0.00')
  await send(funnel, funnel.lead.tracking_id, 'aprobado')
  await terms.set('500.00')
  expect(await earned(funnel.lead.id)).toEqual(['500.00'])
  const second = await makeLead(server.db, funnel.ids)
  await terms.set(undefined)
  await send(funnel, second.tracking_id, 'aprobado')
  await terms.set('100.00')
  await send(funnel, second.tracking_id, 'entregado')
  expect(await earned(second.id)).toEqual(['500.00', '500.00'])
})

test('a raise counts for those who clicked before it, and an entry says by which rate it was earned', async () => {
  const { funnel, terms } = await makeTerms()
  await terms.set('750.50')
  await send(funnel, funnel.lead.tracking_id, 'aprobado')
  const [entry] = await entriesOf(server, funnel.lead.id)
  const rate = await server.db
    .selectFrom('rate')
    .selectAll()
    .where('id', '=', entry?.rate_id ?? 0)
    .executeTakeFirstOrThrow()
  expect([entry?.amount, rate.amount, rate.commission_id]).toEqual(['750.50', '750.50', funnel.commission.id])
})

test('the rate at the click counts for ninety days, and then the one at the event alone', async () => {
  const { funnel, terms } = await makeTerms()
  const daysAgo = (days: number) => Date.now() - days * 86_400_000
  await sql`update rate set valid_from = ${new Date(daysAgo(400)).toISOString()}
    where commission_id = ${funnel.commission.id}`.execute(server.db)
  await terms.set('10.00')
  const amounts = []
  for (const days of [89, 91, 399]) {
    const { id, tracking_id } = await makeLead(server.db, { ...funnel.ids, created_at: daysAgo(days) })
    await send(funnel, tracking_id, 'aprobado')
    amounts.push(...(await earned(id)))
  }
  expect(amounts).toEqual(['500.00', '10.00', '10.00'])
})

test('of changes at once the amount that stays is the one in force', async () => {
  const { funnel } = await makeTerms()
  const { commission, lead } = funnel
  const admin = await server.as({ role: 'admin' })
  const put = (amount: number) => admin.put(`${PAYOUTS}${commission.id}/`, { payout: `${amount}` })
  await Promise.all(Array.from({ length: 20 }, (_, index) => put(1_000 + index)))
  const { payout } = (await admin.get(`${PAYOUTS}${commission.id}/`)).json().data
  await send(funnel, lead.tracking_id, 'aprobado')
  expect(await earned(lead.id)).toEqual([payout])
})

const RATES = '/api/v1/rates/'
const seen = async (client: TestClient, query = '') => {
  const answer = await client.get(`${RATES}${query}`)
  expect(answer.status).toBe(200)
  return (answer.json().data as Rate[]).map(({ from, to }) => [from, to])
}

test('affiliate, issuer and administrator read what was paid and when, also where it ended and began anew', async () => {
  const { funnel, terms } = await makeTerms()
  await terms.set('250.00')
  await terms.set(undefined)
  await terms.set('900.50')
  const versions = [
    [null, '900.50'],
    ['250.00', null],
    ['500.00', '250.00'],
    [null, '500.00'],
  ]
  const affiliate = await server.as({ role: 'affiliate', affiliateId: funnel.affiliate.id })
  const issuer = await server.as({ role: 'issuer', issuerId: funnel.issuer.id })
  expect(await seen(affiliate)).toEqual(versions)
  expect(await seen(issuer, `?product_id=${funnel.product.id}`)).toEqual(versions)
  expect(await seen(await server.as({ role: 'admin' }), `?affiliate_id=${funnel.affiliate.id}`)).toEqual(versions)
  expect(await seen(affiliate, '?page=2&page_size=3')).toEqual(versions.slice(3))
})

test('nobody reads what others are paid', async () => {
  const { funnel } = await makeTerms()
  const stranger = await makeTerms()
  const query = `?product_id=${funnel.product.id}`
  expect(await seen(await server.as({ role: 'affiliate', affiliateId: stranger.funnel.affiliate.id }), query)).toEqual(
    [],
  )
  expect(await seen(await server.as({ role: 'issuer', issuerId: stranger.funnel.issuer.id }), query)).toEqual([])
  expect((await server.anonymous.get(RATES)).status).toBe(401)
})

const better = (one: string | undefined, other: string | undefined): string | undefined =>
  one !== undefined && (other === undefined || Number(one) > Number(other)) ? one : other

test('each lead earns the better of what was paid at its click and at its event, in any history', async () => {
  const action = fc.oneof(
    fc.record({ set: fc.constantFrom('0.00', '250.00', '500.00', '900.50', undefined) }),
    fc.constant('click' as const),
    fc.record({ event: fc.nat(5) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 12 }), async (history) => {
      const { funnel, terms } = await makeTerms()
      const leads = [
        { ...funnel.lead, paid: terms.amount as string | undefined, earned: undefined as string[] | undefined },
      ]
      for (const step of history) {
        if (step === 'click')
          leads.push({ ...(await makeLead(server.db, funnel.ids)), paid: terms.amount, earned: undefined })
        else if ('set' in step) await terms.set(step.set)
        else {
          const lead = leads[step.event % leads.length] as (typeof leads)[number]
          await send(funnel, lead.tracking_id, 'aprobado')
          // Another one earns only where nothing was earned before.
          const amount = better(lead.paid, terms.amount)
          if (!lead.earned?.length) lead.earned = amount === undefined ? [] : [amount]
        }
      }
      for (const lead of leads) expect(await earned(lead.id)).toEqual(lead.earned ?? [])
    }),
    { numRuns: historiesOr(4) },
  )
}, 300_000)
