import { useState } from 'react'
import { type Person, PersonInvite } from '#contract/people.ts'
import { LinkDialog, ShownLinkDialog } from '#web/access-links/LinkDialogs.tsx'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { SelectField } from '#web/form/SelectField.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { dutyHints, dutyOptions } from '#web/users/duty-hints.ts'
import { useInvite, useInviteAgain, useUpdatePerson } from './queries.ts'

interface Props {
  person: Person
  onClose: () => void
}

type Invited = NonNullable<ReturnType<typeof useInvite>['data']>
const nobody: PersonInvite = { first_name: '', last_name: '', email: '', duty: 'reader' }

export function InviteDialog({ onClose }: Pick<Props, 'onClose'>) {
  const invite = useInvite()
  const form = useSchemaForm(PersonInvite, nobody)
  const [shown, setShown] = useState<Invited>()
  if (shown) return <ShownLinkDialog link={shown.invitation} name={shown.full_name} onClose={onClose} />
  return (
    <DialogForm
      title="Invitar a una persona"
      description="Elige su contraseña con un enlace que vale 72 horas."
      columns={2}
      form={form}
      busy={invite.isPending}
      error={invite.error}
      submit="Invitar"
      submitBusy="Invitando..."
      onClose={onClose}
      onSubmit={(person) =>
        invite.mutate(person, {
          onSuccess: (invited) => (invited.invitation.delivered === 'shown' ? setShown(invited) : onClose()),
        })
      }
    >
      <TextField name="first_name" label="Nombre" control={form.control} autoComplete="off" />
      <TextField name="last_name" label="Apellidos" control={form.control} autoComplete="off" />
      <TextField name="email" label="Email" control={form.control} type="email" autoComplete="off" wide />
      <SelectField
        name="duty"
        label="Perfil"
        control={form.control}
        options={dutyOptions}
        wide
        help={dutyHints[form.watch('duty')]}
      />
    </DialogForm>
  )
}

export const InviteAgainDialog = ({ person, onClose }: Props) => (
  <LinkDialog user={person} give={useInviteAgain()} onClose={onClose} />
)

export function DutyDialog({ person, onClose }: Props) {
  const update = useUpdatePerson()
  const form = useSchemaForm(PersonInvite.pick({ duty: true }), { duty: person.duty })
  return (
    <DialogForm
      title="Cambiar perfil"
      description={`${person.full_name} · ${person.email}`}
      size="sm"
      form={form}
      busy={update.isPending}
      error={update.error}
      onClose={onClose}
      onSubmit={({ duty }) => update.mutate({ id: person.id, duty }, { onSuccess: onClose })}
    >
      <SelectField
        name="duty"
        label="Perfil"
        control={form.control}
        options={dutyOptions}
        help={dutyHints[form.watch('duty')]}
      />
    </DialogForm>
  )
}

export function StatusDialog({ person, onClose }: Props) {
  const update = useUpdatePerson()
  const suspends = person.user_status === 'active'
  const verb = suspends ? 'Suspender' : 'Reactivar'
  return (
    <ConfirmDialog
      title={`${verb} a ${person.full_name}`}
      confirm={verb}
      danger={suspends}
      busy={update.isPending}
      busyText="Guardando..."
      onConfirm={() =>
        update.mutate({ id: person.id, user_status: suspends ? 'suspended' : 'active' }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      {suspends
        ? 'No podrá entrar y sus sesiones abiertas se cierran. Lo que hizo queda en el registro, y puedes reactivar su cuenta cuando quieras.'
        : 'Podrá entrar de nuevo con su contraseña.'}
    </ConfirmDialog>
  )
}
