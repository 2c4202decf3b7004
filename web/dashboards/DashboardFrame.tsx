import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import type { Dashboard } from '#contract/metrics.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { isEmbeddable } from './embeddable.ts'

// 800 pixels (specification section 9); the skeleton keeps the place.
export const HEIGHT = 'h-[800px]'

export const Skeletons = () => (
  <span className="grid gap-6">
    <Skeleton className="h-6 w-1/3" />
    <span className="grid gap-6 sm:grid-cols-3">
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
    </span>
    <Skeleton className="h-72" />
  </span>
)

// What the page of another tool may do (security 2.9).
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-popups'

export function DashboardFrame({ dashboard }: { dashboard: Pick<Dashboard, 'name' | 'iframe_url'> }) {
  const [loaded, setLoaded] = useState(false)
  if (!isEmbeddable(dashboard.iframe_url, location.origin))
    return (
      <EmptyState
        icon={ShieldAlert}
        text="Este dashboard no se puede mostrar"
        hint="Su dirección no es segura. Contacta al administrador."
      />
    )
  return (
    <div className={`relative ${HEIGHT}`}>
      {!loaded && (
        <div className="absolute inset-0 p-6">
          <Skeletons />
        </div>
      )}
      <iframe
        title={dashboard.name}
        src={dashboard.iframe_url}
        sandbox={SANDBOX}
        referrerPolicy="no-referrer"
        loading="lazy"
        onLoad={() => setLoaded(true)}
        className={`relative block w-full border-0 ${HEIGHT}`}
      />
    </div>
  )
}
