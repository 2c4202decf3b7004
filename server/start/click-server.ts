import type { Server } from 'node:http'
import type pg from 'pg'
import { endPool, openPool } from '#db/pool.ts'
import { type Clicks, openClicks } from '../clicks/clicks.ts'
import type { Config } from '../config.ts'
import { addressesOf } from '../http/addresses.ts'
import { Admission } from '../http/admission.ts'
import { refuseLeaving } from '../http/broken-requests.ts'
import { closeServer, newHttpServer } from '../http/server.ts'
import { tlsHeaders } from '../http/tls.ts'
import type { Measures } from '../monitoring/measures.ts'
import type { Readiness } from '../readiness.ts'
import { Spool } from '../spool/spool.ts'
import { EarlyLog } from './early-log.ts'

interface Needs {
  config: Config
  databaseUrl: string
  readiness: Readiness
  measures: Measures
}

/**
 * Answers clicks without the framework, whose loading takes most of a start: after a crash clicks are answered at once,
 * and every other request waits. house.test.ts checks that nothing large is loaded from here.
 */
export interface ClickServer {
  server: Server
  log: EarlyLog
  /** Connections for sign-in and API keys, and for the targets of links. */
  authPool: pg.Pool
  spool: Spool
  clicks: Clicks
  /** Not begun: whoever starts the product begins it. */
  admission: Admission
  close: () => Promise<void>
}

/** Sign-ins and clicks must be answered even while every other connection waits for a slow query. */
const AUTH_CONNECTIONS = 5

export async function openClickServer({ config, databaseUrl, readiness, measures }: Needs): Promise<ClickServer> {
  const [server, log] = [newHttpServer(), new EarlyLog()]
  const admission = new Admission(server)
  const report = (err: unknown, what: string) => log.say('error', { err }, what)
  const spool = await Spool.open(config.dataDir, config.spoolMegabytes, report)
  measures.watch({ spool, readiness })
  const authPool = openPool(databaseUrl, {
    max: AUTH_CONNECTIONS,
    role: 'afluente_app',
    applicationName: 'afluente auth',
    // While closing, PostgreSQL may stop before the last idle connection is closed.
    onError: (err) => server.listening && log.say('warn', { err }, 'connection of the auth pool lost'),
  })
  const addressOf = addressesOf(config)
  const admit = () => admission.takeClick()
  const parts = { server, pool: authPool, databaseUrl, spool, readiness, measures, addressOf, report }
  const clicks = await openClicks({ ...parts, headers: tlsHeaders(config), admit })
  const closeAll = async () => {
    admission.end()
    // Refuses requests that wait for a framework that never loaded; a loaded one has already answered all.
    clicks.direct.handOver(refuseLeaving)
    await closeServer(server)
    await clicks.close()
    await endPool(authPool)
  }
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeAll()
    return closing
  }
  return { server, log, authPool, spool, clicks, admission, close }
}
