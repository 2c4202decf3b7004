import type { Status } from '#contract/fields.ts'
import { Badge } from '#web/ui/Badge.tsx'

export const relationshipStatusLabels: Record<Status, string> = { active: 'Activa', inactive: 'Inactiva' }

/** Only what is out of the ordinary is marked. */
export const InactiveBadge = ({ status }: { status: Status }) =>
  status === 'active' ? null : <Badge>{relationshipStatusLabels[status] ?? status}</Badge>
