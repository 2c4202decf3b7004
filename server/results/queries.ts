import { type RawBuilder, sql } from 'kysely'
import { type Period, periodOf } from '#contract/periods.ts'
import {
  type Result,
  type ResultDimension,
  type ResultFilters,
  type ResultPage,
  type ResultTotals,
  resultDimensions,
} from '#contract/results.ts'
import type { Db, Tx } from '#db/connect.ts'
import { everyWord, paginationOf } from '../http/lists.ts'
import { type Party, partiesOf } from '../parties.ts'
import { percentOf } from '../percent.ts'
import { inSnapshot } from '../snapshot.ts'
import { isClickedDuring, isDuring, isOf, readUncountedId } from '../totals/read.ts'
import type { Reader } from '../viewer.ts'

/** Changed leads that a reader counts itself; of more, the oldest, until the job has folded them. */
const PENDING_MAX = 5_000

type Sql = RawBuilder<unknown>

export type Row = Omit<Result, 'approval_rate'>

type Asked = Omit<ResultFilters, 'page' | 'page_size'>

const slotOf = (dimension: ResultDimension): number => resultDimensions.indexOf(dimension) + 1

interface Wanted {
  parties: Party[]
  period: Period
  slot: number
  uncountedId: string
}

const FIGURES = sql`leads, approved, rejected, earned`

/** What no result holds yet, in the rows of `result_delta`: unfolded ones, leads of open partitions, changed leads. */
function freshOf({ parties, period, slot, uncountedId }: Wanted): Sql {
  const ofSlot = sql`slot in (0, ${slot}::int)`
  const ids = sql`affiliate_id, issuer_id, product_id`
  const values = sql`cross join lateral
    result_values(utm_source, utm_medium, utm_campaign, utm_content, utm_term, lead_data)`
  return sql`
    select day, ${ids}, slot, value, ${FIGURES} from result_delta
    where ${ofSlot} and ${isOf(parties)} and ${isDuring(sql`day`, period)}
    union all
    select mexico_day(created_at), ${ids}, slot, value, count(*), 0, 0, 0.00 from lead ${values}
    where tracking_id >= ${uncountedId}::uuid and ${isOf(parties)} and ${isClickedDuring(period)} and ${ofSlot}
    group by 1, 2, 3, 4, 5, 6
    union all
    select mexico_day(created_at), ${ids}, slot, value, 0, approved, rejected, earned
    from (select array(select distinct tracking_id from (
      select tracking_id from result_change order by id limit ${PENDING_MAX}) as pending) as ids) as changed
    cross join lateral result_differences(changed.ids) as difference
    cross join lateral (select * from lead where lead.tracking_id = difference.tracking_id limit 1) as lead ${values}
    where ${isOf(parties)} and ${isClickedDuring(period, sql`lead.tracking_id`)} and ${ofSlot}`
}

/**
 * Rows of a value, of the rest and of none, by day or over the whole period. Leads without a value are all leads but those
 * with one, so a value counts against them.
 */
function rowsOf(wanted: Wanted, by: Asked['by']): Sql {
  const { parties, period, slot } = wanted
  return sql`
    with placed as (
      select day, slot, value, ${FIGURES} from result
      where slot in (0, ${slot}::int) and ${isOf(parties)} and ${isDuring(sql`day`, period)}
      union all
      select day, slot, value, ${FIGURES} from place_results(array(
        select row(0, day, affiliate_id, issuer_id, product_id, slot, value, ${FIGURES})::result_delta
        from (${freshOf(wanted)}) as fresh))
    ), summed as (
      select ${by === 'day' ? sql`day` : sql`null::date`} as day, slot, value, sum(leads) as leads, sum(approved) as approved,
        sum(rejected) as rejected, sum(earned) as earned
      from placed group by 1, 2, 3
    )
    select day, kind, nullif(value, '') as value, sum(sign * leads)::int8 as leads, sum(sign * approved)::int8 as approved,
      sum(sign * rejected)::int8 as rejected, sum(sign * earned) as earned
    from (
      select day, case when value = '' then 'rest' else 'value' end as kind, value, 1 as sign, ${FIGURES}
      from summed where slot <> 0
      union all
      select day, 'none', '', case slot when 0 then 1 else -1 end, ${FIGURES} from summed
    ) as counted
    group by 1, 2, 3
    having (sum(sign * leads), sum(sign * approved), sum(sign * rejected), sum(sign * earned)) <> (0, 0, 0, 0)`
}

/** The results that the viewer may see and the filters match, in no order yet. */
async function filteredResults(tx: Tx, viewer: Reader, filters: Asked) {
  const wanted = {
    parties: partiesOf(viewer, filters),
    period: periodOf(filters),
    slot: slotOf(filters.dimension),
    uncountedId: await readUncountedId(tx),
  }
  const rows = tx.selectFrom(sql<Row>`(${rowsOf(wanted, filters.by)})`.as('result'))
  return filters.search ? rows.where(everyWord(filters.search, [sql.ref<string>('result.value')])) : rows
}

/** A total order: a value once a day, the rest and none after the values. */
function orderOf(ordering: string): Sql {
  const direction = ordering.startsWith('-') ? sql`desc` : sql`asc`
  const field = sql.ref(`result.${ordering.replace('-', '')}`)
  return sql`${field} ${direction} nulls last, result.leads desc, result.kind = 'none', result.kind = 'rest',
    result.value, result.day desc`
}

export const listedResults = async (tx: Tx, viewer: Reader, filters: Asked) =>
  (await filteredResults(tx, viewer, filters)).selectAll().orderBy(orderOf(filters.ordering))

const withRate = <R extends Omit<ResultTotals, 'approval_rate'>>(row: R) => ({
  ...row,
  approval_rate: percentOf(row.approved, row.leads),
})

const NOTHING = { count: 0, leads: 0, approved: 0, rejected: 0, earned: '0.00' }

export const listResults = (db: Db, viewer: Reader, filters: ResultFilters): Promise<ResultPage> =>
  inSnapshot(db, async (tx) => {
    const { page, page_size } = filters
    const { rows } = await sql<{ totals: typeof NOTHING | null; results: Row[] }>`
      with result as materialized (${(await filteredResults(tx, viewer, filters)).selectAll()}), page as (
        select *, row_number() over (order by ${orderOf(filters.ordering)}) as place from result
        order by place limit ${page_size} offset ${(page - 1) * page_size}
      )
      select (
        select json_build_object('count', count(*), 'leads', coalesce(sum(leads), 0), 'approved', coalesce(sum(approved), 0),
          'rejected', coalesce(sum(rejected), 0), 'earned', coalesce(sum(earned), 0.00)::text) from result
      ) as totals, (
        select coalesce(json_agg(json_build_object('day', day, 'kind', kind, 'value', value, 'leads', leads,
          'approved', approved, 'rejected', rejected, 'earned', earned::text) order by place), '[]') from page
      ) as results`.execute(tx)
    const { count, ...totals } = rows[0]?.totals ?? NOTHING
    return {
      period: periodOf(filters),
      results: (rows[0]?.results ?? []).map(withRate),
      totals: withRate(totals),
      pagination: paginationOf(count, filters),
    }
  })
