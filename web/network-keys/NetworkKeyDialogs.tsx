import { useState } from 'react'
import { KeyScope, keyScopeLabels } from '#contract/key-scopes.ts'
import { keyDays, type NetworkKey, NetworkKeyCreate, type NewNetworkKey } from '#contract/network-keys.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { SelectField } from '#web/form/SelectField.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { Button } from '#web/ui/Button.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { RemoveDialog } from '#web/ui/RemoveDialog.tsx'
import { useCreateNetworkKey, useRevokeNetworkKey } from './queries.ts'

const scopes = KeyScope.options.map((scope) => ({ value: scope, label: keyScopeLabels[scope] }))
const terms = keyDays.map((days) => ({ value: days, label: days === 365 ? '1 año' : `${days} días` }))

/** Asks, makes the key, and shows it this once. */
export function NetworkKeyDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateNetworkKey()
  const [made, setMade] = useState<NewNetworkKey>()
  const form = useSchemaForm(NetworkKeyCreate, { name: '', scope: 'leads', days: 90 })
  const { control } = form
  if (made) return <ShownKeyDialog made={made} onClose={onClose} />
  return (
    <DialogForm
      title="Nueva clave de consulta"
      description="Una por sistema, para revocarla sin detener a los demás."
      size="sm"
      form={form}
      busy={create.isPending}
      error={create.error}
      submit="Crear clave"
      submitBusy="Creando..."
      onClose={onClose}
      onSubmit={(values) => create.mutate(values, { onSuccess: setMade })}
    >
      <TextField
        name="name"
        label="Nombre"
        control={control}
        maxLength={100}
        autoComplete="off"
        placeholder="Almacén de datos"
        help="El sistema que la usará."
      />
      <SelectField
        name="scope"
        label="Alcance"
        control={control}
        options={scopes}
        help="Leads y eventos: leads, resultados, rendimiento y embudos. Dinero: comisiones, ajustes y pagos. Todo de lectura: también productos, relaciones y la red."
      />
      <SelectField name="days" label="Vigencia" control={control} options={terms} />
    </DialogForm>
  )
}

const ShownKeyDialog = ({ made, onClose }: { made: NewNetworkKey; onClose: () => void }) => (
  <Dialog
    title={`Clave «${made.name}»`}
    description="Cópiala ahora: no se volverá a mostrar."
    size="sm"
    once
    onClose={onClose}
    footer={
      <Button variant="primary" onClick={onClose}>
        Listo
      </Button>
    }
  >
    <div className="flex items-center gap-2 rounded-lg bg-sunken py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 text-xs break-all">{made.key}</code>
      <CopyButton
        text={made.key ?? ''}
        label="Copiar la clave"
        copied="Clave copiada al portapapeles"
        failed="Error al copiar la clave"
      />
    </div>
    <p className="mt-3 text-muted">
      Va en el encabezado <code className="text-xs">X-API-Key</code> de cada consulta, nunca en la dirección. Si alguien
      más pudo verla, revócala y crea otra.
    </p>
  </Dialog>
)

export const RevokeKeyDialog = ({ networkKey, onClose }: { networkKey: NetworkKey; onClose: () => void }) => (
  <RemoveDialog
    title="Revocar clave"
    confirm="Revocar"
    busyText="Revocando..."
    remove={useRevokeNetworkKey()}
    id={networkKey.id}
    onClose={onClose}
  >
    «{networkKey.name}» deja de funcionar en este momento: el sistema que la use recibirá errores. No se puede deshacer.
  </RemoveDialog>
)
