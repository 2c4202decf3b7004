import type { SecondStep as Step } from '#contract/auth.ts'
import { SecondLogin } from '#contract/auth.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { loginNotices } from '#web/auth/login-notices.ts'
import { takesFilled } from '#web/form/filled.ts'
import { TextField } from '#web/form/TextField.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { Button } from '#web/ui/Button.tsx'

/** What is asked of a person whose password was right. */
export default function SecondStep({ step, onBack }: { step: Step; onBack: () => void }) {
  const { second, passkey } = useAuth()
  const form = useSchemaForm(SecondLogin, { challenge: step.challenge, code: '' })
  const takesCodes = step.methods.includes('totp')
  return (
    <form
      {...takesFilled(form)}
      noValidate
      className="grid gap-3"
      onSubmit={form.handleSubmit((body) => second.mutate(body, loginNotices))}
    >
      <TextField
        name="code"
        label={takesCodes ? 'Código' : 'Código de recuperación'}
        control={form.control}
        autoComplete="one-time-code"
        autoFocus
        help={
          takesCodes
            ? 'El de seis cifras de tu aplicación, o uno de tus códigos de recuperación.'
            : 'Si no tienes tu llave de acceso a la mano. Cada código sirve una vez.'
        }
      />
      <Button type="submit" variant="primary" busy={second.isPending} busyText="Ingresando..." className="mt-1 h-10">
        Continuar
      </Button>
      {step.methods.includes('passkey') && (
        <Button className="h-10" busy={passkey.isPending} onClick={() => passkey.mutate(undefined, loginNotices)}>
          Usar una llave de acceso
        </Button>
      )}
      <Button variant="ghost" onClick={onBack}>
        Volver
      </Button>
    </form>
  )
}
