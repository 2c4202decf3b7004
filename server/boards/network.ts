import type { Network, Pair, ReportFilters } from '#contract/boards.ts'
import type { Tx } from '#db/connect.ts'
import type { Reader } from '../viewer.ts'
import { readStates } from './commissions.ts'
import { isPair, type Row, readFigures, withRate } from './performance.ts'

/** For the administrator: all figures, and which affiliates bring leads to which issuers. */
export async function reportNetwork(tx: Tx, viewer: Reader, filters: ReportFilters): Promise<Network> {
  const { report, rows } = await readFigures(tx, viewer, filters)
  const nameOf = (of: 'issuers' | 'affiliates') => new Map(report[of].map(({ id, name }) => [id, name]))
  const [issuers, affiliates] = [nameOf('issuers'), nameOf('affiliates')]
  const pairs = rows.filter(isPair).flatMap((row): Pair[] => {
    const [issuer_id, affiliate_id] = [Number(row.issuer_id), Number(row.affiliate_id)]
    const [issuer_name = '', affiliate_name = ''] = [issuers.get(issuer_id), affiliates.get(affiliate_id)]
    return isIdle(row) ? [] : [{ issuer_id, issuer_name, affiliate_id, affiliate_name, ...withRate(row) }]
  })
  return { ...report, states: await readStates(tx, viewer, filters), pairs }
}

/** Without figures except in the period before. */
const isIdle = ({ leads, conversions, commission }: Row): boolean =>
  leads === 0 && conversions === 0 && Number(commission) === 0
