import { useQuery } from '@tanstack/react-query'
import { auth, ELEVATION_REQUIRED, Proof } from '#contract/auth.ts'
import type { FactorKind } from '#contract/second-factors.ts'
import { call } from '#web/api/client.ts'
import { useSingleMutation } from '#web/api/query-client.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { PasswordField } from '#web/form/PasswordField.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { passkeysPossible } from '#web/second-factors/passkeys-possible.ts'
import { askPasskey, ownFactorsQuery } from '#web/second-factors/queries.ts'
import { Button } from '#web/ui/Button.tsx'

interface ElevationProps {
  onDone: (elevated: boolean) => void
}

/** Asks who somebody is before what a session left open must not do. */
export default function ElevationDialog({ onDone }: ElevationProps) {
  const { data: own, isPending } = useQuery(ownFactorsQuery())
  if (isPending) return null
  return <ProofDialog kinds={own?.factors.map(({ kind }) => kind) ?? []} onDone={onDone} />
}

/** Who has a factor confirms with it: a password might be known to whoever found the session. */
function ProofDialog({ kinds, onDone }: ElevationProps & { kinds: FactorKind[] }) {
  const byCode = kinds.length > 0
  const elevate = useSingleMutation({
    mutationFn: async (proof: Proof | 'passkey') =>
      call(auth.elevate, { body: proof === 'passkey' ? { passkey: await askPasskey() } : proof }),
    onSuccess: () => onDone(true),
  })
  const form = useSchemaForm(Proof, byCode ? { code: '' } : ({ password: '' } as Proof))
  return (
    <DialogForm
      title={ELEVATION_REQUIRED}
      description="Vale diez minutos en esta sesión."
      size="sm"
      form={form}
      busy={elevate.isPending}
      error={elevate.error}
      submit="Confirmar"
      submitBusy="Confirmando..."
      onClose={() => onDone(false)}
      onSubmit={({ password, code }) => elevate.mutate(byCode ? { code } : { password })}
    >
      {byCode ? (
        <TextField
          name="code"
          label="Código"
          control={form.control}
          autoComplete="one-time-code"
          help={kinds.includes('totp') ? 'El de tu aplicación, o uno de recuperación.' : 'Uno de recuperación.'}
        />
      ) : (
        <PasswordField name="password" label="Tu contraseña" control={form.control} autoComplete="current-password" />
      )}
      {kinds.includes('passkey') && passkeysPossible() && (
        <Button size="sm" onClick={() => elevate.mutate('passkey')}>
          Usar una llave de acceso
        </Button>
      )}
    </DialogForm>
  )
}
