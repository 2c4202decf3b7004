import { z } from 'zod'
import { deviceOf } from '#contract/device.ts'
import { FactorLabel } from '#contract/second-factors.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { useAddPasskey } from './queries.ts'

interface Props {
  onClose: () => void
  onAdded: (codes: string[] | null) => void
}

const Named = z.object({ label: FactorLabel })

export function PasskeyDialog({ onClose, onAdded }: Props) {
  const add = useAddPasskey()
  const form = useSchemaForm(Named, { label: deviceOf(navigator.userAgent) })
  return (
    <DialogForm
      title="Agregar llave de acceso"
      description="También llamada passkey: tu dispositivo la guarda y te pide huella, rostro o PIN. Con ella entras sin contraseña."
      size="sm"
      form={form}
      busy={add.isPending}
      error={add.error}
      submit="Crear llave de acceso"
      submitBusy="Esperando a tu dispositivo..."
      onClose={onClose}
      onSubmit={(values) => add.mutate(values, { onSuccess: ({ recovery_codes }) => onAdded(recovery_codes) })}
    >
      <TextField name="label" label="Nombre" control={form.control} help="Para reconocerla en la lista." />
    </DialogForm>
  )
}
