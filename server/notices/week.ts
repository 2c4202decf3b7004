import { sql } from 'kysely'
import { inPesos } from '#contract/money.ts'
import { counted } from '#contract/numbers.ts'
import { addDays, dayFirst, firstOfWeek } from '#contract/time.ts'
import type { Tx } from '#db/connect.ts'
import { readDue } from '../boards/summary.ts'
import { firstOf } from '../first-of.ts'
import type { Party } from '../parties.ts'
import { earned, sumsOf } from '../totals/read.ts'

/** The seven days that end with the Sunday before this day, in a sentence: in the digest of a Monday alone. */
export async function sentenceOfWeek(tx: Tx, parties: Party[], day: string): Promise<string | undefined> {
  if (firstOfWeek(day) !== day) return undefined
  const week = { from: addDays(day, -7), to: addDays(day, -1) }
  const { recent, byDay } = await sumsOf(tx, { parties, periods: [week] })
  const { rows } = await sql<{ leads: number; conversions: number; commission: string }>`
    with ${recent}
    select coalesce(sum(leads), 0)::int8 as leads, greatest(coalesce(sum(conversions), 0), 0)::int8 as conversions,
      coalesce(sum(${earned}), 0.00) as commission
    from ${byDay}`.execute(tx)
  const { leads, conversions, commission } = firstOf(rows)
  const { accrued } = await readDue(tx, parties)
  const sums = `${counted(leads, 'lead', 'leads')}, ${counted(conversions, 'conversión', 'conversiones')} y ${inPesos(commission)} en comisiones`
  return `Tu semana, del ${dayFirst(week.from)} al ${dayFirst(week.to)}: ${sums}. Por pagar: ${inPesos(accrued)}`
}
