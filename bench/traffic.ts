import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { tracking } from '#contract/tracking.ts'
import { connect, type Db } from '#db/connect.ts'
import { seedDemo } from '#server/demo/seed.ts'
import { type Load, loadOpen } from './clicks/load.ts'
import { makeLeads, postOf, SECRET, type World } from './clicks/world.ts'
import { loadLeads } from './leads/load.ts'
import { bearerOf, type Reader, readers } from './stage.ts'

export const LINKS = 2_000
export const AGENTS = 20_000
export const EVENTS_PER_SECOND = 50
export const READERS = 10
/** A server that has just begun is slow until it has seen some thousand clicks. */
const WARM_SECONDS = 20

/** The demonstration, and so many leads beside it. */
export async function fillWith(url: string, leads: number): Promise<void> {
  console.log(`filling ${leads.toLocaleString('en')} leads`)
  const owner = connect(url, { max: 1, applicationName: 'bench' })
  await seedDemo(owner, { secret: SECRET })
  await owner.destroy()
  const quiet = { onProgress: () => undefined, expectWanted: () => undefined }
  await loadLeads(url, { leads, seed: 1, secret: SECRET, ...quiet })
}

interface Link {
  relationship_id: number
  product_id: number
}

async function listLinks(db: Db): Promise<Link[]> {
  const { rows } = await sql<Link>`
    select relationship.id as relationship_id, product.id as product_id
    from relationship join product using (issuer_id)
    where relationship_status = 'active' and product_status = 'active'
      and relationship.archived_at is null and product.archived_at is null
    order by relationship.id, product.id limit ${LINKS}`.execute(db)
  return rows
}

const agents = Array.from(
  { length: AGENTS },
  (_, number) =>
    `Mozilla/5.0 (Linux; Android ${9 + (number % 7)}; SM-A${number}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + (number % 45)}.0.${number}.0 Mobile Safari/537.36`,
)

/** No two alike: other links, agents, ids, and a click id in utm_content of one in five. */
const clickOf = (links: Link[]) => (number: number) => {
  const { relationship_id, product_id } = links[(number * 7919) % links.length] as Link
  const id = randomBytes(6).toString('hex')
  const content = number % 5 ? `banner-${number % 40}` : `clk${id}`
  return `GET /api/v1/leads/redirect/${relationship_id}/?product_id=${product_id}&external_id=v-${id}&utm_source=facebook&utm_campaign=campana-${number % 300}&utm_content=${content} HTTP/1.1\r\nhost: 127.0.0.1\r\nuser-agent: ${agents[(number * 31) % AGENTS]}\r\naccept: text/html\r\naccept-language: es-MX,es;q=0.9\r\nreferer: https://blog.example.mx/tarjetas\r\n\r\n`
}

async function sendEvents(world: World, port: number, seconds: number): Promise<Load> {
  const leads = await makeLeads(world.db, world, Math.ceil(EVENTS_PER_SECOND * seconds) + 100)
  const next = (number: number) =>
    postOf(
      tracking.storeEvent.path,
      { tracking_id: leads[number], step_id: world.stepId, event_id: `s-${number}` },
      { 'x-api-key': world.key },
    )
  return loadOpen({ port, seconds, next }, EVENTS_PER_SECOND)
}

export interface Asked {
  reader: Reader
  path: string
  /** 0 when the connection broke. */
  status: number
  /** Milliseconds to the last byte. */
  ms: number
}

interface Reading {
  port: number
  /** Each reader asks for those of its role, one after the other, again and again. */
  paths: Record<Reader, string[]>
  until: AbortSignal
}

/** Ten readers who each ask once a second, or as soon as they are answered. */
async function read(db: Db, { port, paths, until }: Reading): Promise<Asked[]> {
  const asked: Asked[] = []
  const roles = (Object.keys(readers) as Reader[]).filter((reader) => paths[reader].length)
  const run = async (number: number) => {
    const reader = roles[number % roles.length] as Reader
    const own = paths[reader]
    // A start that is no demonstration suspends the accounts of one.
    await db.updateTable('user').set({ user_status: 'active' }).where('email', '=', readers[reader]).execute()
    const headers = { authorization: `Bearer ${await bearerOf(db, readers[reader], SECRET)}` }
    await wait((number * 1000) / READERS)
    for (let turn = Math.floor((number * own.length) / READERS); !until.aborted; turn += 1) {
      const began = performance.now()
      const path = own[turn % own.length] as string
      const status = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
        .then((answer) => answer.text().then(() => answer.status))
        .catch(() => 0)
      const ms = performance.now() - began
      asked.push({ reader, path, status, ms })
      await wait(Math.max(0, 1000 - ms), undefined, { signal: until }).catch(() => undefined)
    }
  }
  await Promise.all(Array.from({ length: READERS }, (_, number) => run(number)))
  return asked
}

interface Wanted {
  port: number
  seconds: number
  clicksPerSecond: number
  paths: Record<Reader, string[]>
}

/** Clicks at a rate, events and readers beside them, on a server that is warm. */
export async function runTraffic(world: World, { port, seconds, clicksPerSecond, paths }: Wanted) {
  const next = clickOf(await listLinks(world.db))
  await loadOpen({ port, seconds: WARM_SECONDS, next }, clicksPerSecond / 4)
  const ended = new AbortController()
  const load = Promise.all([loadOpen({ port, seconds, next }, clicksPerSecond), sendEvents(world, port, seconds)])
  const [[clicks, events], asked] = await Promise.all([
    load.finally(() => ended.abort()),
    read(world.db, { port, paths, until: ended.signal }),
  ])
  return { clicks, events, asked }
}
