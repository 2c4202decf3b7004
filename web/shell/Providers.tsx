import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { Outlet } from 'react-router'
import { Toaster } from 'sonner'
import { queryClient } from '#web/api/query-client.ts'
import { AuthProvider } from '#web/auth/auth-context.tsx'
import { TooltipHost } from '#web/ui/Tooltip.tsx'
import { usePhone } from '#web/ui/use-phone.ts'
import { theme } from './theme.ts'

/** The context of every screen; the landing page has none. */
export default function Providers() {
  const shown = useSyncExternalStore(theme.subscribe, theme.shown)
  const onPhone = usePhone()
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
              // At the bottom a notice would cover the buttons of a sheet.
              position={onPhone ? 'top-center' : 'bottom-left'}
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
