import type { Network, Pair, ReportFilters } from '#contract/boards.ts'
import type { Tx } from '#db/connect.ts'
import type { Reader } from '../viewer.ts'
import { readStates } from './commissions.ts'
import { readNames } from './names.ts'
import { isIdle, isPair, type Row, readFigures, withRate } from './performance.ts'

/** For the administrator: all figures, and which affiliates bring leads to which issuers. */
export async function reportNetwork(tx: Tx, viewer: Reader, filters: ReportFilters): Promise<Network> {
  const { report, rows } = await readFigures(tx, viewer, filters)
  // Those that have figures only in the period before are left out.
  const shown = rows.filter((row) => isPair(row) && !isIdle(row))
  // Of the rows: what two pairs of an issuer earned may cancel out, and the list of issuers leaves it out then.
  const issuers = await readNames(tx, 'issuer', idsOf(shown, 'issuer_id'))
  const affiliates = await readNames(tx, 'affiliate', idsOf(shown, 'affiliate_id'))
  const pairs = shown.map((row): Pair => {
    const [issuer_id, affiliate_id] = [Number(row.issuer_id), Number(row.affiliate_id)]
    const [issuer_name = '', affiliate_name = ''] = [issuers.get(issuer_id), affiliates.get(affiliate_id)]
    return { issuer_id, issuer_name, affiliate_id, affiliate_name, ...withRate(row) }
  })
  return { ...report, states: await readStates(tx, viewer, filters), pairs }
}

const idsOf = (rows: Row[], of: 'issuer_id' | 'affiliate_id') => [...new Set(rows.map((row) => Number(row[of])))]
