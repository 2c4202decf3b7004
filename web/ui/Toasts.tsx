import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { Toaster, type ToasterProps, toast } from 'sonner'
import { isInPlace } from './toast.ts'

/** Beside the dialogs, above whose shade a refused save must be read. */
export function Toasts(props: Pick<ToasterProps, 'theme' | 'position'>) {
  // After the same of Toaster, which hears from then on.
  useEffect(() => isInPlace(toast), [])
  return createPortal(
    <Toaster closeButton toastOptions={{ closeButtonAriaLabel: 'Cerrar aviso' }} {...props} />,
    document.body,
  )
}
