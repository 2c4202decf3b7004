import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from '#db/connect.ts'
import { checkStored } from '../faults/check.ts'
import { type Figures, promise } from '../faults/fault.ts'
import { prepare } from '../faults/world.ts'
import { ask } from './ask.ts'
import { Balancer } from './balancer.ts'
import type { Check } from './check.ts'
import { startLoad } from './load.ts'
import { type Machine, openPair } from './pair.ts'
import { ADMIN, type Copies, makeFolder, signIn, startCopies } from './world.ts'

const CLICKS = 100
const EVENTS = 10
/** What an operator or a manager of the cluster needs to notice. */
const NOTICE_MS = 2_000

/** Writes a line of the trail again and again through one copy; when each was acknowledged. */
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

interface Stage {
  folder: string
  primary: Machine
  standby: Machine
  copies: Copies
  databaseUrl: string
}

async function takeOver({ folder, primary, standby, copies, databaseUrl }: Stage): Promise<Figures> {
  const db = connect(databaseUrl, { max: 2 })
  const { links, leads } = await prepare(db, 5_000)
  await db.destroy()
  const balancer = await Balancer.open(
    copies.map(({ port }) => port),
    'roundrobin',
  )
  const load = await startLoad({
    folder,
    port: balancer.port,
    links,
    leads,
    perSecond: { clicks: CLICKS, events: EVENTS },
  })
  const { access } = await signIn(copies[0].port, ADMIN)
  const writer = new Writer(copies[0].port, access, links.relationships[0]?.product_id ?? 0)
  await wait(4_000)
  await primary.kill()
  const died = performance.now()
  await wait(NOTICE_MS)
  await standby.ask("alter system set synchronous_standby_names = ''")
  const promoting = performance.now()
  await standby.ask('select pg_promote()')
  const promoted = performance.now()
  await Promise.all(copies.map((copy) => copy.untilReady()))
  await wait(4_000)
  await Promise.all([load.stop(), writer.stop()])
  await balancer.close()
  const stored = await checkStored(standby.url, load.journal.path)
  const last = Math.max(...writer.written.filter((at) => at < died))
  const first = Math.min(...writer.written.filter((at) => at > died))
  const others = Object.entries(load.clicks.outcomes).filter(([outcome]) => outcome !== 'click 302')
  const figures = {
    ...stored,
    'clicks answered otherwise': others.map(([outcome, count]) => `${count} ${outcome.slice(6)}`).join(', ') || 0,
    'slowest click ms': Math.round(Math.max(...load.clicks.latencies)),
    'promoted ms after the death': Math.round(promoting - died),
    'promotion ms': Math.round(promoted - promoting),
    'without writes ms': Math.round(first - last),
    'first write ms after the promotion': Math.round(first - promoted),
  }
  promise(Number.isFinite(first), 'Nothing could be written after the promotion', figures)
  promise(others.length === 0, 'A click was not sent on', figures)
  return figures
}

export const standby: Check = {
  name: 'standby',
  title: 'a synchronous standby takes over; both copies go on by themselves and nothing acknowledged is lost',
  run: async () => {
    const folder = makeFolder()
    const { primary, standby } = await openPair(folder)
    // As docs/operacion.md says: one address, behind which the standby stands by.
    const front = await Balancer.open([primary.port, standby.port], 'first')
    const url = new URL(primary.url)
    url.port = String(front.port)
    try {
      const copies = await startCopies(folder, url.href)
      try {
        return await takeOver({ folder, primary, standby, copies, databaseUrl: url.href })
      } finally {
        await Promise.all(copies.map((copy) => copy.stop()))
      }
    } finally {
      await front.close()
      await Promise.all([primary.kill(), standby.kill()])
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  },
}
