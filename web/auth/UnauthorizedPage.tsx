import { ShieldX } from 'lucide-react'
import { useNavigate } from 'react-router'
import { dashboardOf } from '#web/role-paths.ts'
import { Button } from '#web/ui/Button.tsx'
import { useTitle } from '#web/ui/use-title.ts'
import { useAuth } from './auth-context.tsx'

const canGoBack = (): boolean =>
  (window.navigation as Navigation | undefined)?.canGoBack ?? Boolean((history.state as { idx?: number } | null)?.idx)

export default function UnauthorizedPage() {
  useTitle('Acceso denegado')
  const { user, logout } = useAuth()
  const navigate = useNavigate()
  const dashboard = dashboardOf(user?.role)
  // A typed address begins the router's count anew; browsers without `navigation` know only that.
  const goBack = () => void (canGoBack() ? navigate(-1) : navigate(dashboard, { replace: true }))
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center px-6 py-20 text-center">
      <span className="mb-5 flex size-12 items-center justify-center rounded-full bg-sunken text-faint">
        <ShieldX aria-hidden className="size-6" />
      </span>
      <h1 className="text-xl font-semibold">Acceso denegado</h1>
      <p className="mt-2 text-base text-muted">
        No tienes permisos para acceder a esta página. Contacta al administrador si crees que esto es un error.
      </p>
      <div className="mt-6 flex flex-wrap justify-center gap-2">
        <Button onClick={goBack}>Volver</Button>
        <Button variant="primary" onClick={() => void navigate(dashboard)}>
          Ir al Dashboard
        </Button>
        <Button variant="ghost" onClick={logout}>
          Cerrar sesión
        </Button>
      </div>
    </div>
  )
}
