import { useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { paths } from '#web/paths.ts'
import { buttonLook } from '#web/ui/button-look.ts'
import { Wordmark } from '#web/ui/Mark.tsx'
import { useTitle } from '#web/ui/use-title.ts'

export default function NotFoundPage() {
  useTitle('Página no encontrada')
  const { pathname } = useLocation()
  useEffect(() => {
    console.error(`404: no existe la página ${pathname}`)
  }, [pathname])
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-6 text-center">
      <Wordmark className="mb-10" />
      <p className="text-4xl font-semibold text-brand tabular-nums">404</p>
      <h1 className="mt-3 text-xl font-semibold">Oops! Page not found</h1>
      <p className="mt-2 max-w-md wrap-anywhere text-muted">
        La dirección <span className="font-medium text-ink">{pathname}</span> no existe o cambió de lugar.
      </p>
      <Link to={paths.home} className={`${buttonLook('primary')} mt-7`}>
        Volver al inicio
      </Link>
    </main>
  )
}
