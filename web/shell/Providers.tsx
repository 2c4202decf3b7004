import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Outlet } from 'react-router'
import { queryClient } from '#web/api/query-client.ts'
import { AuthProvider } from '#web/auth/auth-context.tsx'
import { TooltipHost } from '#web/ui/Tooltip.tsx'
import { toasts } from '#web/ui/toast.ts'
import { usePhone } from '#web/ui/use-phone.ts'
import { theme } from './theme.ts'

/** The context of every screen; the landing page has none. */
export default function Providers() {
  const shown = useSyncExternalStore(theme.subscribe, theme.shown)
  const onPhone = usePhone()
  const Toasts = toasts.usePart()
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <AuthProvider>
          <Outlet />
          <TooltipHost />
          {/* At the bottom a notice would cover the buttons of a sheet. */}
          {Toasts && <Toasts theme={shown} position={onPhone ? 'top-center' : 'bottom-left'} />}
        </AuthProvider>
      </QueryClientProvider>
    </CSPProvider>
  )
}
