import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { Outlet } from 'react-router'
import { Toaster } from 'sonner'
import { queryClient } from '#web/api/query-client.ts'
import { AuthProvider } from '#web/auth/auth-context.tsx'
import { TooltipHost } from '#web/ui/Tooltip.tsx'
import { theme } from './theme.ts'

/** A desk is wide enough that a notice covers no button of a dialog below it. */
const desk = () => matchMedia('(min-width: 40rem)')

function onWidth(changed: () => void) {
  const query = desk()
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** The context of every screen; the landing page has none. */
export default function Providers() {
  const shown = useSyncExternalStore(theme.subscribe, theme.shown)
  const onDesk = useSyncExternalStore(onWidth, () => desk().matches)
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <AuthProvider>
          <Outlet />
          <TooltipHost />
          {/* Beside the dialogs, above whose shade a refused save must be read. */}
          {createPortal(
            <Toaster
              theme={shown}
              position={onDesk ? 'bottom-left' : 'top-center'}
              closeButton
              toastOptions={{ closeButtonAriaLabel: 'Cerrar aviso' }}
            />,
            document.body,
          )}
        </AuthProvider>
      </QueryClientProvider>
    </CSPProvider>
  )
}
