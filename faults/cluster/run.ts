import { setTimeout as wait } from 'node:timers/promises'
import { type Figures, promise, textOf } from '#bench/figures.ts'
import { countStored } from '#bench/journal/check.ts'
import { startLoad } from '#bench/journal/load.ts'
import { Payments } from '#bench/journal/payments.ts'
import { circumstances } from '#bench/measure.ts'
import { keepSection, readSection, tableOf } from '#bench/results.ts'
import { connect } from '#db/connect.ts'
import { NotRun } from '../fault.ts'
import { BREAKS, type Break } from './breaks.ts'
import { ClusterWorld } from './world.ts'

const RATES = { clicks: 50, events: 5, insist: true, againMs: 2_000 }
const BEFORE_MS = 4_000
const AFTER_MS = 3_000
const say = (text: string): void => console.log(text)

type Kind = 'click' | 'event' | 'payment'

/** When something of each kind was acknowledged. */
class Acknowledged {
  readonly #times: Record<Kind, number[]> = { click: [], event: [], payment: [] }

  hear(kind: Kind): void {
    this.#times[kind].push(performance.now())
  }

  /** The longest time without any, in seconds. */
  silence(kind: Kind): number {
    const times = this.#times[kind]
    const longest = Math.max(...times.map((time, index) => time - (times[index - 1] ?? time)))
    return Number((longest / 1000).toFixed(1))
  }
}

const COLUMNS = [
  ...['without events s', 'without payments s', 'without redirects s', 'clicks refused', 'whole again s'],
  ...['clicks', 'events', 'payments acknowledged', 'clicks lost', 'events lost', 'payments lost', 'doubled'],
]

interface Outcome {
  title: string
  kept: string
  figures: Figures
}

async function load(world: ClusterWorld, mark: string) {
  const { links, ask, ports, folder, databaseUrl } = world
  if (!links || !ask) throw new Error('The world is not open')
  const acknowledged = new Acknowledged()
  const heard = (answered: { kind: Kind; acknowledged: boolean }) => {
    if (answered.acknowledged) acknowledged.hear(answered.kind)
  }
  const ground = { folder, databaseUrl: () => databaseUrl, ask }
  const { client, journal } = await startLoad(ground, ports.web, { ...RATES, heard }, mark)
  const relationship = links.relationships[0]?.relationship_id ?? 0
  const payments = new Payments(ports.web, relationship, () => acknowledged.hear('payment'))
  return { client, journal, payments, acknowledged }
}

async function tryOut(world: ClusterWorld, each: Break): Promise<Figures> {
  const { name, run, asynchronous = false } = each
  // With a standby that has everything acknowledged, a limit for how far it may lag only keeps it from taking over.
  await world.configure({ synchronous_mode: !asynchronous, maximum_lag_on_failover: asynchronous ? 2 ** 20 : 2 ** 30 })
  await world.untilWhole({ synchronous: !asynchronous })
  const { client, journal, payments, acknowledged } = await load(world, name)
  let whole = 0
  try {
    await wait(BEFORE_MS)
    await run(world).finally(() => world.mend())
    const mended = performance.now()
    await world.untilWhole({ synchronous: !asynchronous })
    whole = performance.now() - mended
    await client.untilAcknowledged('event', performance.now())
    await wait(AFTER_MS)
  } finally {
    await Promise.all([client.stop(), payments.stop()])
    await journal.close()
  }
  say(`answered otherwise: ${textOf(client.failures) || 'nothing'}`)
  const silences = {
    'without events s': acknowledged.silence('event'),
    'without payments s': acknowledged.silence('payment'),
    'without redirects s': acknowledged.silence('click'),
    'whole again s': Math.round(whole / 1000),
    'clicks refused': client.refused('click'),
  }
  return { ...silences, ...(await check(world, journal.path, each, payments)) }
}

/** Throws unless everything acknowledged is there once; what asynchronous replication lost is in the figures. */
async function check(
  world: ClusterWorld,
  journal: string,
  { name, repeated = false }: Break,
  payments: Payments,
): Promise<Figures> {
  const { ofClicks, ofEvents, figures, errors } = await countStored(world.databaseUrl, journal, `${name}-`)
  const db = connect(world.databaseUrl, { max: 1, statementTimeoutMs: 60_000 })
  try {
    const all = {
      ...{ clicks: figures.acknowledged ?? 0, events: figures['events acknowledged'] ?? 0 },
      ...(await payments.count(db)),
      ...{ 'clicks lost': ofClicks.lost, 'events lost': ofEvents.lost, doubled: figures.doubled ?? 0 },
    }
    promise(!ofEvents.doubled && !ofEvents.wrong, 'An event is stored twice or otherwise', all)
    promise(repeated || (!ofClicks.doubled && !ofClicks.wrong), 'A click is stored twice or otherwise', all)
    promise(!errors.length, 'The sums do not say what the rows say', all)
    return all
  } finally {
    await db.destroy()
  }
}

const lostOf = (figures: Figures): number =>
  ['clicks lost', 'events lost', 'payments lost'].reduce((sum, name) => sum + Number(figures[name]), 0)

async function outcomeOf(world: ClusterWorld, each: Break): Promise<Outcome> {
  say(`\n${each.name}: ${each.title}`)
  try {
    const figures = await tryOut(world, each)
    say(textOf(figures))
    const kept = each.asynchronous ? 'not promised' : lostOf(figures) ? '**no**' : 'yes'
    return { title: each.title, kept, figures }
  } catch (error) {
    console.error(error)
    return { title: each.title, kept: error instanceof NotRun ? 'not run' : '**no**', figures: {} }
  }
}

/** A run of some preserves the rows of the others. */
function keep(outcomes: Outcome[]): void {
  const head = ['', 'kept', ...COLUMNS]
  const before = readSection('cluster', 'faults')
    .split('\n')
    .map((line) => line.slice(2, -2).split(' | '))
  const rows = BREAKS.flatMap(({ title }) => {
    const now = outcomes.find((each) => each.title === title)
    const row = now ? [title, now.kept, ...COLUMNS.map((name) => now.figures[name] ?? '')] : undefined
    return [row ?? before.find(([first]) => first === title) ?? []]
  }).filter(({ length }) => length)
  const text =
    'Three machines on one: PostgreSQL 15 under Patroni 3.0 (`synchronous_mode_strict`), etcd 3.4 and HAProxy 2.6, two copies of the server; the files are in `docs/operacion-cluster.md`. 50 clicks, 5 events and up to two payments a second, each event repeated until it is acknowledged. `without …` is the longest time without an acknowledged one, `clicks refused` those without a 302, `whole again` the time from the mending to three machines that follow each other.'
  keepSection('cluster', `## Three machines\n\n${circumstances()}. ${text}\n\n${tableOf(head, rows)}`, 'faults')
}

/** Whether all that is promised was kept; the figures go to faults/RESULTS.md. */
export async function breakCluster(wanted: string[]): Promise<boolean> {
  const unknown = wanted.filter((name) => !BREAKS.some((each) => each.name === name))
  if (unknown.length) throw new Error(`${unknown.join(', ')}? There are ${BREAKS.map(({ name }) => name).join(', ')}.`)
  const world = await ClusterWorld.open()
  const outcomes: Outcome[] = []
  try {
    for (const each of BREAKS) {
      if (wanted.length && !wanted.includes(each.name)) continue
      outcomes.push(await outcomeOf(world, each))
      keep(outcomes)
    }
  } finally {
    await world.remove()
  }
  return !outcomes.some(({ kept }) => kept === '**no**')
}
