// npm run bench -- lists [--leads 10000000] [--minutes 10] [--only regexp] [--plans]: how long lists, boards and previews
// take while clicks and events come in. With --plans the plans of the hottest go to bench/plans, and nothing is timed.
import { parseArgs } from 'node:util'
import { makeWorld } from './clicks/world.ts'
import { type Case, listCases } from './list-cases.ts'
import { circumstances, percentile } from './measure.ts'
import { keepPlan } from './plans.ts'
import { keepSection, tableOf } from './results.ts'
import { openStage, type Reader } from './stage.ts'
import { type Asked, EVENTS_PER_SECOND, fillWith, READERS, runTraffic } from './traffic.ts'

const { values } = parseArgs({
  options: {
    leads: { type: 'string', default: '10000000' },
    minutes: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    plans: { type: 'boolean' },
  },
})
const [filled, seconds, only] = [Number(values.leads), Number(values.minutes) * 60, new RegExp(values.only)]
const CLICKS_PER_SECOND = 500

const HOTTEST: Record<string, (each: Case) => boolean> = {
  'leads-page-1': ({ group }) => group === 'leads, page 1',
  'leads-last-page': ({ group }) => group === 'leads, last page',
  'leads-by-external-id-page-50': ({ group, path }) =>
    group === 'leads, every order, page 50' && path.includes('ordering=external_id'),
  'leads-common-text': ({ group, path }) => group === 'leads, one filter with text' && path.includes('utm_source'),
  'leads-two-texts': ({ path }) => path.includes('utm_campaign=tarjeta&external_id='),
  'board-performance-365': ({ group }) => group === 'board performance 365 days',
  'board-network-365': ({ group }) => group === 'board network 365 days',
  'board-funnel-365': ({ group }) => group === 'board funnel 365 days',
  'payment-preview': ({ group }) => group === 'payment preview, a month',
}

const ms = (time: number) => (time < 10 ? time.toFixed(1) : Math.round(time).toString())

/** A row for each group of cases, all readers together; prints the questions over their limit. */
function report(cases: Case[], asked: Asked[]): string {
  const times = Map.groupBy(asked, ({ reader, path }) => `${reader} ${path}`)
  const slow: { median: number; text: string }[] = []
  const rows = [...Map.groupBy(cases, ({ group }) => group)].map(([name, own]) => {
    const all = own.flatMap(({ reader, path }) => times.get(`${reader} ${path}`) ?? [])
    const [limit, took] = [own[0]?.limit ?? 0, all.map((each) => each.ms)]
    if (!took.length) return [name, 0, '', '', limit, 'not asked']
    const p95 = percentile(took, 0.95)
    for (const { reader, path } of own) {
      const mine = (times.get(`${reader} ${path}`) ?? []).map((each) => each.ms)
      const median = mine.length ? percentile(mine, 0.5) : 0
      if (median > limit) slow.push({ median, text: `- ${ms(median)} ms: ${reader} ${path}` })
    }
    const unanswered = all.filter(({ status }) => status !== 200).length
    const verdict = [p95 > limit && 'too slow', unanswered && `${unanswered} not answered`].filter(Boolean).join(', ')
    return [name, took.length, ms(percentile(took, 0.5)), ms(p95), limit, verdict || 'ok']
  })
  const table = tableOf(['milliseconds', 'asked', 'p50', 'p95', 'limit', ''], rows)
  for (const { text } of slow.toSorted((a, b) => b.median - a.median)) console.log(text)
  return `${table}\n\nOver the limit at the median: ${slow.length} of ${cases.length} questions.`
}

const description = circumstances()
const world = await makeWorld((url) => fillWith(url, filled))
try {
  const stage = await openStage(world.databaseUrl)
  const cases = (await listCases(stage)).filter(({ group }) => only.test(group))
  if (values.plans)
    for (const [name, wanted] of Object.entries(HOTTEST)) {
      const found = cases.find((each) => each.reader === 'admin' && wanted(each))
      if (found) await keepPlan(stage, name, found, `${filled} leads`)
    }
  await stage.stop()
  if (!values.plans) {
    const served = await world.startAfluente()
    const pathsOf = (reader: Reader) => cases.filter((each) => each.reader === reader).map(({ path }) => path)
    const paths = { admin: pathsOf('admin'), issuer: pathsOf('issuer'), affiliate: pathsOf('affiliate') }
    const { clicks, asked } = await runTraffic(world, {
      ...{ port: served.port, seconds, clicksPerSecond: CLICKS_PER_SECOND, paths },
    })
    const text = [
      '## Lists and boards',
      `${description}. ${filled.toLocaleString('en')} leads, filled as \`npm run demo:leads\` does; ${READERS} readers who each ask once a second for ${seconds / 60} minutes, beside ${CLICKS_PER_SECOND} clicks and ${EVENTS_PER_SECOND} events a second (clicks: p99 ${ms(percentile(clicks.latencies, 0.99))} ms). Over HTTP, everything on the same machine.`,
      report(cases, asked),
    ].join('\n\n')
    console.log(text)
    if (!values.only) keepSection('lists', text)
    await served.stop()
  }
} finally {
  await world.stop()
}
