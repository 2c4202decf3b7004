import { zodResolver } from '@hookform/resolvers/zod'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { createPath, Link, type Location, Navigate, useLocation } from 'react-router'
import { Login } from '#contract/auth.ts'
import type { SessionUser } from '#web/api/session.ts'
import { takesFilled } from '#web/form/filled.ts'
import { PasswordField } from '#web/form/PasswordField.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { paths } from '#web/paths.ts'
import { belongsTo, dashboardOf } from '#web/role-paths.ts'
import { passkeysPossible } from '#web/second-factors/passkeys-possible.ts'
import { ThemeSwitch } from '#web/shell/ThemeSwitch.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Wordmark } from '#web/ui/Mark.tsx'
import { useTitle } from '#web/ui/use-title.ts'
import { useAuth } from './auth-context.tsx'
import { DemoAccounts } from './DemoAccounts.tsx'
import { loginNotices } from './login-notices.ts'
import { InlineLogin } from './login-rules.ts'
import { typedEarly } from './typed-early.ts'

const SecondStep = lazy(() => import('#web/second-factors/SecondStep.tsx'))

export default function LoginPage() {
  useTitle('Iniciar sesión')
  const { user, signedIn, step, startOver } = useAuth()
  const location = useLocation()
  if (signedIn) return <Navigate to={destination(location, user)} replace />
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <main className="flex flex-col px-6 py-6 sm:px-10">
        <div className="flex items-center justify-between">
          <Link to={paths.home} className="rounded-md max-sm:py-2" aria-label="Afluente, página de inicio">
            <Wordmark />
          </Link>
          <ThemeSwitch />
        </div>
        <div className="m-auto w-full max-w-sm py-12">
          <h1 className="text-2xl font-semibold">Iniciar sesión</h1>
          <p className="mt-2 mb-8 text-base text-muted">
            {step ? 'Confirma que eres tú con tu segundo factor.' : 'Entra para ver tus leads, comisiones y pagos.'}
          </p>
          {step ? (
            <Suspense>
              <SecondStep step={step} onBack={startOver} />
            </Suspense>
          ) : (
            <>
              <LoginForm />
              <DemoAccounts />
            </>
          )}
        </div>
        <div className="grid gap-1.5 text-xs text-muted">
          <p>
            ¿No puedes entrar?{' '}
            <Link to={paths.access} className="py-1 underline max-sm:py-3 underline-offset-2 hover:text-ink">
              Recupera el acceso
            </Link>{' '}
            o pide ayuda al administrador de tu red.
          </p>
          <p className="flex flex-wrap gap-x-4">
            <a href={paths.privacy} className="py-1 underline max-sm:py-3 underline-offset-2 hover:text-ink">
              Aviso de privacidad
            </a>
            <a href={paths.terms} className="py-1 underline max-sm:py-3 underline-offset-2 hover:text-ink">
              Términos y condiciones
            </a>
          </p>
        </div>
      </main>
      <River />
    </div>
  )
}

/** The location asked for, when it is one of the role's own screens; else the role's dashboard. */
function destination(location: Location, user: SessionUser | null): string {
  const from = (location.state as { from?: Location } | null)?.from
  return from && belongsTo(from.pathname, user?.role) ? createPath(from) : dashboardOf(user?.role)
}

function LoginForm() {
  const { login, passkey } = useAuth()
  const [{ focused, submitted, ...typed }] = useState(typedEarly)
  // Of who has just chosen a password.
  const email = (useLocation().state as { email?: string } | null)?.email ?? ''
  const form = useForm({
    mode: 'onTouched',
    resolver: zodResolver(InlineLogin),
    defaultValues: { ...typed, email: typed.email || email },
  })
  const { setFocus } = form
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (focused) setFocus(focused)
    else if (email) setFocus('password')
    if (submitted) element.current?.requestSubmit()
  }, [focused, email, submitted, setFocus])
  const submit = (values: Login) => login.mutate(values, loginNotices)
  // A refused submit says more than the inline checks do.
  const explain = () => {
    for (const { path, message } of Login.safeParse(form.getValues()).error?.issues.toReversed() ?? []) {
      form.setError(path[0] as keyof Login, { message })
    }
  }
  return (
    <form
      {...takesFilled(form)}
      ref={element}
      // Sent by a browser itself, without our script, the password would be in the URL else.
      method="post"
      noValidate
      onSubmit={(event) => {
        if (login.isPending) event.preventDefault()
        else void form.handleSubmit(submit, explain)(event)
      }}
      className="grid gap-3"
    >
      <TextField
        name="email"
        label="Correo electrónico"
        type="email"
        autoComplete="username"
        placeholder="usuario@empresa.com"
        control={form.control}
        success="Email válido"
      />
      <PasswordField
        name="password"
        label="Contraseña"
        autoComplete="current-password"
        control={form.control}
        success="Contraseña válida"
      />
      <Button
        type="submit"
        variant="primary"
        busy={login.isPending}
        busyText="Ingresando..."
        className="mt-1 h-10 w-full"
      >
        Ingresar
      </Button>
      {passkeysPossible() && (
        <Button
          className="h-10 w-full"
          busy={passkey.isPending}
          onClick={() => passkey.mutate(undefined, loginNotices)}
        >
          Entrar con una llave de acceso
        </Button>
      )}
    </form>
  )
}

/** Streams that meet; the drawing says the name. Its words stand where no stream flows, however high the window is. */
function River() {
  return (
    <aside aria-hidden className="relative hidden overflow-hidden bg-brand-strong dark:bg-brand-soft lg:block">
      <svg
        aria-hidden
        viewBox="0 0 600 800"
        preserveAspectRatio="xMidYMid slice"
        className="absolute inset-0 size-full"
      >
        <g fill="none" stroke="currentColor" strokeLinecap="round" className="text-white/85 dark:text-brand">
          {STREAMS.map(([from, to, width, opacity]) => (
            <path
              key={from}
              d={`M-20 ${from} C 220 ${from}, 250 ${to}, 470 ${to} H 640`}
              strokeWidth={width}
              opacity={opacity}
            />
          ))}
        </g>
      </svg>
      <p className="absolute right-12 bottom-12 max-w-72 text-right text-xl leading-snug font-medium text-balance text-white dark:text-ink">
        Cada clic, cada lead y cada peso, en un mismo cauce.
      </p>
    </aside>
  )
}

/** Where a stream enters, where it flows in the river, how wide and how bright it is. */
const STREAMS = [
  [40, 378, 2, 0.4],
  [130, 383, 4, 0.55],
  [225, 389, 3, 0.45],
  [320, 396, 7, 0.85],
  [425, 404, 4, 0.6],
  [515, 410, 5, 0.7],
  [600, 416, 3, 0.5],
  [690, 421, 2, 0.4],
] as const
