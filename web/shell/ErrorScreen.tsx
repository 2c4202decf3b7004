import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Button } from '#web/ui/Button.tsx'

export function ErrorScreen({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <div role="alert" className="mx-auto flex max-w-lg flex-col items-center px-6 py-20 text-center">
      <span className="mb-5 flex size-12 items-center justify-center rounded-full bg-danger-soft text-danger-ink">
        <TriangleAlert aria-hidden className="size-6" />
      </span>
      <h1 className="text-xl font-semibold">Algo salió mal</h1>
      <p className="mt-2 text-base text-muted">Ha ocurrido un error inesperado. Por favor, intenta nuevamente.</p>
      <div className="mt-6 flex flex-wrap justify-center gap-2">
        <Button variant="primary" onClick={onRetry}>
          Intentar nuevamente
        </Button>
        <Button onClick={() => location.reload()}>Recargar página</Button>
      </div>
      <details className="mt-8 w-full rounded-lg border bg-surface text-left">
        <summary className="px-4 py-2.5 font-medium">Detalles del error</summary>
        <pre className="border-t px-4 py-3 font-mono text-xs break-words whitespace-pre-wrap text-muted">
          {error.message}
        </pre>
      </details>
    </div>
  )
}
