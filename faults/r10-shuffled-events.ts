import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { promise } from '#bench/figures.ts'
import { EVENTS, entriesOf, eventsOf, type Funnel, makeFunnel, type TypeName } from '#server/events/testing.ts'
import { makeLead, type TestClient } from '#server/testing.ts'
import type { Fault } from './fault.ts'
import { type Product, withProduct } from './product.ts'

const RUNS = 300
const LEADS = 3
const types: TypeName[] = ['step_1', 'step_2', 'aprobado', 'rechazado', 'entregado']

/** Events of some leads, another order of the same events with repetitions, and in how many streams they are sent. */
const histories = fc
  .array(fc.record({ lead: fc.nat(LEADS - 1), type: fc.constantFrom(...types) }), { minLength: 1, maxLength: 14 })
  .map((events) => events.map((event, number) => ({ ...event, number })))
  .chain((events) =>
    fc.record({
      events: fc.constant(events),
      shuffled: fc
        .shuffledSubarray([...events, ...events, ...events], { minLength: events.length })
        .map((some) => [...some, ...events.filter((event) => !some.includes(event))]),
      streams: fc.integer({ min: 1, max: 6 }),
    }),
  )
type History = typeof histories extends fc.Arbitrary<infer T> ? T : never
type Event = History['events'][number]
type Lead = Awaited<ReturnType<typeof makeLead>>

const send = ({ client }: Funnel, lead: Lead | undefined, mark: string, { type, number }: Event) =>
  client.post(EVENTS, { tracking_id: lead?.tracking_id, event_type: type, event_id: `${mark} ${number}` })

/** Everything of each lead that must not depend on the order. */
async function outcomeOf(product: Product, leads: Lead[], mark: string) {
  const outcomes = []
  for (const { id } of leads) {
    const events = (await eventsOf(product, id)).map(
      ({ event_id, step_id }) => `${event_id?.slice(mark.length)} ${step_id}`,
    )
    const entries = (await entriesOf(product, id)).map(({ step_id, amount, state }) => `${step_id} ${amount} ${state}`)
    outcomes.push({ events: events.sort(), entries: entries.sort() })
  }
  return outcomes
}

async function expectSorted(admin: TestClient, leads: Lead[]): Promise<void> {
  for (const { id } of leads) {
    const { events } = (await admin.get(`/api/v1/leads/${id}/`)).json().data
    const moments: string[] = events.map((event: { created_at: string }) => event.created_at)
    const order = moments.every((moment, index) => index === 0 || moment <= (moments[index - 1] ?? ''))
    promise(moments.length > 0 && order, 'A timeline is out of order', { moments: moments.join(' ') })
  }
}

let marks = 0
async function compare(product: Product, funnel: Funnel, admin: TestClient, history: History): Promise<number> {
  marks += 1
  const [straight, shuffled] = [`s${marks}`, `t${marks}`]
  const make = () => Promise.all(Array.from({ length: LEADS }, () => makeLead(product.db, funnel.ids)))
  const [ours, theirs] = [await make(), await make()]
  for (const event of history.events) await send(funnel, ours[event.lead], straight, event)
  const waiting = [...history.shuffled]
  const stream = async () => {
    for (let event = waiting.shift(); event; event = waiting.shift()) {
      const { status } = await send(funnel, theirs[event.lead], shuffled, event)
      promise(status === 201 || status === 200, 'An event was refused', { status })
    }
  }
  await Promise.all(Array.from({ length: history.streams }, stream))
  const [plain, other] = [await outcomeOf(product, ours, straight), await outcomeOf(product, theirs, shuffled)]
  promise(isDeepStrictEqual(plain, other), 'The order made a difference', {
    plain: JSON.stringify(plain),
    other: JSON.stringify(other),
  })
  await expectSorted(admin, theirs)
  return history.events.length + history.shuffled.length
}

export const fault: Fault = {
  id: 'R10',
  title: 'events of several leads come in any order, again and again, and at once',
  run: ({ short, say }) =>
    withProduct(async (product) => {
      const funnel = await makeFunnel(product)
      const admin = await product.as({ role: 'admin' })
      let [compared, sent] = [0, 0]
      await fc.assert(
        fc.asyncProperty(histories, async (history) => {
          sent += await compare(product, funnel, admin, history)
          compared += 1
          if (compared % 50 === 0) say(`${compared} histories, ${sent} events`)
        }),
        { numRuns: short ? 10 : RUNS },
      )
      return { histories: compared, 'events sent': sent }
    }),
}
