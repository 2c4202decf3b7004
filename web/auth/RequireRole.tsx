import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import type { Role } from '#contract/roles.ts'
import { paths } from '#web/paths.ts'
import { roleOf } from '#web/role-paths.ts'
import { useAuth } from './auth-context.tsx'

interface Props {
  /** Without a list any signed-in person may enter. */
  roles?: readonly Role[]
  children: ReactNode
}

export function RequireRole({ roles, children }: Props) {
  const { user, signedIn, leaving } = useAuth()
  const location = useLocation()
  if (!signedIn) return <Navigate to={paths.login} replace state={leaving ? null : { from: location }} />
  const role = roleOf(user?.role)
  if (roles && !(role && roles.includes(role))) return <Navigate to={paths.unauthorized} replace />
  return children
}
