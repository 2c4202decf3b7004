import { Link } from 'react-router'
import { PasswordChange } from '#contract/auth.ts'
import { OWN_PASSWORD_REQUIRED } from '#contract/security-policy.ts'
import { takesFilled } from '#web/form/filled.ts'
import { OwnEmail } from '#web/form/OwnEmail.tsx'
import { PasswordField } from '#web/form/PasswordField.tsx'
import { useServerErrors } from '#web/form/server-errors.ts'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { paths } from '#web/paths.ts'
import { useChangePassword } from '#web/settings/queries.ts'
import { Page } from '#web/shell/Page.tsx'
import { Button } from '#web/ui/Button.tsx'
import { useAuth } from './auth-context.tsx'

/** All that can be done with a password that somebody else typed, where the role replaces it first. */
export function OwnPassword({ onDone }: { onDone: () => void }) {
  const { user } = useAuth()
  const change = useChangePassword()
  const form = useSchemaForm(PasswordChange, { current_password: '', new_password: '' })
  useServerErrors(form, change.error)
  return (
    <Page title="Elige tu contraseña" description={`${OWN_PASSWORD_REQUIRED}.`}>
      <form
        {...takesFilled(form)}
        noValidate
        className="grid max-w-sm gap-3"
        onSubmit={(event) => {
          if (change.isPending) event.preventDefault()
          else void form.handleSubmit((body) => change.mutate(body, { onSuccess: onDone }))(event)
        }}
      >
        <OwnEmail email={user?.email ?? ''} />
        <PasswordField
          name="current_password"
          label="Contraseña que te dieron"
          control={form.control}
          autoComplete="current-password"
          autoFocus
        />
        <PasswordField
          name="new_password"
          label="Contraseña nueva"
          control={form.control}
          help="Al menos 8 caracteres y distinta de la que te dieron; una frase larga es mejor que signos raros."
        />
        <Button type="submit" variant="primary" busy={change.isPending} busyText="Guardando..." className="mt-1 h-10">
          Guardar contraseña
        </Button>
      </form>
      <p className="mt-4 max-w-sm text-muted">
        ¿No tienes la que te dieron?{' '}
        <Link to={paths.access} className="py-1 underline underline-offset-2 hover:text-ink">
          Recupera el acceso
        </Link>{' '}
        con un enlace.
      </p>
    </Page>
  )
}
