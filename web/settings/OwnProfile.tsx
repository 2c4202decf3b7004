import { useQuery } from '@tanstack/react-query'
import { LoadedCard } from './LoadedCard.tsx'
import { ProfileCard } from './ProfileCard.tsx'
import { profileQuery } from './queries.ts'

/** Who one is, the same for every role. */
export function OwnProfile() {
  const profile = useQuery(profileQuery())
  return (
    <LoadedCard title="Perfil" query={profile} loading="Cargando tus datos..." failed="No se pudieron cargar tus datos">
      {(user) => <ProfileCard user={user} />}
    </LoadedCard>
  )
}
