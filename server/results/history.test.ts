import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, dateInMexico } from '#contract/time.ts'
import { historiesOr } from '#db/testing.ts'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { closeAll } from '../leads/partitions.testing.ts'
import { makeLead, startServer, type TestClient, type TestServer } from '../testing.ts'
import { untilStored } from '../totals/testing.ts'
import { foldResults } from './fold.ts'
import { readResultDrift } from './recount.ts'
import { foldAllResults } from './testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const GROUNDS = { folio: 'ARCO-1', reason: 'solicitud de la persona titular' }
const TODAY = dateInMexico()

type Step =
  | { kind: 'lead'; age: number; source: string; sub: string }
  | { kind: 'event'; lead: number; type: string }
  | { kind: 'erase'; lead: number }
  | { kind: 'fold' }
  | { kind: 'close' }

const is = <K extends Step['kind']>(kind: K) => fc.constant(kind)
const source = fc.constantFrom('', 'a', 'b')
/** A value may look like the name of the rest. */
const sub = fc.constantFrom('', 'x', 'y', '(otros)')
const type = fc.constantFrom('step_1', 'aprobado', 'entregado', 'rechazado')
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: is('lead'), age: fc.nat(3), source, sub }) },
  { weight: 6, arbitrary: fc.record({ kind: is('event'), lead: fc.nat(5), type }) },
  { weight: 1, arbitrary: fc.record({ kind: is('erase'), lead: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ kind: is('fold') }) },
  { weight: 1, arbitrary: fc.record({ kind: is('close') }) },
)

/** A funnel and what people and systems do to it. */
async function makeWorld() {
  const { ids, client } = await makeFunnel(server)
  const leads: { id: number; tracking_id: string }[] = []
  const click = async ({ age, source, sub }: Extract<Step, { kind: 'lead' }>) => {
    const created_at = `${addDays(TODAY, -1 - age)}T18:00:00Z`
    const lead_data = sql`${JSON.stringify({ params: { sub3: sub } })}::jsonb`
    leads.push(await untilStored(() => makeLead(server.db, { ...ids, created_at, utm_source: source, lead_data })))
  }
  const run = async (step: Step) => {
    if (step.kind === 'fold') await foldResults(server.appDb, 3)
    else if (step.kind === 'close') await closeAll(server)
    else if (step.kind === 'lead') await click(step)
    else {
      const lead = leads[step.lead]
      if (!lead) return
      const { id, tracking_id } = lead
      const { status } =
        step.kind === 'erase'
          ? await admin.post(`/api/v1/privacy/leads/${id}/erase/`, GROUNDS)
          : await client.post(EVENTS, { tracking_id, event_type: step.type, event_id: `${id} ${step.type}` })
      expect([200, 201]).toContain(status)
    }
  }
  const look = async () => {
    const affiliate = await server.as({ role: 'affiliate', affiliateId: ids.affiliate_id })
    const period = `from=${addDays(TODAY, -20)}&to=${TODAY}`
    const { totals } = (await affiliate.get(`/api/v1/results/?${period}&dimension=sub3`)).json().data
    // One more that the funnel begins with.
    expect(totals.leads).toBe(leads.length + 1)
  }
  return { run, look }
}

async function expectRecounted({ look }: Awaited<ReturnType<typeof makeWorld>>): Promise<void> {
  await look()
  expect(await readResultDrift(server.db)).toEqual([])
  await foldAllResults(server)
  expect(await readResultDrift(server.db)).toEqual([])
  await look()
}

test('after any history results equal a recount', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 12, maxLength: 30, size: 'max' }), async (steps) => {
      const world = await makeWorld()
      for (const step of steps) await world.run(step)
      await expectRecounted(world)
    }),
    { numRuns: historiesOr(4) },
  )
})

test('also when all happens at once, without deadlocks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 20, maxLength: 40, size: 'max' }), async (steps) => {
      const world = await makeWorld()
      for (const step of steps) if (step.kind === 'lead') await world.run(step)
      await Promise.all(steps.filter(({ kind }) => kind !== 'lead').map(world.run))
      await expectRecounted(world)
    }),
    { numRuns: historiesOr(3) },
  )
})
