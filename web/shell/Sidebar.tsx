import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { NavLink, useLocation } from 'react-router'
import type { Role } from '#contract/roles.ts'
import { cx } from '#web/ui/cx.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { familyOf, navigation } from './navigation.ts'

interface Props {
  role: Role
  collapsed?: boolean
  onToggle?: () => void
  /** A link was pressed, also one that leads to the screen that is shown. */
  onFollow?: () => void
}

export function Sidebar({ role, collapsed = false, onToggle, onFollow }: Props) {
  const { title } = navigation[role]
  return (
    <div className="flex h-full flex-col">
      <div className={cx('flex h-12 items-center pt-2', collapsed ? 'justify-center' : 'justify-between pr-2 pl-5')}>
        <h2 className={collapsed ? 'sr-only' : 'text-xs font-semibold text-muted'}>{title}</h2>
        {onToggle && (
          <IconButton
            label={collapsed ? 'Expandir menú' : 'Contraer menú'}
            icon={collapsed ? PanelLeftOpen : PanelLeftClose}
            aria-expanded={!collapsed}
            onClick={onToggle}
          />
        )}
      </div>
      <NavigationList role={role} collapsed={collapsed} onFollow={onFollow} />
    </div>
  )
}

function NavigationList({ role, collapsed, onFollow }: Omit<Props, 'onToggle'>) {
  const { pathname } = useLocation()
  const { title, items } = navigation[role]
  const [head] = familyOf(pathname)
  return (
    <nav aria-label={title} className="flex-1 overflow-y-auto px-2.5 py-2">
      <ul className="grid gap-0.5">
        {items.map(({ label, path, icon: Icon, parts }) => {
          const active = pathname === path || head?.path === path || parts?.some((part) => part.path === pathname)
          const link = (
            <NavLink
              to={path}
              onClick={onFollow}
              aria-label={collapsed ? label : undefined}
              className={cx(
                'flex h-9 items-center gap-3 rounded-lg font-medium transition-colors max-lg:h-11',
                collapsed ? 'justify-center' : 'px-2.5',
                active ? 'bg-brand-soft text-brand-ink' : 'text-muted hover:bg-hover hover:text-ink',
              )}
            >
              <Icon aria-hidden className="size-[1.125rem] shrink-0" />
              {!collapsed && label}
            </NavLink>
          )
          return <li key={path}>{collapsed ? <Tooltip text={label}>{link}</Tooltip> : link}</li>
        })}
      </ul>
    </nav>
  )
}
