import { useRouteError } from 'react-router'

/** Catches what fails outside of every screen, such as a chunk that cannot be loaded. */
export function RouterFallback() {
  const error = useRouteError()
  const text = error instanceof Error ? error.message : String(error)
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg flex-col justify-center px-6 text-center">
      <h1 className="text-xl font-semibold">Unexpected Application Error!</h1>
      <p className="mt-2 break-words text-muted">{text}</p>
      <p className="mt-6">
        <button
          type="button"
          onClick={() => location.reload()}
          className="h-9 rounded-lg bg-brand px-4 font-medium text-on-brand hover:bg-brand-strong"
        >
          Recargar página
        </button>
      </p>
    </main>
  )
}
