import type { IncomingMessage, Server } from 'node:http'
import type pg from 'pg'
import { CLICK_PATH } from '#contract/tracking.ts'
import { peerOf } from '../http/addresses.ts'
import { type Measures, unmeasured } from '../monitoring/measures.ts'
import { Readiness } from '../readiness.ts'
import type { Limits } from '../spool/group-commit.ts'
import { joinHistory } from '../spool/history.ts'
import { LeadStore } from '../spool/lead-store.ts'
import type { Spool } from '../spool/spool.ts'
import { type DirectAnswers, openDirectAnswers } from './direct-answers.ts'
import { DoubleTaps } from './double-taps.ts'
import { refuseBusy } from './error-pages.ts'
import { follow, type Parts } from './follow.ts'
import { LastingTargets } from './lasting-targets.ts'
import { LinkFaults } from './link-faults.ts'
import { PreviewCounts } from './preview-counts.ts'

interface Needs {
  server: Server
  pool: pg.Pool
  databaseUrl: string
  spool: Spool
  /** Ready when left out. */
  readiness?: Readiness
  limits?: Partial<Limits>
  measures?: Measures
  /** The visitor's address; the peer's when left out. */
  addressOf?: (request: IncomingMessage) => string
  /** On every answer. */
  headers?: Record<string, string>
  /** Whether there is time for one more click; always when left out. */
  admit?: () => boolean
  report: (error: unknown, what: string) => void
}

export interface Clicks {
  parts: Parts
  direct: DirectAnswers
  /** To be called before it is ready, with the history of the database. */
  join: (history: string) => Promise<void>
  close: () => Promise<void>
}

const PLAIN = new RegExp(`^${CLICK_PATH}(\\d{1,15})/?\\?(.*)$`)

/** Answers plain clicks; the routes in redirect.ts answer all others. */
export async function openClicks(needs: Needs): Promise<Clicks> {
  const { server, pool, databaseUrl, spool, report } = needs
  const { readiness = Readiness.ready(), limits = {}, measures = unmeasured, addressOf = peerOf, headers = {} } = needs
  const leads = new LeadStore({ spool, databaseUrl, limits, readiness, measures, report })
  const lasting = await LastingTargets.open({ pool, databaseUrl, folder: spool.folder, readiness, report })
  const counts = new PreviewCounts(pool, readiness)
  const faults = new LinkFaults(pool, readiness)
  const taps = new DoubleTaps(() => measures.clicks('repeated', 1))
  const parts: Parts = {
    targets: lasting.targets,
    counts,
    faults,
    measures,
    taps,
    storeLead: (lead) => leads.store(lead),
  }
  const plainHeaders = Object.entries({ ...redirectHeaders, ...headers, 'content-length': '0' }).flat()
  const direct = openDirectAnswers(server, {
    pattern: PLAIN,
    ...(needs.admit && { admit: needs.admit }),
    refuse: (response) => {
      measures.clicks('refused', 1)
      refuseBusy(response)
    },
    answer: async (request, [, linkId = '', query = '']) => {
      const location = await follow(parts, { ip: addressOf(request), headers: request.headers, linkId, query })
      return [...plainHeaders, 'location', location]
    },
  })
  const close = async () => {
    // The spool last: it holds the lock of the folder, which also has the copy of the targets.
    await Promise.all([lasting.close(), counts.flush(), faults.flush()])
    await leads.close()
  }
  const join = async (history: string) => {
    const held = await joinHistory({ spool, history, forgetTargets: () => lasting.forget() })
    if (held) report(new Error(`${held} leads are held back`), 'spool: they are from before a restore')
  }
  return { parts, direct, join, close }
}

export const redirectHeaders = {
  'cache-control': 'no-store, private',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
}
