// npm run bench -- copies [sessions taps …]: two copies of the product on one PostgreSQL behind a balancer, and whether
// they behave as one. A run of all parts writes its figures to faults/RESULTS.md.
import { changes } from './copies/changes.ts'
import type { Check } from './copies/check.ts'
import { killed } from './copies/killed.ts'
import { limits } from './copies/limits.ts'
import { sessions } from './copies/sessions.ts'
import { signIns } from './copies/sign-ins.ts'
import { parted, standby } from './copies/standby.ts'
import { taps } from './copies/taps.ts'
import { openWorld } from './copies/world.ts'
import { textOf } from './figures.ts'
import { circumstances } from './measure.ts'
import { keepSection, tableOf } from './results.ts'

const CHECKS: Check[] = [sessions, signIns, changes, taps, limits, killed, standby, parted]

const say = (text: string): void => console.log(text)
const names = CHECKS.map(({ name }) => name)
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length) throw new Error(`${unknown.join(', ')}? There are ${names.join(', ')}.`)

async function tryOut({ title, run }: Check): Promise<{ passed: boolean; row: string[] }> {
  const began = performance.now()
  try {
    const figures = textOf(await run(world))
    say(`kept: ${title} (${((performance.now() - began) / 1000).toFixed(0)} s): ${figures}`)
    return { passed: true, row: [title, 'yes', figures] }
  } catch (error) {
    console.error(`NOT KEPT: ${title}`, error)
    return { passed: false, row: [title, '**no**', error instanceof Error ? error.message : String(error)] }
  }
}

const description = circumstances()
const world = await openWorld()
const outcomes: Awaited<ReturnType<typeof tryOut>>[] = []
try {
  for (const check of CHECKS) if (!wanted.length || wanted.includes(check.name)) outcomes.push(await tryOut(check))
} finally {
  await world.remove()
}
const broken = outcomes.filter(({ passed }) => !passed).length
if (!wanted.length) {
  const text =
    'Two servers, each with a `DATA_DIR` of its own, on one PostgreSQL; requests go to one, to the other, or through a balancer. `lost` and `doubled` compare a flushed journal of every attempt and answer with the database.'
  const table = tableOf(
    ['', 'kept', 'figures'],
    outcomes.map(({ row }) => row),
  )
  keepSection('copies', `## Two copies\n\n${description}. ${text}\n\n${table}`, 'faults')
}
say(`${outcomes.length - broken} of ${outcomes.length} kept`)
process.exitCode = broken ? 1 : 0
