import { type ReactNode, useEffect, useRef } from 'react'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { focusContent } from './focus-content.ts'

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

export function RemoveDialog({ title = 'Estás seguro?', remove, id, onClose, onRemoved, children }: Props) {
  const removed = useRef(false)
  // The row goes, and with it the button that the focus would return to.
  useEffect(
    () => () => {
      if (removed.current) focusContent()
    },
    [],
  )
  return (
    <ConfirmDialog
      title={title}
      confirm="Eliminar"
      danger
      busy={remove.isPending}
      busyText="Eliminando..."
      returnsFocus={() => !removed.current}
      onConfirm={() =>
        remove.mutate(id, {
          onSuccess: () => {
            removed.current = true
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
}
