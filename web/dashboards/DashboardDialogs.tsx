import { useQuery } from '@tanstack/react-query'
import { ShieldAlert } from 'lucide-react'
import type { UseFormReturn } from 'react-hook-form'
import { type ExternalDashboard, ExternalDashboardCreate } from '#contract/dashboards.ts'
import { type Role, roleLabels } from '#contract/roles.ts'
import { parseUrl } from '#contract/web-address.ts'
import { seenOf } from '#web/api/client.ts'
import { CompanyField } from '#web/companies/CompanyField.tsx'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { SelectField } from '#web/form/SelectField.tsx'
import { TextArea } from '#web/form/TextArea.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { RemoveDialog } from '#web/ui/RemoveDialog.tsx'
import { audienceOf, everybody } from './audience.ts'
import { DashboardFrame } from './DashboardFrame.tsx'
import { originsQuery, useCreateDashboard, useRemoveDashboard, useUpdateDashboard } from './external-queries.ts'

/** What both dialogs hold. */
interface DashboardValues {
  name: string
  description: string
  iframe_url: string
  role: Role | null
  issuer_id: number | null
  affiliate_id: number | null
}

const empty: DashboardValues = {
  name: '',
  description: '',
  iframe_url: '',
  role: null,
  issuer_id: null,
  affiliate_id: null,
}

const roles = (['issuer', 'affiliate', 'admin'] as const).map((value) => ({ value, label: roleLabels[value] }))

export function DashboardCreateDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateDashboard()
  const form = useSchemaForm(ExternalDashboardCreate, empty)
  return (
    <DialogForm
      title="Nuevo Dashboard"
      form={form}
      busy={create.isPending}
      error={create.error}
      submit="Crear"
      submitBusy="Creando..."
      onClose={onClose}
      onSubmit={(dashboard) => create.mutate(dashboard, { onSuccess: onClose })}
    >
      <Fields form={form} />
    </DialogForm>
  )
}

export function DashboardEditDialog({ dashboard, onClose }: { dashboard: ExternalDashboard; onClose: () => void }) {
  const update = useUpdateDashboard()
  const { name, description, iframe_url, role, issuer_id, affiliate_id } = dashboard
  const form = useSchemaForm(ExternalDashboardCreate, {
    name,
    description,
    iframe_url,
    role,
    issuer_id,
    affiliate_id,
  } satisfies DashboardValues as DashboardValues)
  return (
    <DialogForm
      title="Editar Dashboard"
      form={form}
      busy={update.isPending}
      error={update.error}
      submit="Actualizar"
      submitBusy="Actualizando..."
      onClose={onClose}
      onSubmit={(values) => update.mutate({ ...seenOf(dashboard), ...values }, { onSuccess: onClose })}
    >
      <Fields form={form} dashboard={dashboard} />
    </DialogForm>
  )
}

interface FieldsProps<Output> {
  form: UseFormReturn<DashboardValues, unknown, Output>
  dashboard?: ExternalDashboard
}

function Fields<Output>({ form, dashboard }: FieldsProps<Output>) {
  const { control } = form
  const role = form.watch('role')
  const { data: origins } = useQuery(originsQuery())
  const forget = () => {
    form.setValue('issuer_id', null)
    form.setValue('affiliate_id', null)
    form.clearErrors(['issuer_id', 'affiliate_id'])
  }
  return (
    <>
      <TextField name="name" label="Nombre" control={control} />
      <TextArea name="description" label="Descripción" control={control} optional limit={500} rows={2} />
      <TextField
        name="iframe_url"
        label="Dirección"
        control={control}
        type="url"
        inputMode="url"
        placeholder="https://tableros.ejemplo.mx/publico/1"
        help={helpOf(origins)}
      />
      <SelectField name="role" label="Rol" control={control} options={roles} onChosen={forget} />
      {(role === 'issuer' || role === 'affiliate') && (
        <CompanyField
          key={role}
          role={role}
          control={control}
          present={{ id: dashboard?.[`${role}_id`], name: dashboard?.owner_name }}
          all={everybody[role]}
        />
      )}
    </>
  )
}

const helpOf = (origins: string[] | undefined): string =>
  origins?.length
    ? `La que la herramienta da para incrustar. Orígenes permitidos: ${origins.join(', ')}`
    : 'La que la herramienta da para incrustar; su origen debe estar en DASHBOARD_ORIGINS.'

/** The dashboard as its audience sees it. */
export function DashboardViewDialog({ dashboard, onClose }: { dashboard: ExternalDashboard; onClose: () => void }) {
  return (
    <Dialog
      title={dashboard.name}
      {...(dashboard.description && { description: dashboard.description })}
      size="xl"
      onClose={onClose}
    >
      {dashboard.allowed ? (
        <>
          <p className="mb-3 text-muted">
            Si el recuadro queda vacío, la herramienta no deja que otro sitio la muestre: permite{' '}
            <span className="font-medium wrap-anywhere text-ink">{location.origin}</span> en su configuración.
          </p>
          <div className="overflow-hidden rounded-xl border">
            <DashboardFrame dashboard={dashboard} />
          </div>
        </>
      ) : (
        <EmptyState
          icon={ShieldAlert}
          text="Este dashboard no se muestra a nadie"
          hint={`Quien opera el servidor debe agregar ${parseUrl(dashboard.iframe_url)?.origin ?? 'su origen'} a la variable DASHBOARD_ORIGINS y reiniciarlo.`}
        />
      )}
    </Dialog>
  )
}

export const DashboardRemoveDialog = ({
  dashboard,
  onClose,
}: {
  dashboard: ExternalDashboard
  onClose: () => void
}) => (
  <RemoveDialog remove={useRemoveDashboard()} id={dashboard.id} onClose={onClose}>
    Se eliminará el dashboard <strong className="wrap-anywhere text-ink">{dashboard.name}</strong> y dejarán de verlo:{' '}
    <strong className="wrap-anywhere text-ink">{audienceOf(dashboard)}</strong>. En la otra herramienta no cambia nada.
  </RemoveDialog>
)
