import type { User } from '#contract/users.ts'
import { Card, Fact, Facts } from '#web/ui/Card.tsx'
import { LongDay, LongDayTime } from '#web/ui/dates.tsx'
import { MISSING } from '#web/ui/format.ts'
import { RoleBadge, UserStatusBadge } from '#web/users/badges.tsx'

/** Who one is, for reading. */
export function ProfileCard({ user }: { user: User }) {
  return (
    <Card title="Perfil" description="Esta información es de solo consulta.">
      <Facts>
        <Fact label="Nombre completo">{user.full_name || MISSING}</Fact>
        <Fact label="Email">{user.email || MISSING}</Fact>
        <Fact label="Rol">{user.role ? <RoleBadge role={user.role} /> : MISSING}</Fact>
        <Fact label="Estado">{user.user_status ? <UserStatusBadge status={user.user_status} /> : MISSING}</Fact>
        <Fact label="Último acceso">
          <LongDayTime value={user.last_login} />
        </Fact>
        <Fact label="Fecha de registro">
          <LongDay value={user.created_at} />
        </Fact>
      </Facts>
    </Card>
  )
}
