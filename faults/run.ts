// npm run faults [-- R1 R3] [--short]: breaks what the product depends on and checks its promises. The long
// versions write their figures to faults/RESULTS.md; the short ones print theirs.
// npm run faults -- cluster [machine disk …]: the same to three machines with replication.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { textOf } from '#bench/figures.ts'
import { keepSection, readSection, tableOf } from '#bench/results.ts'
import { breakCluster } from './cluster/run.ts'
import { type Fault, NotRun } from './fault.ts'

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const { short } = values

const FOLDER = import.meta.dirname
const numberOf = (id: string): number => Number(id.slice(1))
const say = (text: string): void => console.log(text)

async function findFaults(): Promise<Fault[]> {
  const files = readdirSync(FOLDER).filter((file) => /^r\d\d-.*\.ts$/.test(file) && !file.includes('.test.'))
  const modules = await Promise.all(files.map((file): Promise<{ fault: Fault }> => import(join(FOLDER, file))))
  return modules.map(({ fault }) => fault).sort((a, b) => numberOf(a.id) - numberOf(b.id))
}

function choose(faults: Fault[]): Fault[] {
  const wanted = positionals.map((text) => text.toUpperCase())
  const unknown = wanted.filter((id) => !faults.some((fault) => fault.id === id))
  if (unknown.length) throw new Error(`${unknown.join(', ')}? There are ${faults.map(({ id }) => id).join(', ')}.`)
  return wanted.length ? faults.filter(({ id }) => wanted.includes(id)) : faults
}

interface Outcome {
  name: string
  kept: 'yes' | 'no' | 'not run'
  figures: string
}

async function tryOut({ id, title, run }: Fault): Promise<Outcome> {
  say(`\n${id} ${title}`)
  const name = `${id} ${title}`
  try {
    const figures = textOf(await run({ short, say }))
    say(`kept: ${figures}`)
    return { name, kept: 'yes', figures }
  } catch (error) {
    const notRun = error instanceof NotRun
    console.error(notRun ? error.message : error)
    return { name, kept: notRun ? 'not run' : 'no', figures: error instanceof Error ? error.message : String(error) }
  }
}

/** A run of some faults preserves the rows of the others. */
function keep({ name, kept, figures }: Outcome): void {
  const head = ['', 'kept', 'measured', 'figures']
  const [id = ''] = name.split(' ')
  const row = [name, kept === 'yes' ? kept : `**${kept}**`, new Date().toISOString().slice(0, 10), figures]
  const rows = readSection('faults', 'faults')
    .split('\n')
    .filter((line) => /^\| R\d/.test(line) && !line.startsWith(`| ${id} `))
    .map((line) => line.slice(2, -2).split(' | '))
  const all = [...rows, row].sort(
    ([a = ''], [b = '']) => numberOf(a.split(' ')[0] ?? '') - numberOf(b.split(' ')[0] ?? ''),
  )
  const text =
    'Each row is the last long run of that fault, on the machine of the other tables; `lost` and `doubled` compare a flushed journal of every attempt and answer with the database.'
  keepSection('faults', `## Faults\n\n${text}\n\n${tableOf(head, all)}`, 'faults')
}

async function tryCluster(names: string[]): Promise<boolean> {
  try {
    return await breakCluster(names)
  } catch (error) {
    if (!(error instanceof NotRun)) throw error
    console.error(error.message)
    return false
  }
}

async function tryFaults(): Promise<boolean> {
  const outcomes: Outcome[] = []
  for (const fault of choose(await findFaults())) {
    const outcome = await tryOut(fault)
    outcomes.push(outcome)
    if (!short) keep(outcome)
  }
  const broken = outcomes.filter(({ kept }) => kept !== 'yes')
  say(
    `\n${outcomes.length - broken.length} of ${outcomes.length} kept${broken.map(({ name, kept }) => `\n${kept === 'no' ? 'not kept' : kept}: ${name}`).join('')}`,
  )
  return broken.length === 0
}

const [first, ...others] = positionals
const kept = await (first === 'cluster' ? tryCluster(others) : tryFaults())
process.exitCode = kept ? 0 : 1
