import { isRouteErrorResponse, useLocation, useNavigate, useRouteError } from 'react-router'
import { ErrorScreen } from './ErrorScreen.tsx'

/** What of it can be told; the router's own words are English. */
function errorOf(thrown: unknown): Error {
  if (isRouteErrorResponse(thrown)) return new Error(`Error ${thrown.status}`)
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

/** Catches what fails outside of every screen, such as a chunk that cannot be loaded. */
export function RouterFallback() {
  const error = errorOf(useRouteError())
  const navigate = useNavigate()
  const { pathname, search, hash } = useLocation()
  return (
    <main className="flex min-h-dvh flex-col justify-center">
      <ErrorScreen error={error} onRetry={() => void navigate(pathname + search + hash, { replace: true })} />
    </main>
  )
}
