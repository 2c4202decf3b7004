import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { SECRET } from '#bench/clicks/world.ts'
import { type Figures, promise } from '#bench/figures.ts'
import type { Answered } from '#bench/journal/client.ts'
import { percentile } from '#bench/measure.ts'
import type { Db } from '#db/connect.ts'
import { makeReceiver } from '#db/factories.ts'
import { ReceiverSecrets } from '#server/deliveries/secrets.ts'
import type { Fault, Options } from './fault.ts'
import { type Receivers, startReceivers } from './receivers.ts'
import { type FaultWorld, inWorld } from './world.ts'

const LONG = { quietMs: 30_000, kills: 12, pauseMs: 10_000, clicks: 100, events: 20, each: 2 }
const SHORT = { quietMs: 1_000, kills: 1, pauseMs: 2_000, clicks: 20, events: 10, each: 1 }
const SOON_MS = 60_000
/** Beside the receivers, events may be this much later at most: a pause of the machine is not theirs. */
const LATER_MS = 50

interface Receiving {
  each: number
  good: string
  bad: Record<string, string>
}

/** Of the affiliate that the events are of: a good one, and some of each kind of bad ones. Returns the good one's id. */
async function addReceivers(db: Db, { links }: FaultWorld, { each, good, bad }: Receiving): Promise<number> {
  const owner = { affiliate_id: links.relationships[0]?.affiliate_id ?? null, issuer_id: null }
  const secrets = new ReceiverSecrets(SECRET)
  const add = (name: string, url: string) =>
    makeReceiver(db, {
      ...owner,
      ...{ name, url, secret: secrets.create(owner).sealed, kek_id: secrets.keyId, per_second: 50 },
    })
  for (const [name, url] of Object.entries(bad))
    for (let number = 0; number < each; number += 1) await add(`${name} ${number}`, url)
  return (await add('good', good)).id
}

/** As if the day of a receiver that was down had passed. */
const letADayPass = (db: Db, id: number) =>
  sql`with rested as (update receiver set rest_until = now() where id = ${id})
    update delivery set next_at = now(), claimed_until = null where receiver_id = ${id} and state = 'waiting'`.execute(
    db,
  )

interface Counts {
  made: number
  delivered: number
  others_delivered: number
  attempts_max: number
}

async function readCounts(db: Db, good: number): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select count(*) filter (where receiver_id = ${good})::int as made,
      count(*) filter (where receiver_id = ${good} and state = 'delivered')::int as delivered,
      count(*) filter (where receiver_id <> ${good} and state = 'delivered')::int as others_delivered,
      coalesce(max(attempts) filter (where receiver_id <> ${good}), 0)::int as attempts_max
    from delivery`.execute(db)
  return rows[0] as Counts
}

async function readEvents(db: Db): Promise<number> {
  const { rows } = await sql<{ events: number }>`select count(*)::int as events from lead_event`.execute(db)
  return rows[0]?.events ?? 0
}

interface Timed {
  /** Of acknowledged events, milliseconds. */
  quiet: number[]
  beside: number[]
}

const textOfTimes = ({ quiet, beside }: Timed): Figures => ({
  'event p99 ms before': Math.round(percentile(quiet, 0.99)),
  'event p99 ms beside': Math.round(percentile(beside, 0.99)),
})

/** Until everything that happened is delivered to the good one, or it takes too long. */
async function untilDelivered(world: FaultWorld, id: number, events: number): Promise<Counts> {
  for (const end = Date.now() + SOON_MS; ; await wait(500)) {
    await world.ask((db) => letADayPass(db, id))
    const counts = await world.ask((db) => readCounts(db, id))
    // Those of events that came while the receivers were added may be of either side.
    if ((counts.made >= events && counts.delivered === counts.made) || Date.now() > end) return counts
  }
}

/** Events before there are receivers, beside them, and while the server is killed and the good one is down. */
async function misbehave(world: FaultWorld, receivers: Receivers, { short, say }: Pick<Options, 'short' | 'say'>) {
  const { quietMs, kills, pauseMs, clicks, events, each } = short ? SHORT : LONG
  const server = await world.start({ DELIVER_TO_LOOPBACK: '1' })
  const times: number[] = []
  const heard = ({ kind, acknowledged, milliseconds }: Answered) => {
    if (kind === 'event' && acknowledged) times.push(milliseconds)
  }
  const load = await world.load(server, { clicks, events, heard, insist: true })
  await wait(quietMs)
  const quiet = times.splice(0)
  const { good, bad } = receivers
  const id = await world.ask((db) => addReceivers(db, world, { each, good: good.url, bad }))
  const since = await world.ask(readEvents)
  await wait(quietMs)
  const beside = times.splice(0)
  const quietly = good.taken.size
  for (let round = 1; round <= kills; round += 1) {
    good.isUp = round % 3 === 0
    await wait(pauseMs)
    await server.kill()
    await server.untilReady()
    say(`kill ${round}: ${good.taken.size} taken`)
  }
  const between = good.taken.size
  const stored = await load.check()
  good.isUp = true
  const told = (await world.ask(readEvents)) - since
  const counts = await untilDelivered(world, id, told)
  return { counts, told, stored, timed: { quiet, beside }, kills, between: between - quietly }
}

export const fault: Fault = {
  id: 'R20',
  title: 'receivers hang, fail, redirect and flood, one is down for a day, and the server is killed meanwhile',
  run: ({ short, say, world: given }) =>
    inWorld({ embedded: true, small: short, world: given }, async (world) => {
      const receivers = await startReceivers()
      try {
        const { counts, told, stored, timed, kills, between } = await misbehave(world, receivers, { short, say })
        const { made, delivered, others_delivered, attempts_max } = counts
        const taken = [...receivers.good.taken.values()]
        const figures = {
          ...{ kills, deliveries: made, delivered, taken: taken.length },
          'taken between kills': between,
          'taken more than once': taken.filter((times) => times > 1).length,
          ...{ 'by bad ones': others_delivered, 'attempts at most': attempts_max },
          ...{ 'requests to where a redirect leads': receivers.redirected(), ...textOfTimes(timed), ...stored },
        }
        promise(made >= told && delivered === made, 'A delivery is missing', figures)
        promise(taken.length === made, 'A delivery has not one id', figures)
        promise(receivers.redirected() === 0, 'A redirect was followed', figures)
        promise(others_delivered === 0, 'A bad answer counts as a good one', figures)
        const later = percentile(timed.beside, 0.99) - percentile(timed.quiet, 0.99)
        if (!short) promise(later <= LATER_MS, 'Events are slower', figures)
        return figures
      } finally {
        await world.stop()
        await receivers.close()
      }
    }),
}
