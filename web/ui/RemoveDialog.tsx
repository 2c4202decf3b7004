import { type ReactNode, useEffect, useRef } from 'react'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { focusContent } from './focus-content.ts'

interface Props<Id> {
  title?: string
  confirm?: string
  busyText?: string
  cancel?: string
  /** The mutation that takes it away. */
  remove: { isPending: boolean; mutate: (id: Id, options: { onSuccess: () => void }) => void }
  id: Id
  onClose: () => void
  /** When it is gone; nothing may show it any longer. */
  onRemoved?: (() => void) | undefined
  /** What is removed and what goes with it. */
  children: ReactNode
}

export function RemoveDialog<Id>({
  title = 'Estás seguro?',
  confirm = 'Eliminar',
  busyText = 'Eliminando...',
  cancel,
  remove,
  id,
  onClose,
  onRemoved,
  children,
}: Props<Id>) {
  const removed = useRef(false)
  // The button that the focus would return to goes, with its row or alone.
  useEffect(
    () => () => {
      if (removed.current) focusContent()
    },
    [],
  )
  return (
    <ConfirmDialog
      title={title}
      confirm={confirm}
      busyText={busyText}
      cancel={cancel}
      danger
      busy={remove.isPending}
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
