import { useQuery } from '@tanstack/react-query'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { LongDay, LongDayTime } from '#web/ui/dates.tsx'
import { MISSING } from '#web/ui/format.ts'
import { RoleBadge, UserStatusBadge } from '#web/users/badges.tsx'
import { LoadedCard } from './LoadedCard.tsx'
import { profileQuery } from './queries.ts'

/** The viewer's own data, the same for every role. */
export function OwnProfile() {
  const profile = useQuery(profileQuery())
  return (
    <LoadedCard
      title="Perfil"
      description="Esta información es de solo consulta."
      query={profile}
      loading="Cargando tus datos..."
      failed="No se pudieron cargar tus datos"
    >
      {(user) => (
        <Facts>
          <Fact label="Nombre completo">{user && (user.full_name || MISSING)}</Fact>
          <Fact label="Email">{user && (user.email || MISSING)}</Fact>
          <Fact label="Rol">{user && (user.role ? <RoleBadge role={user.role} /> : MISSING)}</Fact>
          <Fact label="Estado">
            {user && (user.user_status ? <UserStatusBadge status={user.user_status} /> : MISSING)}
          </Fact>
          <Fact label="Último acceso">{user && <LongDayTime value={user.last_login} />}</Fact>
          <Fact label="Fecha de registro">{user && <LongDay value={user.created_at} />}</Fact>
        </Facts>
      )}
    </LoadedCard>
  )
}
