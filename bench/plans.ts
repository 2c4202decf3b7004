import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Case } from './list-cases.ts'
import type { Stage } from './stage.ts'

const FOLDER = join(import.meta.dirname, 'plans')

/** Characters of a statement stored with its plan. */
const LONGEST = 200

interface Statement {
  text: string
  values: unknown[]
}

/** The queries of one request, and PostgreSQL's plan of each. */
export async function keepPlan(stage: Stage, name: string, { reader, path }: Case, size: string): Promise<void> {
  const heard = await listen(() => stage.read(reader, path))
  // Background work is no part of the request, and would be repeated.
  const statements = heard.filter(
    ({ text }) => /lead|commission|payment|total/.test(text) && !/lead_partition|fold_totals/.test(text),
  )
  if (!statements.length) throw new Error(`${name}: no question was heard`)
  const client = new pg.Client({ connectionString: stage.databaseUrl, options: '-c TimeZone=UTC' })
  await client.connect()
  const parts: string[] = []
  for (const { text, values } of statements) {
    const explain = `explain (analyze, buffers) ${text}`
    const { rows } = await client.query<{ 'QUERY PLAN': string }>({ text: explain, values })
    parts.push(
      `${text.trim()}\n${JSON.stringify(values, shortened)}\n\n${rows.map((row) => row['QUERY PLAN']).join('\n')}`,
    )
  }
  await client.end()
  mkdirSync(FOLDER, { recursive: true })
  const lines = parts.join(`\n\n${'-'.repeat(80)}\n\n`).replace(/[ \t]+$/gm, '')
  writeFileSync(join(FOLDER, `${name}.txt`), `${reader} GET ${path}\n${size}\n\n${lines}\n`)
}

/** Such as an array of thousands of numbers written as text. */
const shortened = (_: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > LONGEST
    ? `${value.slice(0, LONGEST)}… (${value.length} characters)`
    : value

/** Every query sent to PostgreSQL meanwhile; the bench sends one request at a time. */
async function listen(ask: () => Promise<unknown>): Promise<Statement[]> {
  const heard: Statement[] = []
  const { query } = pg.Client.prototype
  const spy = function (this: pg.Client, question: string | Statement, ...rest: unknown[]) {
    const { text, values } = typeof question === 'string' ? { text: question, values: [] } : question
    if (/^\s*(select|with)\b/i.test(text)) heard.push({ text, values })
    return Reflect.apply(query, this, [question, ...rest])
  }
  pg.Client.prototype.query = spy as typeof query
  try {
    await ask()
  } finally {
    pg.Client.prototype.query = query
  }
  return heard
}
