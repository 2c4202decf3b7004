import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Compensation, RatePreview } from '#contract/rates.ts'
import { dateInMexico } from '#contract/time.ts'
import { EVENTS, type Funnel, makeFunnel } from '../events/testing.ts'
import { makeLead, type TestClient, type TestServer } from '../testing.ts'

export const RATES = '/api/v1/rates/'
export const NOTE = 'Lo acordamos con el banco en noviembre'
/** Of the moment when it is read: a worker may live past midnight. */
export const sinceToday = {
  get since() {
    return dateInMexico()
  },
}
export const inMs = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()

/** As if the moment of an announced rate had come; returns it. */
export async function begin({ db }: TestServer, id: number): Promise<string> {
  const { valid_from } = await db
    .updateTable('rate')
    .set({ valid_from: sql<string>`clock_timestamp()` })
    .where('id', '=', id)
    .returning('valid_from')
    .executeTakeFirstOrThrow()
  return valid_from
}

export type LeadRow = Pick<Funnel['lead'], 'id' | 'tracking_id'>

/** A commission of 500 with an announced change ahead of it, and leads that have earned it. */
export async function makeEarned(server: TestServer, leads: number, given?: Funnel) {
  const funnel = given ?? (await makeFunnel(server))
  const owner = { commission_id: funnel.commission.id }
  const change = (amount: string, ms = 60_000) => ({ ...owner, amount, valid_from: inMs(ms) })
  const earned: LeadRow[] = []
  for (let count = 0; count < leads; count += 1) earned.push(await earn(funnel, await makeLead(server.db, funnel.ids)))
  return { funnel, owner, change, earned }
}

export async function earn({ client }: Funnel, lead: LeadRow, event_type = 'aprobado') {
  const answer = await client.post(EVENTS, { tracking_id: lead.tracking_id, event_type })
  expect(answer.status, answer.text).toBe(201)
  return lead
}

export async function previewRate(admin: TestClient, body: object): Promise<RatePreview> {
  const answer = await admin.post(`${RATES}preview/`, { ...body, compensation: sinceToday })
  expect(answer.status, answer.text).toBe(200)
  return answer.json().data
}

/** As the dialog does: what was shown is what is sent. */
export async function compensateRate(admin: TestClient, body: object) {
  const { entries, amount } = (await previewRate(admin, body)).compensation as Compensation
  const answer = await admin.post(RATES, { ...body, compensation: { ...sinceToday, note: NOTE, entries, amount } })
  expect(answer.status, answer.text).toBe(201)
  return { id: answer.json().data.id as number, entries, amount }
}

export const listAdjustments = ({ db }: TestServer, { issuer }: Funnel) =>
  db
    .selectFrom('commission_entry')
    .select(['id', 'affiliate_id', 'compensates', 'amount', 'state', 'note', 'due_on', 'product_id', 'author_id'])
    .where('issuer_id', '=', issuer.id)
    .where('kind', '=', 'adjustment')
    .where('of_payment', 'is', null)
    .orderBy('id')
    .execute()
