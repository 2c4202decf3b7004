import { type User, users } from '#contract/users.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { PasswordField } from '#web/form/PasswordField.tsx'
import { RemoveDialog } from '#web/form/RemoveDialog.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { useEndSessions, useRemoveFactors, useRemoveUser, useResetPassword } from './queries.ts'

interface Props {
  user: User
  onClose: () => void
}

export const UserRemoveDialog = ({ user, onClose }: Props) => (
  <RemoveDialog remove={useRemoveUser()} id={user.id} onClose={onClose}>
    Se eliminará el usuario <strong className="text-ink">{user.full_name}</strong> ({user.email}): no podrá volver a
    entrar y sus sesiones abiertas se cierran. Lo que hizo queda en el registro y su correo queda libre.
  </RemoveDialog>
)

export function EndSessionsDialog({ user, onClose }: Props) {
  const end = useEndSessions()
  return (
    <ConfirmDialog
      title="Cerrar sesiones"
      confirm="Cerrar sesiones"
      danger
      busy={end.isPending}
      busyText="Cerrando..."
      onConfirm={() => end.mutate(user.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <strong className="text-ink">{user.full_name}</strong> saldrá de todos los dispositivos en los que haya entrado.
      Podrá volver a entrar con su contraseña.
    </ConfirmDialog>
  )
}

export function RemoveFactorsDialog({ user, onClose }: Props) {
  const remove = useRemoveFactors()
  return (
    <ConfirmDialog
      title="Quitar segundos factores"
      confirm="Quitar segundos factores"
      danger
      busy={remove.isPending}
      busyText="Quitando..."
      onConfirm={() => remove.mutate(user.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      Para quien perdió su teléfono y sus códigos de recuperación.{' '}
      <strong className="text-ink">{user.full_name}</strong> entrará solo con su contraseña hasta que registre otro.
      Asegúrate de que te lo pide esa persona: sus sesiones se cierran.
    </ConfirmDialog>
  )
}

export function ResetPasswordDialog({ user, onClose }: Props) {
  const reset = useResetPassword()
  const form = useSchemaForm(users.resetPassword.body, { password: '' })
  return (
    <DialogForm
      title="Restablecer contraseña"
      description={`${user.full_name} · ${user.email}`}
      size="sm"
      form={form}
      busy={reset.isPending}
      error={reset.error}
      submit="Restablecer"
      submitBusy="Restableciendo..."
      onClose={onClose}
      onSubmit={({ password }) => reset.mutate({ id: user.id, password }, { onSuccess: onClose })}
    >
      <PasswordField
        name="password"
        label="Contraseña nueva"
        control={form.control}
        help="Sus sesiones abiertas se cierran. Entrega la contraseña por un medio seguro."
      />
    </DialogForm>
  )
}
