import { sql } from 'kysely'
import type { ComparedRow, ReportFilters } from '#contract/boards.ts'
import { lastDays } from '#contract/periods.ts'
import { LINE_DAYS, MOVERS, type Mover, type Movers } from '#contract/summary.ts'
import type { Tx } from '#db/connect.ts'
import { type Party, partiesOf } from '../parties.ts'
import { sumsOf } from '../totals/read.ts'
import type { Viewer } from '../viewer.ts'
import { reportPerformance } from './performance.ts'

/** The few affiliates whose leads changed most, of the complete days; for an affiliate its products with most leads. */
export async function readMovers(tx: Tx, viewer: Viewer, filters: ReportFilters): Promise<Movers> {
  const {
    previews: _,
    days: __,
    products,
    issuers: ___,
    affiliates,
    ...figures
  } = await reportPerformance(tx, viewer, filters)
  const party = viewer.role === 'affiliate' ? 'product_id' : 'affiliate_id'
  const first = viewer.role === 'affiliate' ? products.filter(({ id }) => id !== 0) : [...affiliates].sort(byChange)
  const rows: Mover[] = []
  for (const row of first.slice(0, MOVERS))
    rows.push({ ...row, line: await readLine(tx, partiesOf(viewer, { ...filters, [party]: row.id })) })
  return { ...figures, rows, busiest_product: products.find(({ id, leads }) => id !== 0 && leads > 0)?.id ?? null }
}

const changeOf = ({ compared, previous }: ComparedRow): number => Math.abs(compared.leads - previous.leads)
const byChange = (one: ComparedRow, other: ComparedRow): number =>
  changeOf(other) - changeOf(one) || other.leads - one.leads || one.id - other.id

async function readLine(tx: Tx, parties: Party[]): Promise<number[]> {
  const period = lastDays(LINE_DAYS)
  const { recent, byDay } = await sumsOf(tx, { parties, periods: [period] })
  const { rows } = await sql<{ leads: number }>`
    with ${recent}
    select coalesce(sum(leads), 0)::int8 as leads
    from (select day::date from generate_series(${period.from}::date, ${period.to}::date, interval '1 day') as day) as calendar
    left join ${byDay} using (day) group by day order by day`.execute(tx)
  return rows.map(({ leads }) => leads)
}
