import { LogOut, Menu as MenuIcon } from 'lucide-react'
import { Link } from 'react-router'
import { DEFAULT_ROLE_LABEL, roleLabels } from '#contract/roles.ts'
import { session } from '#web/api/session.ts'
import { nameOf, useAuth } from '#web/auth/auth-context.tsx'
import { paths } from '#web/paths.ts'
import { roleOf } from '#web/role-paths.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { later } from '#web/ui/later-part.ts'
import { Wordmark } from '#web/ui/Mark.tsx'
import { DensitySwitch } from './DensitySwitch.tsx'
import { SearchButton } from './SearchButton.tsx'
import { ThemeSwitch } from './ThemeSwitch.tsx'

const bell = later(async () => (await import('./Bell.tsx')).Bell)

/** `onMenu` opens the drawer of small screens, where there is one. */
export function Header({ onMenu }: { onMenu: (() => void) | undefined }) {
  const { user, logout } = useAuth()
  const role = roleOf(user?.role)
  const name = nameOf(user)
  const Bell = bell.usePart()
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-b bg-surface px-3 sm:gap-3 sm:px-5 print:hidden">
      {onMenu && <IconButton label="Abrir menú" icon={MenuIcon} onClick={onMenu} className="lg:hidden" />}
      <Link to={paths.dashboard} aria-label="Afluente, ir al dashboard" className="rounded-md max-sm:py-2">
        <Wordmark />
      </Link>
      <Badge tone="brand" className="max-sm:hidden">
        {role ? roleLabels[role] : DEFAULT_ROLE_LABEL}
      </Badge>
      <div className="ml-auto flex min-w-0 items-center gap-1 sm:gap-2">
        {role && <SearchButton role={role} />}
        {role && (Bell ? <Bell role={role} /> : <span className="size-8 shrink-0 max-sm:size-11" />)}
        <span title={user?.email} className="truncate text-muted max-sm:hidden">
          {name}
        </span>
        {role && <DensitySwitch />}
        <ThemeSwitch />
        {!session.isView() && (
          <Button variant="ghost" size="sm" icon={LogOut} onClick={logout}>
            Salir
          </Button>
        )}
      </div>
    </header>
  )
}
