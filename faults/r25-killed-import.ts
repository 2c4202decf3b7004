import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { SECRET } from '#bench/clicks/world.ts'
import { type Figures, promise } from '#bench/figures.ts'
import { FileClient, linesOf, MAPPING, makeReconciled } from '#bench/files.ts'
import { bearerOf } from '#bench/stage.ts'
import type { Import } from '#contract/imports.ts'
import type { Db } from '#db/connect.ts'
import { readImbalances } from '#server/totals/conservation.ts'
import { readDrift } from '#server/totals/recount.ts'
import type { Fault } from './fault.ts'
import type { Supervised } from './supervised.ts'
import { inWorld } from './world.ts'

const LONG = { rows: 60_000, kills: 12, pause: () => 300 + 2_000 * Math.random() }
const SHORT = { rows: 2_000, kills: 1, pause: () => 100 }

interface Killing {
  server: Supervised
  kills: number
  pause: () => number
}

/** Kills the server while it does what was asked for, and returns what became of the file. */
async function killedDuring(client: FileClient, id: number, { server, kills, pause }: Killing): Promise<Import> {
  for (let round = 0; round < kills; round += 1) {
    await wait(pause())
    await server.kill()
    await server.untilReady()
  }
  return client.whenDone(id)
}

/** Rows that say 'APROBADA' of a lead that exists: see linesOf(). */
const approvedOf = (rows: number): number => (rows / 20) * 14

async function readStored(db: Db) {
  const wrong = [...(await readDrift(db)), ...(await readImbalances(db))]
  const { rows } = await sql<{ events: number; rows: number; accrued: number }>`select
    (select count(*)::int from lead_event where source = 'conciliacion' and not is_voided) as events,
    (select count(distinct idempotency_key)::int from lead_event where source = 'conciliacion' and not is_voided) as rows,
    (select count(*)::int from commission_entry join lead_event on lead_event.id = lead_event_id
      where state <> 'reversed' and source = 'conciliacion') as accrued`.execute(db)
  return { events: -1, rows: -1, accrued: -1, ...rows[0], sound: wrong.length === 0 }
}

export const fault: Fault = {
  id: 'R25',
  title: 'the server is killed while a file is received, simulated, applied and undone',
  run: ({ short, say, world: given }) =>
    inWorld({ embedded: true, small: short, world: given }, async (world) => {
      const { rows, ...killing } = short ? SHORT : LONG
      const server = await world.start()
      const { ids, email } = await world.ask((db) => makeReconciled(db, world.links, rows))
      const client = new FileClient(server.port, () => world.ask((db) => bearerOf(db, email, SECRET)))
      const upload = () => client.send('POST', '?name=marzo.csv', Readable.from(linesOf(ids)))
      const cut = upload().catch(() => undefined)
      await wait(short ? 20 : 200)
      await server.kill()
      await server.untilReady()
      await cut
      // What was cut off would stand in the way of the next for minutes.
      await world.ask((db) =>
        sql`update import set touched_at = now() - interval '1 hour' where status = 'receiving'`.execute(db),
      )
      const { id } = await upload()
      await client.send('PUT', `${id}/mapping/`, MAPPING)
      const during = (path: string, body?: object) =>
        client.send('POST', `${id}/${path}`, body).then(() => killedDuring(client, id, { server, ...killing }))
      const { simulated_at } = await during('simulate/')
      const applied = await during('apply/', { simulated_at })
      say('applied')
      const stored = await world.ask(readStored)
      const { previewed_at } = await during('undo-preview/')
      const undone = await during('undo/', { reason: 'Otro archivo', previewed_at })
      const left = await world.ask(readStored)
      const changed = applied.results.reduce((sum, result) => sum + result.rows, 0)
      const figures: Figures = {
        ...{ rows, kills: 1 + 4 * killing.kills, 'rows applied': changed, events: stored.events },
        ...{ commissions: stored.accrued, 'events left': left.events, 'commissions left': left.accrued },
        ...{ lost: changed - stored.rows, doubled: stored.events - stored.rows },
      }
      promise(applied.status === 'applied' && undone.status === 'undone', 'The file was not finished', figures)
      promise(stored.rows === changed && stored.events === changed, 'A row counts not once', figures)
      promise(stored.accrued === approvedOf(rows), 'A commission is missing or doubled', figures)
      promise(left.events === 0 && left.accrued === 0, 'Something was not undone', figures)
      promise(stored.sound && left.sound, 'The books do not balance', figures)
      return figures
    }),
}
