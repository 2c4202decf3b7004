import { ArrowLeft, LogIn, ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, NavLink, Outlet, useLocation, useNavigation } from 'react-router'
import { useAuth } from '#web/auth/auth-context.tsx'
import { paths } from '#web/paths.ts'
import { dashboardOf, roleOf } from '#web/role-paths.ts'
import { ErrorBoundary } from '#web/shell/ErrorBoundary.tsx'
import { buttonLook } from '#web/ui/button-look.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Progress } from '#web/ui/Spinner.tsx'
import { useTitle } from '#web/ui/use-title.ts'
import { isFramed } from './framed.ts'

const boards = [
  {
    label: 'Red',
    description: 'Toda la red en un vistazo: leads, conversiones y comisiones por emisor, afiliado y producto.',
    path: paths.boards.network,
    adminOnly: true,
  },
  {
    label: 'Rendimiento',
    description: 'Leads, conversiones y comisiones por día, comparados con el periodo anterior.',
    path: paths.boards.performance,
    adminOnly: false,
  },
  {
    label: 'Embudo',
    description: 'Hasta dónde llegan los leads de un producto, en qué paso se pierden y cuántos se aprueban.',
    path: paths.boards.funnel,
    adminOnly: false,
  },
  {
    label: 'Comisiones',
    description: 'Comisiones devengadas, en pago, pagadas y revertidas, por producto y por afiliado.',
    path: paths.boards.commissions,
    adminOnly: false,
  },
]

/** The page around a board: no header in a frame, else links back and to the other boards. */
export default function BoardArea() {
  const { user, signedIn } = useAuth()
  const { pathname } = useLocation()
  const role = roleOf(user?.role)
  const own = boards.filter(({ adminOnly }) => role === 'admin' || !adminOnly)
  const current = role && own.find(({ path }) => path === pathname.replace(/\/+$/, ''))
  return (
    <div className="min-h-dvh">
      <Loading />
      {signedIn && !isFramed() && (
        <header className="border-b bg-surface">
          <nav
            aria-label="Tableros"
            className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-5 gap-y-1 px-4 py-2 sm:px-6"
          >
            <Link to={dashboardOf(user?.role)} className={buttonLook('ghost', 'sm')}>
              <ArrowLeft aria-hidden className="size-4" />
              Volver al Dashboard
            </Link>
            {role &&
              own.map(({ label, path }) => (
                <NavLink
                  key={path}
                  to={path}
                  className="min-w-8 border-b-2 border-transparent py-1.5 font-medium max-sm:min-w-11 max-sm:py-2.5 text-muted hover:text-ink aria-[current=page]:border-brand aria-[current=page]:text-ink"
                >
                  {label}
                </NavLink>
              ))}
          </nav>
        </header>
      )}
      <main id="contenido" tabIndex={-1} className="outline-none">
        <ErrorBoundary key={pathname}>
          {signedIn ? current ? <Titled {...current} /> : <Refused /> : <SignedOut />}
        </ErrorBoundary>
      </main>
    </div>
  )
}

function Titled({ label, description }: Pick<(typeof boards)[number], 'label' | 'description'>) {
  useTitle(label)
  const framed = isFramed()
  return (
    <div className="mx-auto w-full max-w-7xl px-4 py-5 sm:px-6">
      <header className={framed ? 'sr-only' : 'mb-5'}>
        <h1 className="text-xl font-semibold">{label}</h1>
        <p className="mt-1 max-w-2xl text-muted">{description}</p>
      </header>
      <Outlet />
    </div>
  )
}

function Loading() {
  const { state } = useNavigation()
  return state === 'idle' ? null : <Progress label="Cargando tablero" className="fixed inset-x-0 top-0 z-40" />
}

function Refused() {
  return (
    <Instead>
      <EmptyState
        icon={ShieldAlert}
        text="No tienes permisos para ver este tablero"
        hint="Contacta al administrador si crees que esto es un error."
      />
    </Instead>
  )
}

/** Signs in in the whole window, never in a frame. */
function SignedOut() {
  return (
    <Instead>
      <EmptyState
        icon={LogIn}
        text="Inicia sesión para ver este tablero"
        action={
          <a href={paths.login} target="_top" className={buttonLook('primary')}>
            Iniciar sesión
          </a>
        }
      />
    </Instead>
  )
}

function Instead({ children }: { children: ReactNode }) {
  useTitle('Tablero')
  return (
    <>
      <h1 className="sr-only">Tablero</h1>
      {children}
    </>
  )
}
