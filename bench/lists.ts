// How long lists, boards and previews take among many leads, and how that grows with their number.
import { parseArgs } from 'node:util'
import { type Case, listCases } from './list-cases.ts'
import { load, type Measured, machine, measure } from './measure.ts'
import { keepPlan } from './plans.ts'
import { keepSection, tableOf } from './results.ts'
import { openStage, type Stage } from './stage.ts'

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

type Timed = Case & Measured
interface Run {
  leads: number
  sharedBuffers: string
  load: string
  timed: Timed[]
}

const grouped = (count: number) => count.toLocaleString('en-US')
const ms = (time: number) => (time < 10 ? time.toFixed(1) : Math.round(time).toString())

async function runAt(size: number | string, isLargest: boolean): Promise<Run> {
  if (typeof size === 'number') console.log(`${grouped(size)} leads: filling`)
  const stage = await openStage(size)
  const leads = typeof size === 'number' ? size : stage.leads
  try {
    const before = load()
    const cases = (await listCases(stage)).filter(({ group }) => only.test(group))
    const timed: Timed[] = []
    let group = ''
    for (const each of values.plans ? [] : cases) {
      if (each.group !== group) await stage.signIn()
      group = each.group
      const times = await measure(stage, each)
      timed.push({ ...each, ...times })
      const mark = times.p95 > each.limit ? ' !' : ''
      console.log(`${each.group} | ${each.reader} | ${each.path} | ${ms(times.p50)} | ${ms(times.p95)}${mark}`)
    }
    if (isLargest && !values.only) await keepPlans(stage, cases, leads)
    return { leads, sharedBuffers: stage.sharedBuffers, load: `${before} to ${load()}`, timed }
  } finally {
    await stage.stop()
  }
}

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

async function keepPlans(stage: Stage, cases: Case[], leads: number): Promise<void> {
  for (const [name, wanted] of Object.entries(hottest)) {
    const found = cases.find((each) => each.reader === 'admin' && wanted(each))
    if (found) await keepPlan(stage, name, found, `${grouped(leads)} leads`)
  }
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
function report(runs: Run[]): string {
  const groups = runs.map(({ timed }) => Map.groupBy(timed, keyOf))
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
      `${runs.map((run) => `${run.load} at ${grouped(run.leads)} leads`).join(', ')}; each figure is of one request at a time. ` +
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
    ...larger.map(({ leads, timed }) => {
      const slow = timed.filter((each) => each.p95 > each.limit)
      const lines = slow.map((each) => `- ${ms(each.p95)} ms: ${nameOf(each)}`).join('\n')
      return slow.length ? `Over the limit at ${grouped(leads)} leads, all of them:\n\n${lines}` : ''
    }),
  ]
    .filter(Boolean)
    .join('\n\n')
}

const runs: Run[] = []
for (const [index, size] of sizes.entries()) runs.push(await runAt(size, index === sizes.length - 1))
if (values.only) console.log(report(runs))
else if (!values.plans) keepSection('lists', report(runs))
