import { RequireRole } from '#web/auth/RequireRole.tsx'
import { Shell } from './Shell.tsx'

export const AdminArea = () => (
  <RequireRole roles={['admin']}>
    <Shell />
  </RequireRole>
)

export const IssuerArea = () => (
  <RequireRole roles={['issuer']}>
    <Shell />
  </RequireRole>
)

export const AffiliateArea = () => (
  <RequireRole roles={['affiliate']}>
    <Shell />
  </RequireRole>
)

export const SignedInArea = () => (
  <RequireRole>
    <Shell />
  </RequireRole>
)
