import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Outlet } from 'react-router'
import { Toaster } from 'sonner'
import { queryClient } from '#web/api/query-client.ts'
import { AuthProvider } from '#web/auth/auth-context.tsx'
import { TooltipHost } from '#web/ui/Tooltip.tsx'
import { theme } from './theme.ts'

/** The context of every screen; the landing page has none. */
export default function Providers() {
  const shown = useSyncExternalStore(theme.subscribe, theme.shown)
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <AuthProvider>
          <Outlet />
          <TooltipHost />
          <Toaster
            theme={shown}
            position="bottom-right"
            closeButton
            toastOptions={{ closeButtonAriaLabel: 'Cerrar aviso' }}
          />
        </AuthProvider>
      </QueryClientProvider>
    </CSPProvider>
  )
}
