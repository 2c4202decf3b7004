import type { ReactNode } from 'react'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'

interface Props {
  title?: string
  /** The mutation that removes by id. */
  remove: { isPending: boolean; mutate: (id: number, options: { onSuccess: () => void }) => void }
  id: number
  onClose: () => void
  /** What is removed and what goes with it. */
  children: ReactNode
}

export const RemoveDialog = ({ title = 'Estás seguro?', remove, id, onClose, children }: Props) => (
  <ConfirmDialog
    title={title}
    confirm="Eliminar"
    danger
    busy={remove.isPending}
    busyText="Eliminando..."
    onConfirm={() => remove.mutate(id, { onSuccess: onClose })}
    onClose={onClose}
  >
    {children}
  </ConfirmDialog>
)
