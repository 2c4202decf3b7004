import { Monitor, Moon, Sun } from 'lucide-react'
import { paths } from '#web/paths.ts'
import { themeLabel } from '#web/shell/theme-steps.ts'
import { buttonLook } from '#web/ui/button-look.ts'
import { Wordmark } from '#web/ui/Mark.tsx'

const chapters = [
  { href: '#como-funciona', name: 'Cómo funciona' },
  { href: '#producto', name: 'Producto' },
  { href: '#promesa', name: 'Promesa' },
  { href: '#comenzar', name: 'Instalar' },
  { href: '#vision', name: 'Visión' },
  { href: '#hoja-de-ruta', name: 'Hoja de ruta' },
  { href: '#preguntas', name: 'Preguntas' },
]

export const SkipLink = () => (
  <a
    href="#contenido"
    className="fixed top-2 left-2 z-50 -translate-y-20 rounded-lg bg-brand px-4 py-2 font-medium text-on-brand focus:translate-y-0"
  >
    Saltar al contenido
  </a>
)

export const Header = () => (
  <header className="sticky top-0 z-40 border-b bg-canvas/90 backdrop-blur">
    <div className="mx-auto flex h-16 max-w-6xl items-center gap-2 px-5 sm:px-8">
      <a href={paths.home} aria-label="Afluente, página de inicio" className="rounded-md">
        <Wordmark />
      </a>
      <nav aria-label="Secciones" className="mx-auto hidden lg:block">
        <ul className="flex gap-1">
          {chapters.map(({ href, name }) => (
            <li key={href}>
              <a href={href} className="rounded-md px-3 py-2 font-medium text-muted hover:text-ink">
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="flex items-center gap-1 max-lg:ml-auto sm:gap-3">
        <ThemeButton />
        <a href={paths.login} className={buttonLook('secondary')}>
          Inicio de Sesión
        </a>
      </div>
    </div>
  </header>
)

/** theme-button.ts makes it work and keeps its icon and its name. */
const ThemeButton = () => (
  <button
    type="button"
    data-theme-button="system"
    aria-label={themeLabel('system')}
    className="inline-flex size-9 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
  >
    <Monitor aria-hidden data-icon="system" className="size-4.5" />
    <Sun aria-hidden data-icon="light" className="size-4.5" />
    <Moon aria-hidden data-icon="dark" className="size-4.5" />
  </button>
)

export const Closing = () => (
  <section aria-labelledby="cierre" className="mx-auto max-w-6xl px-5 pt-8 pb-20 text-center sm:px-8 lg:pb-28">
    <h2 id="cierre" className="text-2xl font-semibold md:text-3xl">
      Todo empieza con un enlace
    </h2>
    <p className="mx-auto mt-3 max-w-xl text-lg text-pretty text-muted">
      Copia el tuyo, compártelo y mira llegar el primer clic.
    </p>
    <a href={paths.login} className={`${buttonLook('primary')} mt-7 h-11 px-6 text-base`}>
      Entrar a Afluente
    </a>
  </section>
)

export const Footer = () => (
  <footer className="border-t bg-surface">
    <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-8 gap-y-4 px-5 py-10 sm:px-8">
      <Wordmark />
      <nav aria-label="Pie de página" className="flex flex-wrap gap-x-6 gap-y-2 text-muted sm:ml-auto">
        <a href="/api/docs/" className="py-1 hover:text-ink hover:underline">
          Documentación de la API
        </a>
        <SupportLink />
        <a href={paths.privacy} className="py-1 hover:text-ink hover:underline">
          Aviso de privacidad
        </a>
        <a href={paths.terms} className="py-1 hover:text-ink hover:underline">
          Términos y condiciones
        </a>
      </nav>
      <p className="w-full text-muted">© 2024 Afluente. Código abierto bajo la licencia MIT.</p>
    </div>
  </footer>
)

/** Without an address; the server gives it one where the operator has set one (server/landing/page.ts). */
const SupportLink = () => (
  // biome-ignore lint/a11y/useValidAnchor: the specified link leads nowhere
  <a data-link="support" role="link" aria-disabled="true" className="py-1 hover:text-ink">
    Contacto y Soporte
  </a>
)
