import { sql } from 'kysely'
import { dateInMexico } from '#contract/time.ts'
import type { Db } from '#db/connect.ts'
import { codeOf } from '#db/operator-error.ts'
import { type Call, callAlone } from '#db/pool.ts'

/** Leads of an open partition; scanning this many takes some 3 ms. */
const CUT_LEADS = 20_000
/** A cut takes effect this much later: longer than the clocks of two servers differ. */
const CUT_AHEAD_MS = 2_000
/** A click takes less than this from its id to its COMMIT, or comes from the spool and is counted separately. */
const CLOSE_AFTER_MS = 2_000
/** Partitions of the present day that are worth merging, and how large they may be. */
const MERGE_RUN = 10
const MERGE_LEADS_MAX = 250_000
/** A larger one is not faster to read, and takes minutes to make. */
const MERGED_LEADS_MAX = 5_000_000
const REST_MS = 1_000
/** Far more than each takes: whoever has not answered by then is not there any more. */
const DEADLINES_MS = { cut: 60_000, close: 600_000, merge: 1_800_000 } as const
/** A step that needs a moment without readers gives up soon; a retry should not meet the same ones. */
const BUSY_REST_MS = 1_000

/** One of the partitions of `lead`. */
export interface Partition {
  name: string
  /** Day of Mexico City on which it begins. */
  day: string
  /** So long ago that no click can still be on its way into it, by PostgreSQL's clock: a server's may be ahead. */
  has_ended: boolean
  /** Null while it is not closed. */
  leads: number | null
}

/** The next thing to do. */
export type Step = { kind: 'cut'; at: Date } | { kind: 'close'; name: string } | { kind: 'merge'; names: string[] }

interface State {
  /** The oldest first. */
  partitions: Partition[]
  open: { leads: number; day: string | null }
}

/** Each figure of the open partition is one end of an index, since this is asked every second. */
async function readState(db: Db): Promise<State> {
  const isOpen = sql`tracking_id >= (select first_id from lead_partition where end_id is null)`
  const { rows } = await sql<State>`
    select partitions, json_build_object('leads', leads, 'day', day) as open
    from (
      select json_agg(json_build_object('name', name, 'leads', leads, 'day', mexico_day(moment_of(first_id)), 'has_ended',
        coalesce(moment_of(end_id) <= clock_timestamp() - make_interval(secs => ${CLOSE_AFTER_MS / 1000}), false))
        order by first_id) as partitions
      from lead_partition
    ) as known
    cross join (
      select coalesce(max(id) - min(id) + 1, 0) as leads,
        (select mexico_day(created_at) from lead where ${isOpen} order by tracking_id limit 1) as day
      from lead where ${isOpen}
    ) as newest`.execute(db)
  return rows[0] as State
}

/** Cutting comes first: while the open partition grows, everything that lists or counts scans more. */
export function stepDue({ partitions, open }: State, now: Date, cutLeads = CUT_LEADS): Step | undefined {
  const today = dateInMexico(now)
  if (open.leads >= cutLeads || (open.day !== null && open.day < today))
    return { kind: 'cut', at: new Date(now.getTime() + CUT_AHEAD_MS) }
  return closeDue(partitions)
}

function closeDue(partitions: Partition[]): Step | undefined {
  const ended = partitions.find(({ leads, has_ended }) => leads === null && has_ended)
  return ended && { kind: 'close', name: ended.name }
}

/** Neighbours of a past month, else of a past day, else the small ones of today. */
export function runToMerge(partitions: Partition[], today: string): string[] | undefined {
  const closed = partitions.filter((each): each is Partition & { leads: number } => each.leads !== null)
  const month = today.slice(0, 7)
  const isOver = (own: string) => own < (own.length === month.length ? month : today)
  for (const length of [month.length, today.length])
    for (const [period, own] of Map.groupBy(closed, ({ day }) => day.slice(0, length))) {
      const run = isOver(period) ? firstRun(own) : undefined
      if (run) return run.map(({ name }) => name)
    }
  const isSmall = ({ day, leads }: Partition & { leads: number }) => day === today && leads < MERGE_LEADS_MAX
  const runs = closed.map((_, from) => closed.slice(from, from + MERGE_RUN))
  return runs.find((run) => run.length === MERGE_RUN && run.every(isSmall))?.map(({ name }) => name)
}

/** The first neighbours that together are no larger than one partition should be. */
function firstRun<P extends { leads: number }>(partitions: P[]): P[] | undefined {
  let run: P[] = []
  let leads = 0
  for (const each of partitions) {
    if (leads + each.leads > MERGED_LEADS_MAX) {
      if (run.length > 1) return run
      run = []
      leads = 0
    }
    run.push(each)
    leads += each.leads
  }
  return run.length > 1 ? run : undefined
}

/** False when another copy of the server is doing it. */
async function take(call: Call, step: Step): Promise<boolean> {
  const { rows } = await callFor(call, step)
  return (rows[0] as { done: boolean }).done
}

function callFor(call: Call, step: Step) {
  switch (step.kind) {
    case 'cut':
      return call('select cut_leads($1) as done', [step.at])
    case 'close':
      return call('select close_partition($1) as done', [step.name])
    case 'merge':
      return call('select merge_partitions($1) as done', [step.names])
  }
}

interface Options {
  databaseUrl: string
  /** Aborts the step under way; the next call starts it again. */
  signal?: AbortSignal
  now?: Date
  cutLeads?: number
}

/** Leads are being read or written: to be retried soon. */
export const isBusy = (error: unknown): boolean => ['55P03', '40P01'].includes(codeOf(error) ?? '')

/** There is a lead beyond the cut, or the cut is beyond PostgreSQL's clock: a server's clock is ahead. */
const isAhead = (error: unknown): boolean => codeOf(error) === '23514'

interface Tended {
  /** What was done. */
  step: Step | undefined
  /** How long to wait before the next call. */
  restMs: number
}

async function tryStep(step: Step | undefined, { databaseUrl, signal }: Options): Promise<Tended> {
  if (!step) return { step, restMs: REST_MS }
  const deadlineMs = DEADLINES_MS[step.kind]
  const done = await callAlone(databaseUrl, 'afluente partitions', (call) => take(call, step), { signal, deadlineMs })
  return { step: done ? step : undefined, restMs: done ? 0 : REST_MS }
}

function restIfBusy(error: unknown, signal?: AbortSignal): Tended {
  if (signal?.aborted || isBusy(error)) return { step: undefined, restMs: BUSY_REST_MS }
  throw error
}

/** Cuts or closes, if one is due. */
export async function tendPartitions(db: Db, options: Options): Promise<Tended> {
  const { now = new Date(), signal } = options
  const state = await readState(db)
  try {
    return await tryStep(stepDue(state, now, options.cutLeads), options).catch((error) => {
      const other = isAhead(error) ? closeDue(state.partitions) : undefined
      if (!other) throw error
      return tryStep(other, options)
    })
  } catch (error) {
    return restIfBusy(error, signal)
  }
}

/** Merges, if a merge is due. It takes up to minutes, so it runs beside cutting and closing, which take seconds. */
export async function mergePartitions(db: Db, options: Omit<Options, 'cutLeads'>): Promise<Tended> {
  const { now = new Date(), signal } = options
  const { partitions } = await readState(db)
  const names = runToMerge(partitions, dateInMexico(now))
  return tryStep(names && { kind: 'merge', names }, options).catch((error) => restIfBusy(error, signal))
}
