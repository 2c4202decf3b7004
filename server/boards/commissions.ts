import { type RawBuilder, sql } from 'kysely'
import type { CommissionReport, ReportFilters, States } from '#contract/boards.ts'
import { type Period, periodOf } from '#contract/periods.ts'
import type { Tx } from '#db/connect.ts'
import { firstOf } from '../first-of.ts'
import { partiesOf } from '../parties.ts'
import { earned, sumsWithoutOpenLeads } from '../totals/read.ts'
import type { Reader } from '../viewer.ts'
import { partnersOf, readNames } from './names.ts'

interface Row extends States {
  day: string | null
  product_id: number | null
  issuer_id: number | null
  affiliate_id: number | null
}

const ofStates = ({ accrued, in_payment, paid, reversed, earned }: States): States => ({
  ...{ accrued, in_payment, paid, reversed, earned },
})

/** What was earned in the period, by the state that it is in now. */
export async function reportCommissions(tx: Tx, viewer: Reader, filters: ReportFilters): Promise<CommissionReport> {
  const period = periodOf(filters)
  const rows = await readGroups(tx, viewer, filters, period)
  const shown = partnersOf(viewer.role)
  return {
    period,
    totals: await readStates(tx, viewer, filters),
    days: rows.flatMap((row) => (row.day === null ? [] : [{ day: row.day, ...ofStates(row) }])),
    products: await named(tx, 'product', rows),
    issuers: shown.issuers ? await named(tx, 'issuer', rows) : [],
    affiliates: shown.affiliates ? await named(tx, 'affiliate', rows) : [],
  }
}

export async function readStates(tx: Tx, viewer: Reader, filters: ReportFilters): Promise<States> {
  const { recent, byDay } = sumsWithoutOpenLeads({ parties: partiesOf(viewer, filters), periods: [periodOf(filters)] })
  const { rows } = await sql<States>`with ${recent} select ${states} from ${byDay}`.execute(tx)
  return firstOf(rows)
}

const asAmount = (sum: RawBuilder<unknown>) => sql`coalesce(${sum}, 0.00)`
const states = sql`${asAmount(sql`sum(accrued)`)} as accrued, ${asAmount(sql`sum(in_payment)`)} as in_payment,
  ${asAmount(sql`sum(paid)`)} as paid, ${asAmount(sql`sum(reversed)`)} as reversed,
  ${asAmount(sql`sum(${earned})`)} as earned`

/** By product, issuer and affiliate; then by day, every day of the period. */
async function readGroups(tx: Tx, viewer: Reader, filters: ReportFilters, period: Period): Promise<Row[]> {
  const { recent, byDay, byParty } = sumsWithoutOpenLeads({ parties: partiesOf(viewer, filters), periods: [period] })
  const { rows } = await sql<Row>`
    with ${recent}
    select null::date as day, product_id, issuer_id, affiliate_id, ${states}
    from ${byParty} group by grouping sets ((product_id), (issuer_id), (affiliate_id))
    union all
    select day, null, null, null, ${states}
    from (select day::date from generate_series(${period.from}::date, ${period.to}::date, interval '1 day') as day) as calendar
    left join ${byDay} using (day) group by day
    order by day, earned desc, product_id, issuer_id, affiliate_id`.execute(tx)
  return rows
}

/** Only those with any commission, even if all of it was reversed. */
async function named(tx: Tx, of: 'product' | 'issuer' | 'affiliate', rows: Row[]) {
  const own = rows.flatMap((row) => {
    const id = row[`${of}_id`]
    return id === null || isNothing(row) ? [] : [{ id, row }]
  })
  const ids = own.map(({ id }) => id)
  const names = await readNames(tx, of, ids)
  return own.map(({ id, row }) => ({ id, name: names.get(id) ?? '', ...ofStates(row) }))
}

const isNothing = (states: States): boolean => Object.values(ofStates(states)).every((amount) => Number(amount) === 0)
