import type { ReactNode } from 'react'
import type { CommissionEntry } from '#contract/commission-entries.ts'
import type { Role } from '#contract/roles.ts'
import { Explain } from '#web/explain/Explain.tsx'
import { EntryBadge } from '#web/states/StateBadges.tsx'
import { DayTime } from '#web/ui/dates.tsx'
import { Money } from '#web/ui/Money.tsx'

interface Props {
  entries: readonly CommissionEntry[]
  /** What a line is of: the link to where it leads. */
  head: (entry: CommissionEntry) => ReactNode
  detail: (entry: CommissionEntry) => ReactNode
  label: string
  viewer: Role
}

/** Commissions, a line each, for where a table has no room. */
export const EntryLines = ({ entries, head, detail, label, viewer }: Props) => (
  <ul aria-label={label} className="divide-y rounded-xl border">
    {entries.map((entry) => (
      <li key={entry.id} className="px-3 py-2.5">
        <div className="flex items-baseline justify-between gap-3">
          <span className="min-w-0 font-medium wrap-anywhere">{head(entry)}</span>
          <Money value={entry.amount} className="font-medium" />
        </div>
        <div className="mt-0.5 flex items-start justify-between gap-3">
          <span className="min-w-0 text-xs wrap-anywhere text-muted">
            {detail(entry)} · <DayTime value={entry.earned_at} />
          </span>
          <EntryBadge state={entry.state} />
        </div>
        {entry.note && <p className="mt-1 text-xs wrap-anywhere text-muted">{entry.note}</p>}
        {entry.reason && <p className="mt-1 text-xs wrap-anywhere text-muted">{entry.reason}</p>}
        <p className="mt-1">
          <Explain
            of={{ kind: 'entry', id: entry.id }}
            name={
              entry.lead_id === null
                ? `${entry.step_name} ${entry.id}`
                : `Comisión ${entry.id} del lead ${entry.lead_id}`
            }
            viewer={viewer}
          />
        </p>
      </li>
    ))}
  </ul>
)
