import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Skeleton } from './Skeleton.tsx'

interface Props {
  label: string
  icon: LucideIcon
  /** Undefined while it loads: a skeleton. */
  value: ReactNode | undefined
  /** Beside the figure: what must be known of it. */
  aside?: ReactNode
  /** The comparison below the figure; a skeleton while the figure is one. */
  note?: ReactNode
  withNote?: boolean
}

/** One figure with its name; several share the card of a StatRow. */
export function StatCard({ label, icon: Icon, value, aside, note, withNote = note !== undefined }: Props) {
  return (
    <div className="min-w-0 bg-surface px-5 py-4">
      <dt className="flex items-center gap-2 text-xs text-muted">
        <Icon aria-hidden className="size-4 shrink-0 text-faint" />
        {label}
      </dt>
      <dd>
        <span
          translate="no"
          className="mt-0.5 flex min-h-[max(2rem,1lh)] flex-wrap items-center gap-x-2 text-xl font-semibold break-words tabular-nums"
        >
          {value ?? <Skeleton className="h-6 w-28" />}
          {value !== undefined && aside}
        </span>
        {withNote && (
          <span className="mt-0.5 flex min-h-[1lh] items-center text-xs text-muted">
            {value === undefined ? <Skeleton className="w-40 max-w-full" /> : note}
          </span>
        )}
      </dd>
    </div>
  )
}

const columns = { 2: 'sm:grid-cols-2', 3: 'sm:grid-cols-3', 4: 'sm:grid-cols-2 xl:grid-cols-4' }

interface RowProps {
  /** What screen readers call the figures together. */
  label: string
  count: keyof typeof columns
  busy?: boolean
  children: ReactNode
}

export const StatRow = ({ label, count, busy = false, children }: RowProps) => (
  <section aria-label={label} aria-busy={busy}>
    {/* The lines between them are the ground that shows through. */}
    <dl className={`grid gap-px overflow-hidden rounded-xl border bg-line ${columns[count]}`}>{children}</dl>
  </section>
)
