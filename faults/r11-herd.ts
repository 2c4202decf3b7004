import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { Connection, statusOf } from '#bench/clicks/load.ts'
import { clickOf, type Links } from '#bench/clicks/world.ts'
import { type Figures, promise } from '#bench/figures.ts'
import { percentile } from '#bench/measure.ts'
import { connect } from '#db/connect.ts'
import type { Fault } from './fault.ts'
import type { Supervised } from './supervised.ts'
import { type FaultWorld, inWorld } from './world.ts'

const HERD = 1_000
const P99_MS = 1_000
/** The query for the target of a link, as PostgreSQL logs it. */
const QUESTION = '"relationship"."id" = $1 and "product"."id" = $2'

export const fault: Fault = {
  id: 'R11',
  title: 'a thousand people follow one link in the second after a start',
  run: ({ short, say }) =>
    inWorld({ eventLeads: 0 }, async (world) => {
      const count = short ? 200 : HERD
      await logStatements(world.databaseUrl())
      const server = await world.start()
      const figures: Figures = {}
      Object.assign(figures, await stampede(world, server, count, 'unknown link'))
      say(JSON.stringify(figures))
      const copy = join(world.dataDir, 'spool/targets.jsonl')
      // Written within a second or two of the first click.
      for (const end = Date.now() + 10_000; !existsSync(copy) && Date.now() < end; ) await wait(50)
      await server.kill()
      await untilListening(server.port)
      Object.assign(figures, await stampede(world, server, count, 'restarted'))
      say(JSON.stringify(figures))
      rmSync(copy)
      await server.kill()
      await server.untilReady()
      Object.assign(figures, await stampede(world, server, count, 'without its copy'))
      promise(server.starts === 3, 'The server ended by itself', { starts: server.starts })
      return figures
    }),
}

async function logStatements(databaseUrl: string): Promise<void> {
  const owner = connect(databaseUrl, { max: 1 })
  await sql`alter database afluente set log_statement = 'all'`.execute(owner)
  await owner.destroy()
}

async function untilListening(port: number): Promise<void> {
  for (;;) {
    const { promise: connected, resolve } = Promise.withResolvers<boolean>()
    const socket = connectSocket(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    const listens = await connected
    socket.destroy()
    if (listens) return
    await wait(5)
  }
}

/** One connection per person, spread over a second, all for the first link. */
async function stampede(world: FaultWorld, { port }: Supervised, count: number, when: string): Promise<Figures> {
  const log = join(dirname(world.postgresFolder), 'postgres.log')
  const since = statSync(log).size
  const [first] = world.links.relationships
  const links: Links = { ...world.links, relationships: first ? [first] : [] }
  const next = clickOf(links, when.replaceAll(' ', '-'))
  const times: number[] = []
  const statuses: Record<string, number> = {}
  const began = performance.now()
  const visit = async (number: number) => {
    await wait((number / count) * 1_000)
    const connection = new Connection(port)
    const sent = performance.now()
    const status = statusOf(await connection.ask(next(number))) || 'broken'
    times.push(performance.now() - sent)
    statuses[status] = (statuses[status] ?? 0) + 1
    connection.end()
  }
  await Promise.all(Array.from({ length: count }, (_, number) => visit(number)))
  const seconds = (performance.now() - began) / 1_000
  const questions = readFileSync(log).subarray(since).toString().split(QUESTION).length - 1
  const p99 = percentile(times, 0.99)
  const figures = {
    [`connections, ${when}`]: count,
    [`in s, ${when}`]: seconds.toFixed(1),
    [`questions, ${when}`]: questions,
    [`p99 ms, ${when}`]: Math.round(p99),
  }
  promise(statuses['302'] === count, 'Somebody was not led on', { ...figures, statuses: JSON.stringify(statuses) })
  promise(questions <= 1, 'The same was asked more than once', figures)
  if (count === HERD) promise(p99 < P99_MS, 'It took too long', figures)
  return figures
}
