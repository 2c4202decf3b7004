import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { type Status, statusLabels } from '#contract/fields.ts'
import type { CreatedUser } from '#contract/users.ts'
import { ShownLinkDialog } from '#web/access-links/LinkDialogs.tsx'
import { sentText } from '#web/access-links/queries.ts'
import { seenOf } from '#web/api/client.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { SelectField } from '#web/form/SelectField.tsx'
import { PhoneField, RfcField } from '#web/form/special-fields.tsx'
import { TextArea } from '#web/form/TextArea.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { optionsOf } from '#web/ui/option.ts'
import { toast } from '#web/ui/toast.ts'
import { EntranceFields } from '#web/users/EntranceFields.tsx'
import type { Company, CompanyKind } from './company-kind.ts'
import { schemas } from './company-schemas.ts'
import type { CompanyWithUser } from './saves.ts'

/** Both dialogs hold these; each schema takes what it knows. */
interface Values {
  company_name: string
  rfc: string
  address: string
  contact_name: string
  contact_phone: string
  contact_email: string
  url: string
  user_status: Status
  user: {
    email: string
    first_name: string
    last_name: string
    password: string | undefined
    invite: boolean | undefined
  }
}

const noUser = { email: '', first_name: '', last_name: '', password: '', invite: undefined }
const empty: Values = {
  company_name: '',
  rfc: '',
  address: '',
  contact_name: '',
  contact_phone: '',
  contact_email: '',
  url: '',
  user_status: 'active',
  user: noUser,
}

interface Props {
  kind: CompanyKind
  onClose: () => void
}

export function CompanyCreateDialog({ kind, onClose }: Props) {
  const create = kind.useCreate()
  const form = useSchemaForm(schemas[kind.role].create, empty)
  const [invited, setInvited] = useState<CreatedUser>()
  // The company is there, and its user was refused: saving again must not make a second one.
  const [refused, setRefused] = useState<CompanyWithUser>()
  if (invited?.invitation)
    return <ShownLinkDialog link={invited.invitation} name={invited.full_name} onClose={onClose} />
  return (
    <DialogForm
      title={kind.texts.create}
      size="lg"
      columns={2}
      form={form}
      busy={create.isPending}
      error={create.error ?? refused?.userError}
      submit={refused ? 'Crear usuario' : 'Crear'}
      submitBusy="Creando..."
      onClose={onClose}
      onSubmit={(company) =>
        create.mutate(refused ? { ...company, made: refused.id } : company, {
          onSuccess: (result) => {
            const { user, userError } = result
            if (userError) return setRefused(result)
            if (user?.invitation?.delivered === 'shown') return setInvited(user)
            const sent = user?.invitation && sentText(user.invitation, user.email)
            if (sent) toast.success(sent)
            onClose()
          },
        })
      }
    >
      {refused && (
        <p className="col-span-full rounded-lg bg-info-soft px-3 py-2 text-info-ink">
          La empresa ya está guardada; falta su usuario. Corrígelo aquí, o créalo después desde la lista.
        </p>
      )}
      <fieldset disabled={refused !== undefined} className="contents">
        <CompanyFields kind={kind} form={form} withStatus={kind.statusOnCreate} />
      </fieldset>
      <UserFields form={form} />
    </DialogForm>
  )
}

export function CompanyEditDialog({ kind, company, onClose }: Props & { company: Company }) {
  const update = kind.useUpdate()
  const form = useSchemaForm(schemas[kind.role].edit, {
    company_name: company.company_name,
    rfc: company.rfc,
    address: company.address,
    contact_name: company.contact_name,
    contact_phone: company.contact_phone,
    contact_email: company.contact_email,
    url: company.url,
    user_status: company.user_status,
    user: noUser,
  } satisfies Values as Values)
  return (
    <DialogForm
      title={kind.texts.edit}
      saves={kind.calls.update}
      size="lg"
      columns={2}
      form={form}
      busy={update.isPending}
      error={update.error}
      submit="Actualizar"
      submitBusy="Actualizando..."
      onClose={onClose}
      onSubmit={(values) => update.mutate({ ...seenOf(company), ...values }, { onSuccess: onClose })}
    >
      <CompanyFields kind={kind} form={form} withStatus />
    </DialogForm>
  )
}

interface FieldsProps<Output> {
  form: UseFormReturn<Values, unknown, Output>
}

const statuses = optionsOf(statusLabels)

function CompanyFields<Output>({
  kind,
  form: { control, watch },
  withStatus,
}: FieldsProps<Output> & { kind: CompanyKind; withStatus: boolean }) {
  const inactive = watch('user_status') === 'inactive'
  return (
    <>
      <TextField name="company_name" label="Empresa" control={control} autoComplete="off" />
      <RfcField name="rfc" label="RFC" control={control} help="12 caracteres para empresas, 13 para personas." />
      <TextArea name="address" label="Dirección" control={control} optional={kind.addressOptional} rows={2} wide />
      <TextField name="contact_name" label="Nombre de contacto" control={control} autoComplete="off" />
      <PhoneField name="contact_phone" label="Teléfono de contacto" control={control} autoComplete="off" optional />
      <TextField name="contact_email" label="Email de contacto" control={control} type="email" autoComplete="off" />
      <TextField name="url" label="Sitio web" control={control} type="url" placeholder="https://empresa.mx" optional />
      {withStatus && (
        <SelectField
          name="user_status"
          label="Estado"
          control={control}
          options={statuses}
          wide
          {...(inactive && { help: kind.texts.inactive })}
        />
      )}
    </>
  )
}

const UserFields = <Output,>({ form, form: { control } }: FieldsProps<Output>) => (
  <>
    <div className="border-t pt-4 sm:col-span-2">
      <h3 className="font-semibold">Usuario administrador</h3>
      <p className="text-muted">La persona de la empresa que entrará a Afluente.</p>
    </div>
    <TextField name="user.first_name" label="Nombre" control={control} autoComplete="off" />
    <TextField name="user.last_name" label="Apellidos" control={control} autoComplete="off" />
    <TextField name="user.email" label="Email" control={control} type="email" autoComplete="off" wide />
    <EntranceFields form={form} invite="user.invite" password="user.password" />
  </>
)
