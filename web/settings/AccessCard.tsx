import { useQuery } from '@tanstack/react-query'
import { AccessLists } from '#web/companies/AccessLists.tsx'
import { accessQuery, type Owner } from '#web/companies/access.ts'
import { Card } from '#web/ui/Card.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

/** Who can act for the own company. */
export function AccessCard({ owner }: { owner: Owner }) {
  const access = useQuery(accessQuery(owner))
  return (
    <Card
      title="Quién tiene acceso"
      description="Si no reconoces una cuenta o un movimiento, cambia tus claves y avisa al administrador de la red."
    >
      {access.data ? (
        <AccessLists access={access.data} />
      ) : access.isError ? (
        <ErrorState text="No se pudo cargar quién tiene acceso" query={access} />
      ) : (
        <p role="status" className="grid grid-cols-1 gap-2">
          <span className="sr-only">Cargando quién tiene acceso...</span>
          <Skeleton className="w-64 max-w-full" />
          <Skeleton className="w-48 max-w-full" />
        </p>
      )}
    </Card>
  )
}
