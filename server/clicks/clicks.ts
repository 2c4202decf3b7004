import type { IncomingMessage, Server } from 'node:http'
import type pg from 'pg'
import { peerOf } from '../http/addresses.ts'
import { type Measures, unmeasured } from '../monitoring/measures.ts'
import type { Limits } from '../spool/group-commit.ts'
import { LeadStore } from '../spool/lead-store.ts'
import type { Spool } from '../spool/spool.ts'
import { Gate } from '../start/gate.ts'
import { DoubleTaps } from './double-taps.ts'
import { type FastLane, openFastLane } from './fast-lane.ts'
import { follow, type Parts } from './follow.ts'
import { LastingTargets } from './lasting-targets.ts'
import { PreviewCounts } from './preview-counts.ts'

interface Needs {
  server: Server
  pool: pg.Pool
  databaseUrl: string
  spool: Spool
  /** Open when left out. */
  gate?: Gate
  limits?: Partial<Limits>
  measures?: Measures
  /** Whose request it is; who is connected when left out. */
  addressOf?: (request: IncomingMessage) => string
  report: (error: unknown, what: string) => void
}

export interface Clicks {
  parts: Parts
  lane: FastLane
  close: () => Promise<void>
}

export const CLICK_PATH = '/api/v1/leads/redirect/'
const PLAIN = new RegExp(`^${CLICK_PATH}(\\d{1,15})/?\\?(.*)$`)

/** The way of a click that is in order; all others are answered by the routes in redirect.ts. */
export async function openClicks(needs: Needs): Promise<Clicks> {
  const { server, pool, databaseUrl, spool, report } = needs
  const { gate = Gate.opened(), limits = {}, measures = unmeasured, addressOf = peerOf } = needs
  const leads = new LeadStore({ spool, databaseUrl, limits, gate, measures, report })
  const lasting = await LastingTargets.open({ pool, databaseUrl, folder: spool.folder, gate, report })
  const counts = new PreviewCounts(pool, gate)
  const taps = new DoubleTaps(() => measures.clicks('repeated', 1))
  const parts: Parts = { targets: lasting.targets, counts, measures, taps, storeLead: (lead) => leads.store(lead) }
  const lane = openFastLane(server, {
    pattern: PLAIN,
    answer: async (request, [, linkId = '', query = '']) => {
      const location = await follow(parts, { ip: addressOf(request), headers: request.headers, linkId, query })
      return [...plainHeaders, 'location', location]
    },
  })
  const close = async () => {
    // The spool last: its folder is ours until then, with the copy of the targets.
    await Promise.all([lasting.close(), counts.flush()])
    await leads.close()
  }
  return { parts, lane, close }
}

export const redirectHeaders = {
  'cache-control': 'no-store, private',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
}
const plainHeaders = [...Object.entries(redirectHeaders).flat(), 'content-length', '0']
