import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { AddressOnly, ChosenPassword, FORGOT_ANSWER, LINK_USED } from '#contract/access-links.ts'
import { ApiError } from '#web/api/errors.ts'
import { takesFilled } from '#web/form/filled.ts'
import { OwnEmail } from '#web/form/OwnEmail.tsx'
import { PasswordField } from '#web/form/PasswordField.tsx'
import { useServerErrors } from '#web/form/server-errors.ts'
import { TextField } from '#web/form/TextField.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { paths } from '#web/paths.ts'
import { ThemeSwitch } from '#web/shell/ThemeSwitch.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { Wordmark } from '#web/ui/Mark.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useTitle } from '#web/ui/use-title.ts'
import { linkQuery, useChoosePassword, useForgot } from './queries.ts'

/** With a link: the password is chosen. Without one it can be asked for. */
export default function AccessPage() {
  const token = useToken()
  return (
    <div className="flex min-h-dvh flex-col px-6 py-6 sm:px-10">
      <header className="flex items-center justify-between">
        <Link to={paths.home} className="rounded-md max-sm:py-2" aria-label="Afluente, página de inicio">
          <Wordmark />
        </Link>
        <ThemeSwitch />
      </header>
      <main className="m-auto w-full max-w-sm py-12">
        {token ? <WithLink key={token} token={token} /> : <Forgot />}
        <p className="mt-4 text-muted">
          <Link
            to={paths.login}
            className="inline-flex min-h-11 items-center underline underline-offset-2 hover:text-ink sm:min-h-8"
          >
            Volver a iniciar sesión
          </Link>
        </p>
      </main>
    </div>
  )
}

/** Out of the address at once: whoever looks at the screen or into the history later finds no link. */
function useToken(): string {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const [token, setToken] = useState(hash.slice(1))
  useEffect(() => {
    if (!hash) return
    setToken(hash.slice(1))
    void navigate(pathname, { replace: true })
  }, [hash, pathname, navigate])
  return token
}

const Heading = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <h1 className="text-2xl font-semibold">{title}</h1>
    <p className="mt-2 mb-8 text-base text-muted">{children}</p>
  </>
)

function WithLink({ token }: { token: string }) {
  const link = useQuery(linkQuery(token))
  useTitle('Elige tu contraseña')
  if (link.data) return <Choose token={token} {...link.data} />
  if (link.error instanceof ApiError && link.error.status === 410) return <Forgot because={LINK_USED} />
  if (link.isError) return <ErrorState text="No se pudo abrir el enlace" query={link} />
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">Abriendo el enlace...</span>
      <Skeleton className="h-8 w-64 max-w-full" />
      <Skeleton className="h-10 w-full" />
    </div>
  )
}

function Choose({ token, first_name, email }: { token: string; first_name: string; email: string }) {
  const choose = useChoosePassword()
  const navigate = useNavigate()
  const form = useSchemaForm(ChosenPassword, { token, password: '' })
  useServerErrors(form, choose.error)
  if (choose.error instanceof ApiError && choose.error.status === 410) return <Forgot because={LINK_USED} />
  return (
    <>
      <Heading title={`Hola, ${first_name}`}>Elige la contraseña con la que vas a entrar.</Heading>
      <form
        {...takesFilled(form)}
        noValidate
        className="grid gap-3"
        onSubmit={form.handleSubmit((body) =>
          choose.mutate(body, {
            onSuccess: () => void navigate(paths.login, { replace: true, state: { email } }),
          }),
        )}
      >
        <OwnEmail email={email} />
        <PasswordField
          name="password"
          label="Contraseña nueva"
          control={form.control}
          help="Al menos 8 caracteres; una frase larga es mejor que signos raros."
        />
        <Button type="submit" variant="primary" busy={choose.isPending} busyText="Guardando..." className="mt-1 h-10">
          Guardar contraseña
        </Button>
      </form>
    </>
  )
}

function Forgot({ because }: { because?: string }) {
  const forgot = useForgot()
  const form = useSchemaForm(AddressOnly, { email: '' })
  useTitle('Recuperar el acceso')
  if (forgot.data?.mails)
    return (
      <Heading title="Revisa tu correo">
        {FORGOT_ANSWER} Vale 15 minutos. Si no llega, pide uno al administrador de tu red.
      </Heading>
    )
  if (forgot.data)
    return (
      <Heading title="Recibimos tu petición">
        Si el correo tiene una cuenta, el administrador de tu red ya lo sabe y te dará un enlace. Aquí no se envían
        correos: puedes escribirle o llamarle.
      </Heading>
    )
  return (
    <>
      <Heading title={because ? 'Este enlace ya no sirve' : 'Recuperar el acceso'}>
        {because ??
          'Escribe tu correo. Si tiene una cuenta, te llega un enlace para elegir otra contraseña, o te lo da el administrador de tu red.'}
      </Heading>
      <form
        {...takesFilled(form)}
        noValidate
        className="grid gap-3"
        onSubmit={form.handleSubmit((body) => forgot.mutate(body))}
      >
        <TextField
          name="email"
          label="Correo electrónico"
          type="email"
          autoComplete="username"
          placeholder="usuario@empresa.com"
          control={form.control}
        />
        <Button type="submit" variant="primary" busy={forgot.isPending} busyText="Enviando..." className="mt-1 h-10">
          Pedir enlace
        </Button>
      </form>
    </>
  )
}
