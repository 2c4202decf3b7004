import { PasswordChange } from '#contract/auth.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { PasswordField } from '#web/form/PasswordField.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { useChangePassword } from './queries.ts'

export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const change = useChangePassword()
  const form = useSchemaForm(PasswordChange, { current_password: '', new_password: '' })
  return (
    <DialogForm
      title="Cambiar contraseña"
      description="Tus demás sesiones se cierran; en esta sigues dentro."
      size="sm"
      form={form}
      busy={change.isPending}
      error={change.error}
      submit="Cambiar contraseña"
      submitBusy="Cambiando..."
      onClose={onClose}
      onSubmit={(passwords) => change.mutate(passwords, { onSuccess: onClose })}
    >
      <PasswordField
        name="current_password"
        label="Contraseña actual"
        control={form.control}
        autoComplete="current-password"
      />
      <PasswordField
        name="new_password"
        label="Contraseña nueva"
        control={form.control}
        help="Al menos 8 caracteres; una frase larga es mejor que signos raros."
      />
    </DialogForm>
  )
}
