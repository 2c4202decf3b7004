// How long lists, boards and previews take among many leads, and how that grows with their number.
import { parseArgs } from 'node:util'
import { type Case, listCases } from './list-cases.ts'
import { load, type Measured, machine, measure, median } from './measure.ts'
import { keepPlan } from './plans.ts'
import { keepSection, tableOf } from './results.ts'
import { type Database, openDatabase, openStage } from './stage.ts'

/** With --plans only those are kept, and nothing is timed. */
const { values } = parseArgs({
  options: {
    leads: { type: 'string' },
    database: { type: 'string' },
    only: { type: 'string', default: '' },
    plans: { type: 'boolean' },
  },
})
/** How many leads to fill a database with, and the address of one that is the largest of all. */
const sizes: (number | string)[] = (values.leads ?? (values.database ? '' : '100000,2000000'))
  .split(',')
  .filter(Boolean)
  .map(Number)
if (values.database) sizes.push(values.database)
const only = new RegExp(values.only)
/** More than this times as long at the large size is too much. */
const GROWTH = 2
/** Below this nobody could tell, and the growth of what takes a millisecond is noise. */
const FLOOR_MS = 10

/** Each takes every size in turn: a machine is quicker in one minute than in another. */
const ROUNDS = 3

type Timed = Case & Measured
interface Run {
  database: Database
  leads: number
  sharedBuffers: string
  cases: Case[]
  /** Of each case, one a round. */
  rounds: Measured[][]
}

const grouped = (count: number) => count.toLocaleString('en-US')
const ms = (time: number) => (time < 10 ? time.toFixed(1) : Math.round(time).toString())

async function openRun(size: number | string): Promise<Run> {
  if (typeof size === 'number') console.log(`${grouped(size)} leads: filling`)
  const database = await openDatabase(size)
  const stage = await openStage(database.url)
  const cases = (await listCases(stage)).filter(({ group }) => only.test(group))
  const { sharedBuffers } = stage
  await stage.stop()
  return { database, leads: typeof size === 'number' ? size : stage.leads, sharedBuffers, cases, rounds: [] }
}

async function timeRound({ database, cases, rounds }: Run): Promise<void> {
  const stage = await openStage(database.url)
  let group = ''
  for (const [index, each] of cases.entries()) {
    if (each.group !== group) await stage.signIn()
    group = each.group
    const times = await measure(stage, each)
    rounds[index] = [...(rounds[index] ?? []), times]
    const mark = times.p95 > each.limit ? ' !' : ''
    console.log(`${each.group} | ${each.reader} | ${each.path} | ${ms(times.p50)} | ${ms(times.p95)}${mark}`)
  }
  await stage.stop()
}

/** The medians of the rounds. */
const timedOf = ({ cases, rounds }: Run): Timed[] =>
  cases.map((each, index) => {
    const times = rounds[index] ?? []
    return { ...each, p50: median(times.map(({ p50 }) => p50)), p95: median(times.map(({ p95 }) => p95)) }
  })

const hottest: Record<string, (each: Case) => boolean> = {
  'leads-page-1': ({ group }) => group === 'leads, page 1',
  'leads-last-page': ({ group }) => group === 'leads, last page',
  'leads-by-id-last-page': ({ group, path }) =>
    group === 'leads, every order, last page' && path.includes('ordering=id'),
  'leads-by-external-id-page-50': ({ group, path }) =>
    group === 'leads, every order, page 50' && path.includes('ordering=external_id'),
  'leads-common-text': ({ group, path }) => group === 'leads, one filter' && path.includes('utm_source'),
  'leads-two-texts': ({ path }) => path.includes('utm_campaign=tarjeta&external_id='),
  'board-performance-365': ({ group }) => group === 'board performance 365 days',
  'board-network-365': ({ group }) => group === 'board network 365 days',
  'board-funnel-365': ({ group }) => group === 'board funnel 365 days',
  'payment-preview': ({ group }) => group === 'payment preview, a month',
}

async function keepPlans({ database, cases, leads }: Run): Promise<void> {
  const stage = await openStage(database.url)
  for (const [name, wanted] of Object.entries(hottest)) {
    const found = cases.find((each) => each.reader === 'admin' && wanted(each))
    if (found) await keepPlan(stage, name, found, `${grouped(leads)} leads`)
  }
  await stage.stop()
}

const nameOf = ({ group, reader, path }: Case) => `${group} · ${reader} · ${path}`

const worst = (timed: Timed[]) => timed.toSorted((a, b) => b.p95 - a.p95)[0] as Timed
const keyOf = ({ group, reader }: Case) => `${group} ${reader}`

/** What misses its limit among so many leads, or takes more than `GROWTH` times as long as among the fewest. */
function verdictOf(now: Timed, before: Timed): { growth: string; verdict: string } {
  const growth = now.p50 / Math.max(before.p50, FLOOR_MS)
  const misses = [now.p95 > now.limit && 'too slow', growth > GROWTH && 'grows'].filter(Boolean)
  return { growth: growth.toFixed(1), verdict: misses.join(', ') || 'ok' }
}

/** The slowest of each group and reader; then whatever exceeds its limit. */
function report(runs: Run[], loads: string[]): string {
  const groups = runs.map((run) => Map.groupBy(timedOf(run), keyOf))
  // One alone is judged, too.
  const larger = runs.length > 1 ? runs.slice(1) : runs
  const rows = [...(groups[0] ?? [])].map(([key, timed]) => {
    const shown = groups.map((group) => worst(group.get(key) ?? []))
    const before = worst(timed)
    const verdicts = shown.slice(-larger.length).map((now) => verdictOf(now, before))
    return [
      `${before.group}, ${before.reader}${timed.length > 1 ? ` (worst of ${timed.length})` : ''}`,
      ...shown.flatMap(({ p50, p95 }) => [ms(p50), ms(p95)]),
      ...verdicts.map(({ growth }) => growth),
      before.limit,
      ...verdicts.map(({ verdict }) => verdict),
    ]
  })
  const counts = larger.map(({ leads }) => grouped(leads))
  return [
    '## Lists and boards',
    `Measured ${new Date().toISOString().slice(0, 10)} on ${machine()}, over HTTP with server, reader and PostgreSQL ` +
      `(shared buffers: ${runs.map((run) => run.sharedBuffers).join(', ')}) on the same machine. Load average of the machine: ` +
      `${loads.join(', ')}; each figure is of one request at a time, and the median of ${ROUNDS} rounds that take the sizes in turn. ` +
      `Growth is that of the median, times under ${FLOOR_MS} ms counting as ${FLOOR_MS}.`,
    tableOf(
      [
        'milliseconds',
        ...runs.flatMap(({ leads }) => [`p50 at ${grouped(leads)}`, `p95 at ${grouped(leads)}`]),
        ...counts.map((count) => `growth to ${count}`),
        'limit',
        ...counts.map((count) => `at ${count}`),
      ],
      rows,
    ),
    ...larger.map((run) => {
      const slow = timedOf(run).filter((each) => each.p95 > each.limit)
      const lines = slow.map((each) => `- ${ms(each.p95)} ms: ${nameOf(each)}`).join('\n')
      return slow.length ? `Over the limit at ${grouped(run.leads)} leads, all of them:\n\n${lines}` : ''
    }),
  ]
    .filter(Boolean)
    .join('\n\n')
}

const runs: Run[] = []
const loads: string[] = []
try {
  for (const size of sizes) runs.push(await openRun(size))
  for (let round = 0; round < ROUNDS && !values.plans; round++) {
    loads.push(load())
    for (const run of runs) await timeRound(run)
  }
  const largest = runs.at(-1)
  if (largest && !values.only) await keepPlans(largest)
  if (values.only) console.log(report(runs, loads))
  else if (!values.plans) keepSection('lists', report(runs, loads))
} finally {
  for (const { database } of runs) await database.stop()
}
