import type { ReactNode } from 'react'
import { ConfirmDialog } from './ConfirmDialog.tsx'

interface Props {
  title?: string
  /** The mutation that removes by id. */
  remove: { isPending: boolean; mutate: (id: number, options: { onSuccess: () => void }) => void }
  id: number
  onClose: () => void
  /** When it is gone; nothing may show it any longer. */
  onRemoved?: (() => void) | undefined
  /** What is removed and what goes with it. */
  children: ReactNode
}

export const RemoveDialog = ({ title = 'Estás seguro?', remove, id, onClose, onRemoved, children }: Props) => (
  <ConfirmDialog
    title={title}
    confirm="Eliminar"
    danger
    busy={remove.isPending}
    busyText="Eliminando..."
    onConfirm={() =>
      remove.mutate(id, {
        onSuccess: () => {
          onClose()
          onRemoved?.()
        },
      })
    }
    onClose={onClose}
  >
    {children}
  </ConfirmDialog>
)
