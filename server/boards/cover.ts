import { sql } from 'kysely'
import { daysIn, type Period } from '#contract/boards.ts'
import { addDays } from '#contract/time.ts'
import type { Tx } from '#db/connect.ts'

/**
 * Where the sums of some periods are read: each of their days is in exactly one span or in one stretch of `days`, and has
 * sums of its own by issuer (`known`) or has not (`unknown`).
 */
export interface Cover {
  /** The periods, joined where they touch. */
  whole: Period[]
  /** Five days, ten days or a month, with sums of their own that are right in this snapshot. */
  spans: Period[]
  /** What these leave. */
  days: Period[]
  /** Days in a span that is right, also one that no period has all of. */
  known: Period[]
  unknown: Period[]
}

/** The fewest spans that tell the periods apart. */
export async function coverOf(tx: Tx, periods: Period[]): Promise<Cover> {
  const { rows } = await sql<Period>`
    select first_day as "from", last_day as "to" from fresh_span
    where ${sql.join(
      periods.map(({ from, to }) => sql`(first_day <= ${to}::date and last_day >= ${from}::date)`),
      sql` or `,
    )}`.execute(tx)
  return chooseSpans(periods, rows)
}

/** The longest that begin on each day, one after another. */
export function chooseSpans(periods: Period[], fresh: Period[]): Cover {
  const longestFirst = fresh.toSorted((a, b) => daysIn(b) - daysIn(a))
  const cover: Cover = { whole: [], spans: [], days: [], known: [], unknown: [] }
  for (const period of periods) {
    extend(cover.whole, period)
    for (let day = period.from; day <= period.to; ) {
      const span = longestFirst.find(({ from, to }) => from === day && to <= period.to)
      const part = span ?? { from: day, to: day }
      if (span) cover.spans.push(span)
      else extend(cover.days, part)
      const isKnown = fresh.some(({ from, to }) => from <= day && day <= to)
      extend(isKnown ? cover.known : cover.unknown, part)
      day = addDays(part.to, 1)
    }
  }
  return cover
}

function extend(stretches: Period[], part: Period): void {
  const last = stretches.at(-1)
  if (last && addDays(last.to, 1) === part.from) last.to = part.to
  else stretches.push({ ...part })
}
