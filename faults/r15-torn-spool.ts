import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promise } from '#bench/figures.ts'
import { readTargets } from '#server/clicks/targets-file.ts'
import { decodeRecord, encodeRecord, linesOf } from '#server/spool/record.ts'
import { DATA_AT } from '#server/spool/segment.ts'
import type { Fault } from './fault.ts'
import { behindProxy, type FaultWorld } from './world.ts'

const LONG = { rounds: 25, pause: () => 500 + 1_000 * Math.random(), clicks: 300 }
const SHORT = { rounds: 1, pause: () => 700, clicks: 100 }

const below = (limit: number): number => Math.floor(Math.random() * limit)

/** Behind the checksum: the only byte of a record that says nothing. */
const SPACE_AT = 8

/** With a wrong bit anywhere but in its space and its newline. */
function flipped(record: Buffer): Buffer {
  const changed = Buffer.from(record)
  const at = (SPACE_AT + 1 + below(changed.length - 2)) % (changed.length - 1)
  changed.writeUInt8(changed.readUInt8(at) ^ (1 << below(8)), at)
  return changed
}

interface Last {
  path: string
  generation: number
  json: string
  end: number
}

/** The last record written, of the segment in use. */
function findLast(folder: string): Last | undefined {
  const found = readdirSync(folder)
    .filter((name) => name.startsWith('segment-'))
    .flatMap((name) => lastOf(join(folder, name)) ?? [])
  return found.sort((a, b) => b.generation - a.generation)[0]
}

function lastOf(path: string): Last | undefined {
  const data = readFileSync(path)
  // Its checksum includes the number of the use, which must be read from the header first.
  const generation = Number(data.toString('latin1', 9, data.indexOf('\n')))
  let last: Last | undefined
  for (const { line, end } of linesOf(data.subarray(DATA_AT))) {
    const json = decodeRecord(line, generation)
    if (json !== undefined) last = { path, generation, json, end: DATA_AT + end }
  }
  return last
}

/** Possible remains of an unacknowledged write: a record with a wrong bit, and the beginning of another one. */
function tearAfter({ path, generation, json, end }: Last): void {
  const whole = JSON.parse(json)
  const torn = { ...whole, external_id: `${whole.external_id}-torn`, tracking_id: randomUUID() }
  const record = Buffer.from(encodeRecord(JSON.stringify(torn), generation))
  const data = readFileSync(path)
  Buffer.concat([flipped(record), record.subarray(0, 1 + below(record.length - 1))]).copy(data, end)
  writeFileSync(path, data)
}

/** A server that starts without its database serves the links of its copy. */
async function untilKnown({ dataDir, links }: FaultWorld): Promise<void> {
  for (const end = Date.now() + 10_000; Date.now() < end; await wait(50))
    if ((await readTargets(join(dataDir, 'spool/targets.jsonl'))).length === links.relationships.length) return
  throw new Error('The links were not copied')
}

export const fault: Fault = {
  id: 'R15',
  title: 'the spool is torn',
  run: ({ short, say, world: given }) =>
    behindProxy({ small: short, world: given }, async (world, proxy) => {
      const { rounds, pause, clicks } = short ? SHORT : LONG
      // We read all of it after each kill.
      const server = await world.start({ SPOOL_MB: short ? '4' : '16' })
      const load = await world.load(server, { clicks })
      await load.client.untilAcknowledged('click', 0)
      await untilKnown(world)
      let torn = 0
      for (let round = 1; round <= rounds; round += 1) {
        proxy.refuse()
        await wait(pause())
        await server.killAnd(async () => {
          const last = findLast(join(world.dataDir, 'spool'))
          if (!last) return
          tearAfter(last)
          torn += 1
        })
        // Half of them find the database, the others die again before it is back.
        if (round % 2) proxy.pass()
        await load.client.untilAcknowledged('click', performance.now())
        say(`kill ${round}: ${JSON.stringify(load.client.outcomes)}`)
      }
      proxy.pass()
      await server.untilReady()
      const figures = { kills: rounds, 'torn tails': torn, ...(await load.check()), ...load.client.failures }
      promise(torn === rounds, 'The spool was empty when it should be torn', figures)
      return figures
    }),
}
