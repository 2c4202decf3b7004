import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { NavLink, Outlet, useLocation, useNavigation } from 'react-router'
import type { Role } from '#contract/roles.ts'
import { session } from '#web/api/session.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { EntryGate } from '#web/auth/EntryGate.tsx'
import { rightsQuery } from '#web/auth/rights.ts'
import { roleOf } from '#web/role-paths.ts'
import { cx } from '#web/ui/cx.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { Progress } from '#web/ui/Spinner.tsx'
import { Elevation } from './Elevation.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Header } from './Header.tsx'
import { tabsOf } from './navigation.ts'
import { Sidebar } from './Sidebar.tsx'
import { SpareTime } from './SpareTime.tsx'

const FactorBanner = lazy(() => import('./FactorBanner.tsx'))
const ViewBanner = lazy(() => import('./ViewBanner.tsx'))
const Drawer = laterDialog(async () => (await import('./Drawer.tsx')).Drawer)

/** Where the words would take the room that a list needs to show names whole. */
const beginsAsRail = () => matchMedia('(width < 90rem)').matches

/** Header, sidebar and the screen between them. Who has no role has no sidebar. */
export function Shell() {
  const { user } = useAuth()
  const role = roleOf(user?.role)
  const { pathname } = useLocation()
  const [collapsed, setCollapsed] = useState(beginsAsRail)
  const [drawer, setDrawer] = useState<string>()
  // It belongs to the screen it was opened on.
  const drawerOpen = drawer === pathname
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#contenido"
        className="sr-only z-50 rounded-lg bg-brand px-4 py-2 font-medium text-on-brand focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Saltar al contenido
      </a>
      <Header onMenu={role && (() => setDrawer(pathname))} />
      <div className="flex grow">
        {role && (
          <aside
            aria-label="Menú lateral"
            className={cx(
              'sticky top-14 hidden h-[calc(100dvh-3.5rem)] shrink-0 border-r bg-surface transition-[width] lg:block print:hidden',
              collapsed ? 'w-16' : 'w-60',
            )}
          >
            <Sidebar role={role} collapsed={collapsed} onToggle={() => setCollapsed(!collapsed)} />
          </aside>
        )}
        <main id="contenido" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          <Loading />
          <SpareTime />
          {role && <Asked role={role} />}
          <SectionTabs />
          <ErrorBoundary key={pathname}>
            <EntryGate>
              <Outlet />
            </EntryGate>
          </ErrorBoundary>
        </main>
      </div>
      <Elevation />
      <Suspense>{session.isView() && <ViewBanner />}</Suspense>
      {role && drawerOpen && <Drawer role={role} onClose={() => setDrawer(undefined)} />}
    </div>
  )
}

function Asked({ role }: { role: Role }) {
  const { data } = useQuery(rightsQuery())
  if (data?.factor !== 'asked' && data?.factor !== 'soon') return null
  return (
    <Suspense>
      <FactorBanner role={role} rights={data} />
    </Suspense>
  )
}

function Loading() {
  const { state } = useNavigation()
  return state === 'idle' ? null : <Progress label="Cargando pantalla" className="fixed inset-x-0 top-14 z-40" />
}

/** Links to screens that the sidebar does not list. */
function SectionTabs() {
  const { pathname } = useLocation()
  const rights = useQuery(rightsQuery())
  const shown = tabsOf(pathname, rights.data?.manages_people)
  if (shown.length === 0) return null
  return (
    <nav aria-label="Secciones" className="border-b bg-surface print:hidden">
      <ul className="mx-auto -mb-px flex max-w-7xl gap-3 overflow-x-auto px-4 whitespace-nowrap sm:gap-5 sm:px-6 lg:px-8">
        {shown.map(({ label, path }) => (
          <li key={path}>
            <NavLink
              to={path}
              className="block border-b-2 border-transparent py-3 font-medium text-muted hover:text-ink aria-[current=page]:border-brand aria-[current=page]:text-ink"
            >
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
