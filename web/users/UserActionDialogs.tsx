import { useId, useState } from 'react'
import { PasswordReset, type User } from '#contract/users.ts'
import { VIEW_MINUTES } from '#contract/view-as.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { PasswordField } from '#web/form/PasswordField.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { RemoveDialog } from '#web/ui/RemoveDialog.tsx'
import { useEndSessions, useRemoveFactors, useRemoveUser, useResetPassword, useViewAs } from './queries.ts'

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

export function ViewAsDialog({ user, onClose }: Props) {
  const view = useViewAs()
  return (
    <ConfirmDialog
      title={`Ver como ${user.full_name}`}
      confirm="Ver como esta persona"
      busy={view.isPending || view.isSuccess}
      busyText="Abriendo..."
      onConfirm={() => view.mutate(user.id)}
      onClose={onClose}
    >
      Verás Afluente como <strong className="text-ink">{user.full_name}</strong> durante {VIEW_MINUTES} minutos: solo
      consulta y sin claves. Queda en la bitácora, y esa persona lo ve en sus sesiones.
    </ConfirmDialog>
  )
}

export function EndSessionsDialog({ user, onClose }: Props) {
  const end = useEndSessions()
  const remove = useRemoveFactors()
  const [factorsToo, setFactorsToo] = useState(false)
  const ending = factorsToo ? remove : end
  const id = useId()
  return (
    <ConfirmDialog
      title="Cerrar sesiones"
      confirm="Cerrar sesiones"
      danger
      busy={ending.isPending}
      busyText="Cerrando..."
      onConfirm={() => ending.mutate(user.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <strong className="text-ink">{user.full_name}</strong> saldrá de todos los dispositivos en los que haya entrado.
      Podrá volver a entrar con su contraseña.
      <span className="mt-4 flex gap-2.5">
        <input
          id={id}
          type="checkbox"
          checked={factorsToo}
          onChange={(event) => setFactorsToo(event.target.checked)}
          className="mt-0.5 size-4 shrink-0 accent-brand"
        />
        <label htmlFor={id}>
          <span className="font-medium text-ink">Quitar también sus segundos factores</span>
          <span className="block text-xs">
            Si perdió su teléfono y sus códigos de recuperación. Asegúrate de que te lo pide esa persona: entrará solo
            con su contraseña.
          </span>
        </label>
      </span>
    </ConfirmDialog>
  )
}

export function ResetPasswordDialog({ user, onClose }: Props) {
  const reset = useResetPassword()
  const form = useSchemaForm(PasswordReset, { password: '' })
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
