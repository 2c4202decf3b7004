import { setTimeout as wait } from 'node:timers/promises'
import { connect } from '#db/connect.ts'
import { makeFolder, makeLeads, makeLinks, removeFolder } from '../clicks/world.ts'
import { type Figures, promise } from '../figures.ts'
import { asker, startLoad } from '../journal/load.ts'
import { ask } from './ask.ts'
import { Balancer } from './balancer.ts'
import type { Check } from './check.ts'
import { type Machine, openPair, type Pair } from './pair.ts'
import { ADMIN, type Copies, signIn, startCopies } from './world.ts'

const RATES = { clicks: 100, events: 10 }
/** How long an operator or a cluster manager needs to notice. */
const NOTICE_MS = 2_000

/** Writes lines of the audit trail through one copy; records when each was acknowledged. */
class Writer {
  readonly written: number[] = []
  #stopped = false
  #running: Promise<void>

  constructor(port: number, token: string, productId: number) {
    this.#running = this.#run(port, token, productId)
  }

  stop(): Promise<void> {
    this.#stopped = true
    return this.#running
  }

  async #run(port: number, token: string, productId: number): Promise<void> {
    for (let number = 1; !this.#stopped; number += 1) {
      const body = { description: `Tarjeta de crédito sin anualidad, ${number}` }
      const answer = await ask(port, `/api/v1/products/${productId}/`, { method: 'PUT', body, token }).catch(
        () => undefined,
      )
      if (answer?.status === 200) this.written.push(answer.at)
      await wait(20)
    }
  }
}

interface Stage extends Pair {
  folder: string
  copies: Copies
  /** The URL that the copies use. */
  databaseUrl: string
}

/** Two copies on a primary and a standby behind one address, as docs/operacion.md says. */
async function withStage(run: (stage: Stage) => Promise<Figures>): Promise<Figures> {
  const folder = makeFolder()
  const pair = await openPair(folder)
  const front = await Balancer.open([pair.primary.port, pair.standby.port], 'first')
  const url = new URL(pair.primary.url)
  url.port = String(front.port)
  try {
    const copies = await startCopies(folder, url.href)
    try {
      return await run({ ...pair, folder, copies, databaseUrl: url.href })
    } finally {
      await Promise.all(copies.map((copy) => copy.stop()))
    }
  } finally {
    await front.close()
    await pair.stop()
    removeFolder(folder)
  }
}

async function startEverything({ folder, copies, databaseUrl, standby }: Stage) {
  const db = connect(databaseUrl, { max: 2 })
  const links = await makeLinks(db)
  const leads = await makeLeads(db, links, 5_000)
  await db.destroy()
  const ports = copies.map(({ port }) => port)
  const balancer = await Balancer.open(ports, 'roundrobin')
  const ground = { folder, databaseUrl: () => standby.url, ask: asker(links, leads) }
  const { client, ...load } = await startLoad(ground, balancer.port, RATES)
  const { access } = await signIn(copies[0].port, ADMIN)
  const writer = new Writer(copies[0].port, access, links.relationships[0]?.product_id ?? 0)
  /** Ends everything and compares what was acknowledged with what the standby has. */
  const check = async () => {
    await Promise.all([client.stop(), writer.stop()])
    await balancer.close()
    return load.check()
  }
  return { client, writer, check }
}

/** Milliseconds that it took. */
async function promote(standby: Machine): Promise<number> {
  const since = performance.now()
  await standby.ask("alter system set synchronous_standby_names = ''")
  await standby.ask('select pg_promote()')
  return performance.now() - since
}

async function takeOver(stage: Stage): Promise<Figures> {
  const { primary, standby, copies } = stage
  const { client, writer, check } = await startEverything(stage)
  await wait(4_000)
  await primary.kill()
  const died = performance.now()
  await wait(NOTICE_MS)
  const took = await promote(standby)
  const promoted = performance.now()
  await Promise.all(copies.map((copy) => copy.untilReady()))
  await wait(4_000)
  const stored = await check()
  const last = Math.max(...writer.written.filter((at) => at < died))
  const first = Math.min(...writer.written.filter((at) => at > died))
  const figures = {
    ...stored,
    'clicks answered otherwise': client.refused('click'),
    ...client.failures,
    'slowest click ms': Math.round(client.slowest.click),
    'promoted ms after the death': Math.round(promoted - died),
    'promotion ms': Math.round(took),
    'without writes ms': Math.round(first - last),
    'first write ms after the promotion': Math.round(first - promoted),
  }
  promise(Number.isFinite(first), 'Nothing could be written after the promotion', figures)
  promise(client.refused('click') === 0, 'A click was not sent on', figures)
  return figures
}

export const standby: Check = {
  name: 'standby',
  title: 'a synchronous standby takes over; both copies go on by themselves and nothing acknowledged is lost',
  run: () => withStage(takeOver),
}

/** More than twice the limit of a statement; then those that wait for the standby are stuck in PostgreSQL. */
const PARTED_MS = 50_000
/** What docs/operacion.md says to reserve for each copy. */
const CONNECTIONS = 37

/** The copies' connections that wait for the standby, which cannot be ended, and all others. */
async function connectionsOf(primary: Machine): Promise<{ held: number; others: number }> {
  const [found] = await primary.ask<{ held: number; others: number }>(`
    select count(*) filter (where wait_event = 'SyncRep')::int as held,
      count(*) filter (where wait_event is distinct from 'SyncRep')::int as others
    from pg_stat_activity where application_name like 'afluente%'`)
  return found ?? { held: 0, others: 0 }
}

/** WAL that only the primary has is not retained, however long the standby is away. */
async function partAndTakeOver(stage: Stage): Promise<Figures> {
  const { primary, standby, copies } = stage
  const { writer, check } = await startEverything(stage)
  await wait(2_000)
  await stage.part()
  const parted = performance.now()
  await wait(PARTED_MS)
  const { held, others } = await connectionsOf(primary)
  await primary.kill()
  const died = performance.now()
  await promote(standby)
  await Promise.all(copies.map((copy) => copy.untilReady()))
  await wait(3_000)
  const stored = await check()
  const figures = {
    ...stored,
    'seconds without the standby': PARTED_MS / 1000,
    'written meanwhile': writer.written.filter((at) => at > parted && at < died).length,
    'connections that waited for it': held,
    'other connections': others,
  }
  promise(others <= copies.length * CONNECTIONS, 'Connections pile up while the standby is away', figures)
  return figures
}

export const parted: Check = {
  name: 'parted',
  title: 'a standby that was cut off takes over from a primary that went on without it; nothing acknowledged is lost',
  run: () => withStage(partAndTakeOver),
}
