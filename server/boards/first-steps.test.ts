import { afterAll, beforeAll, expect, test } from 'vitest'
import { metrics } from '#contract/metrics.ts'
import {
  makeAffiliate,
  makeCommission,
  makeIssuer,
  makeProduct,
  makeRelationship,
  makeStep,
  startServer,
  type TestServer,
} from '../testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const done = async (): Promise<string[]> => {
  const answer = await (await server.as({ role: 'admin' })).get(metrics.firstSteps.path)
  return Object.entries(answer.json().data).flatMap(([step, isDone]) => (isDone ? [step] : []))
}

test('each step is done once its row is there', async () => {
  const { db } = server
  expect(await done()).toEqual([])
  const issuer = await makeIssuer(db)
  expect(await done()).toEqual(['issuer'])
  const product = await makeProduct(db, { issuer_id: issuer.id })
  expect(await done()).toEqual(['issuer', 'product'])
  await makeStep(db, { product_id: product.id })
  expect(await done()).toEqual(['issuer', 'product', 'event_step'])
  const affiliate = await makeAffiliate(db)
  expect(await done()).toEqual(['issuer', 'product', 'event_step', 'affiliate'])
  const pair = { issuer_id: issuer.id, affiliate_id: affiliate.id }
  const relationship = await makeRelationship(db, { ...pair, relationship_status: 'inactive' })
  expect(await done()).toEqual(['issuer', 'product', 'event_step', 'affiliate'])
  await db.updateTable('relationship').set({ relationship_status: 'active' }).execute()
  expect(await done()).toEqual(['issuer', 'product', 'event_step', 'affiliate', 'relationship'])
  await makeCommission(db, { ...pair, product_id: product.id, relationship_id: relationship.id })
  expect(await done()).toEqual(['issuer', 'product', 'event_step', 'affiliate', 'relationship', 'commission'])
  const receipt = { issuer_id: issuer.id, is_test: true, source: 'api' }
  await db
    .insertInto('event_receipt')
    .values({ ...receipt, verdict: 'rejected', code: 'STEP_UNKNOWN' })
    .execute()
  expect(await done()).not.toContain('event')
  await db
    .insertInto('event_receipt')
    .values({ ...receipt, verdict: 'accepted', code: 'CREATED' })
    .execute()
  expect(await done()).toEqual(['issuer', 'product', 'event_step', 'affiliate', 'relationship', 'commission', 'event'])
})

test('what is removed is to be done again', async () => {
  const before = await done()
  await server.db.updateTable('commission').set({ archived_at: new Date().toISOString() }).execute()
  expect(await done()).toEqual(before.filter((step) => step !== 'commission'))
})
