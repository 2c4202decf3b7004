import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Duty } from '#contract/duties.ts'
import { type Role, roleLabels } from '#contract/roles.ts'
import {
  type CreatedUser,
  type User,
  UserCreateForm,
  UserEditForm,
  type UserStatus,
  userStatusLabels,
  users,
} from '#contract/users.ts'
import { ShownLinkDialog } from '#web/access-links/LinkDialogs.tsx'
import { seenOf } from '#web/api/client.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { CompanyField } from '#web/companies/CompanyField.tsx'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { SelectField } from '#web/form/SelectField.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { dutyHints, dutyOptions } from './duty-hints.ts'
import { EntranceFields } from './EntranceFields.tsx'
import { useCreateUser, userQuery, useUpdateUser } from './queries.ts'

/** Both dialogs hold these; each schema takes what it knows. */
interface UserValues {
  email: string
  first_name: string
  last_name: string
  password: string | undefined
  invite: boolean | undefined
  role: Role | null
  duty: Duty | undefined
  affiliate_id: number | null
  issuer_id: number | null
  user_status: UserStatus
}

const empty: UserValues = {
  email: '',
  first_name: '',
  last_name: '',
  password: '',
  invite: undefined,
  role: null,
  duty: 'owner',
  affiliate_id: null,
  issuer_id: null,
  user_status: 'active',
}

const roles = (['admin', 'issuer', 'affiliate'] as const).map((value) => ({ value, label: roleLabels[value] }))
const statuses = (['active', 'inactive', 'suspended'] as const).map((value) => ({
  value,
  label: userStatusLabels[value],
}))

/** `initial`: what is already known of the new user, such as its company. */
export function UserCreateDialog({ initial, onClose }: { initial?: Partial<UserValues>; onClose: () => void }) {
  const create = useCreateUser()
  const form = useSchemaForm(UserCreateForm, { ...empty, ...initial })
  const [shown, setShown] = useState<CreatedUser>()
  if (shown?.invitation) return <ShownLinkDialog link={shown.invitation} name={shown.full_name} onClose={onClose} />
  return (
    <DialogForm
      title="Nuevo Usuario"
      columns={2}
      form={form}
      busy={create.isPending}
      error={create.error}
      submit="Crear"
      submitBusy="Creando..."
      onClose={onClose}
      onSubmit={(user) =>
        create.mutate(user, {
          onSuccess: (created) => (created.invitation?.delivered === 'shown' ? setShown(created) : onClose()),
        })
      }
    >
      <PersonFields form={form} />
      <EntranceFields form={form} invite="invite" password="password" />
      <AccessFields form={form} />
    </DialogForm>
  )
}

export function UserEditDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const update = useUpdateUser()
  // A later load does not change what the fields were filled from.
  const [seen] = useState(seenOf(user))
  const form = useSchemaForm(UserEditForm, { ...empty, ...user } as UserValues)
  return (
    <DialogForm
      title="Editar Usuario"
      saves={users.update}
      columns={2}
      form={form}
      busy={update.isPending}
      error={update.error}
      submit="Actualizar"
      submitBusy="Actualizando..."
      onClose={onClose}
      onSubmit={(values) => update.mutate({ ...seen, ...values }, { onSuccess: onClose })}
    >
      <PersonFields form={form} />
      <AccessFields form={form} user={user} />
    </DialogForm>
  )
}

/** Loads the user first, also one that was loaded before: somebody may have changed it. */
export function UserEditByIdDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const user = useQuery(userQuery(id))
  if (user.data && user.isFetchedAfterMount) return <UserEditDialog user={user.data} onClose={onClose} />
  return (
    <Dialog title="Editar Usuario" onClose={onClose}>
      {user.isError ? (
        <ErrorState text="No se pudo cargar el usuario" query={user} />
      ) : (
        <div role="status" className="grid gap-4 py-1">
          <span className="sr-only">Cargando usuario...</span>
          {[1, 2, 3, 4].map((line) => (
            <Skeleton key={line} className="h-9 w-full" />
          ))}
        </div>
      )}
    </Dialog>
  )
}

interface FieldsProps<Output> {
  form: UseFormReturn<UserValues, unknown, Output>
  user?: User
}

const PersonFields = <Output,>({ form: { control } }: FieldsProps<Output>) => (
  <>
    <TextField name="first_name" label="Nombre" control={control} autoComplete="off" />
    <TextField name="last_name" label="Apellidos" control={control} autoComplete="off" />
    <TextField name="email" label="Email" control={control} type="email" autoComplete="off" wide />
  </>
)

const OWN = 'Es tu propio usuario: solo otro administrador puede cambiarlo.'
const CONSEQUENCES: Record<UserStatus, string | undefined> = {
  active: undefined,
  inactive: 'No podrá iniciar sesión y sus sesiones abiertas se cierran.',
  suspended: 'No podrá iniciar sesión y sus sesiones abiertas se cierran.',
}

function AccessFields<Output>({ form, user }: FieldsProps<Output>) {
  const own = useAuth().user?.id === user?.id && user !== undefined
  const [role, status, duty] = form.watch(['role', 'user_status', 'duty'])
  const consequence = own ? OWN : CONSEQUENCES[status]
  const choose = (chosen: Role) => {
    if (chosen !== 'affiliate') form.setValue('affiliate_id', null)
    if (chosen !== 'issuer') form.setValue('issuer_id', null)
    form.clearErrors(['affiliate_id', 'issuer_id'])
  }
  return (
    <>
      <SelectField
        name="role"
        label="Rol"
        control={form.control}
        options={roles}
        disabled={own}
        onChosen={choose}
        {...(own && { help: OWN })}
      />
      <SelectField
        name="user_status"
        label="Estado"
        control={form.control}
        options={statuses}
        disabled={own}
        {...(consequence && { help: consequence })}
      />
      <SelectField
        name="duty"
        label="Perfil"
        control={form.control}
        options={dutyOptions}
        disabled={own}
        wide
        help={dutyHints[duty ?? 'owner']}
      />
      {(role === 'affiliate' || role === 'issuer') && (
        <CompanyField
          key={role}
          role={role}
          control={form.control}
          present={{ id: user?.[`${role}_id`], name: user?.[`${role}_name`] }}
          wide
        />
      )}
    </>
  )
}
