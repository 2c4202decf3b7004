import type { Server } from 'node:http'
import type pg from 'pg'
import { endPool, openPool } from '#db/pool.ts'
import { type Clicks, openClicks } from '../clicks/clicks.ts'
import type { Config } from '../config.ts'
import { addressesOf } from '../http/addresses.ts'
import { refuseLeaving } from '../http/broken-requests.ts'
import { closeServer, newHttpServer } from '../http/server.ts'
import type { Measures } from '../monitoring/measures.ts'
import { Spool } from '../spool/spool.ts'
import { EarlyLog } from './early-log.ts'
import type { Gate } from './gate.ts'

interface Needs {
  config: Config
  databaseUrl: string
  gate: Gate
  measures: Measures
}

/**
 * What can answer a click. The greater part of a start is loading the framework and all that it serves, so this does
 * without: after a crash clicks are answered while that is still loading, and every other request waits for it.
 * house.test.ts sees to it that nothing large is loaded from here.
 */
export interface Front {
  server: Server
  log: EarlyLog
  /** Connections for those who come in, and for where links lead. */
  door: pg.Pool
  spool: Spool
  clicks: Clicks
  close: () => Promise<void>
}

/** Both must be answered also while every other connection waits for a slow question. */
const DOOR_CONNECTIONS = 5

export async function openFront({ config, databaseUrl, gate, measures }: Needs): Promise<Front> {
  const [server, log] = [newHttpServer(), new EarlyLog()]
  const report = (err: unknown, what: string) => log.say('error', { err }, what)
  const spool = await Spool.open(config.dataDir, config.spoolMegabytes, report)
  measures.watch({ spool, gate })
  const door = openPool(databaseUrl, {
    max: DOOR_CONNECTIONS,
    role: 'afluente_app',
    applicationName: 'afluente door',
    // While closing, PostgreSQL may leave before the last idle connection has.
    onError: (err) => server.listening && log.say('warn', { err }, 'connection of the door lost'),
  })
  const addressOf = addressesOf(config)
  const clicks = await openClicks({ server, pool: door, databaseUrl, spool, gate, measures, addressOf, report })
  const closeAll = async () => {
    // Those that wait for a framework which will not come; when there is one, it has answered everybody before.
    clicks.lane.handOver(refuseLeaving)
    await closeServer(server)
    await clicks.close()
    await endPool(door)
  }
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeAll()
    return closing
  }
  return { server, log, door, spool, clicks, close }
}
