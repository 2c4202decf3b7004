import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactNode, useRef } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { useMenuBehind } from './opener.ts'

interface Props {
  title: string
  children: ReactNode
  confirm: string
  cancel?: string
  busy?: boolean
  busyText?: string
  /** Deleting and the like are red. */
  danger?: boolean
  /** Asked when it closes: false where what opened it goes too, and who closes it says where the focus goes. */
  returnsFocus?: () => boolean
  onConfirm: () => void
  onClose: () => void
}

/** A question that must be answered; the harmless answer has the focus. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  cancel = 'Cancelar',
  busy = false,
  busyText,
  danger = false,
  returnsFocus,
  onConfirm,
  onClose,
}: Props) {
  const harmless = useRef<HTMLButtonElement>(null)
  const menu = useMenuBehind()
  return (
    <AlertDialog.Root open onOpenChange={(open) => open || busy || onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop forceRender className="fixed inset-0 z-40 bg-overlay" />
        <AlertDialog.Viewport className="fixed inset-0 z-40 flex items-center justify-center p-4">
          <AlertDialog.Popup
            initialFocus={harmless}
            finalFocus={
              menu || returnsFocus ? () => (returnsFocus?.() ?? true) && (menu?.isConnected ? menu : true) : true
            }
            className="w-full max-w-md rounded-2xl border bg-surface p-5 shadow-popup outline-none sm:p-6"
          >
            <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
            <AlertDialog.Description render={<div />} className="mt-2 break-words text-muted">
              {children}
            </AlertDialog.Description>
            <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
              <Button ref={harmless} onClick={onClose} disabled={busy}>
                {cancel}
              </Button>
              <Button
                variant={danger ? 'danger' : 'primary'}
                busy={busy}
                {...(busyText && { busyText })}
                onClick={onConfirm}
              >
                {confirm}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
