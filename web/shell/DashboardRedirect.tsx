import { Navigate } from 'react-router'
import { useAuth } from '#web/auth/auth-context.tsx'
import { dashboardOf, roleOf } from '#web/role-paths.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'

/** /app/dashboard leads on to the role's own; somebody without a role has none and stays. */
export default function DashboardRedirect() {
  const { user } = useAuth()
  if (roleOf(user?.role)) return <Navigate to={dashboardOf(user?.role)} replace />
  return (
    <EmptyState
      text="Tu cuenta todavía no tiene un rol asignado"
      hint="Pide al administrador de tu red que te asigne uno; después vuelve a entrar."
    />
  )
}
