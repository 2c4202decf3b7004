import type { ReactNode } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { partlyText } from './nouns.ts'
import type { BulkResult as Result } from './use-bulk.ts'

interface Props {
  result: Result
  nameOf: (id: number) => ReactNode
  busy: boolean
  onRetry: (ids: number[]) => void
  onClose: () => void
}

/** What a change of many rows could not change, and why. */
export const BulkResult = ({ result: { done, of, failed }, nameOf, busy, onRetry, onClose }: Props) => (
  <Dialog
    title={<span role="status">{partlyText(done, of)}</span>}
    onClose={() => busy || onClose()}
    footer={
      <>
        <Button onClick={onClose} disabled={busy}>
          Cerrar
        </Button>
        <Button
          variant="primary"
          busy={busy}
          busyText="Reintentando..."
          onClick={() => onRetry(failed.map(({ id }) => id))}
        >
          Reintentar
        </Button>
      </>
    }
  >
    <ul className="divide-y">
      {failed.map(({ id, message }) => (
        <li key={id} className="py-2.5">
          <span className="font-medium">{nameOf(id)}</span>
          <p className="text-muted">{message}</p>
        </li>
      ))}
    </ul>
  </Dialog>
)
