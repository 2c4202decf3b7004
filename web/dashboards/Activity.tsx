import { useQuery } from '@tanstack/react-query'
import {
  Activity as ActivityIcon,
  Boxes,
  Building2,
  CircleDollarSign,
  HandCoins,
  Handshake,
  KeyRound,
  type LucideIcon,
  Milestone,
  UserRound,
  Users,
} from 'lucide-react'
import type { AuditEntry } from '#contract/metrics.ts'
import { sentenceOf } from '#web/audit-log/sentence.ts'
import { DayTime, RelativeTime } from '#web/ui/dates.tsx'
import { EmptyState, ErrorState } from '#web/ui/EmptyState.tsx'
import { ListSkeleton } from './ListSkeleton.tsx'
import { activityQuery } from './queries.ts'

/** The last things that people and systems did. */
export function Activity() {
  const activity = useQuery(activityQuery())
  const { data } = activity
  if (!data && activity.isError) return <ErrorState text="Error al cargar la actividad" query={activity} />
  if (!data) return <ListSkeleton text="Cargando actividad..." />
  if (data.length === 0)
    return <EmptyState icon={ActivityIcon} text="Sin actividad reciente" hint="Aquí aparecerá lo que pase en la red." />
  return (
    <ol aria-label="Actividad reciente" className="-my-1 divide-y divide-line">
      {data.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </ol>
  )
}

const icons: Record<string, LucideIcon> = {
  user: UserRound,
  affiliate: Users,
  issuer: Building2,
  relationship: Handshake,
  product: Boxes,
  event_step: Milestone,
  lead_event: Milestone,
  commission: HandCoins,
  commission_entry: HandCoins,
  payment: CircleDollarSign,
}

const iconOf = ({ action, entity }: AuditEntry): LucideIcon =>
  /login|logout|session|password|key/.test(action) ? KeyRound : (icons[entity] ?? ActivityIcon)

function Entry({ entry }: { entry: AuditEntry }) {
  const { who, did, what } = sentenceOf(entry)
  const Icon = iconOf(entry)
  return (
    <li className="flex items-start gap-3 py-2.5">
      <span className="mt-0.5 flex size-7 shrink-0 items-center justify-center rounded-full bg-sunken text-muted">
        <Icon aria-hidden className="size-3.5" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere text-muted">
          <span className="font-medium text-ink">{who}</span> {did} <span className="text-ink">{what}</span>
        </p>
        <p className="text-xs text-muted">
          <DayTime value={entry.created_at} /> · <RelativeTime value={entry.created_at} />
        </p>
      </div>
    </li>
  )
}
