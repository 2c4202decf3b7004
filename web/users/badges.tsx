import { DEFAULT_ROLE_LABEL, type Role, roleLabels } from '#contract/roles.ts'
import { type UserStatus, userStatusLabels } from '#contract/users.ts'
import { Badge, type Tone } from '#web/ui/Badge.tsx'

const roleTones: Record<Role, Tone> = { admin: 'brand', issuer: 'info', affiliate: 'success' }
const statusTones: Record<UserStatus, Tone> = { active: 'success', inactive: 'neutral', suspended: 'danger' }

export const RoleBadge = ({ role }: { role: Role }) => (
  <Badge tone={roleTones[role]}>{roleLabels[role] ?? DEFAULT_ROLE_LABEL}</Badge>
)

export const UserStatusBadge = ({ status }: { status: UserStatus }) => (
  <Badge tone={statusTones[status]}>{userStatusLabels[status] ?? status}</Badge>
)
