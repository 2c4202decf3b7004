import { ReasonCreate } from '#contract/rulings.ts'
import { CheckboxField } from '#web/form/CheckboxField.tsx'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { TextArea } from '#web/form/TextArea.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { useCreateReason } from './queries.ts'

export function ReasonDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateReason()
  const form = useSchemaForm(ReasonCreate, {
    code: '',
    label: '',
    group_label: '',
    advice: '',
    is_financial: false,
  })
  const { control } = form
  return (
    <DialogForm
      title="Nuevo motivo"
      description="Se ofrece a todos los emisores, al final de la lista."
      form={form}
      busy={create.isPending}
      error={create.error}
      submit="Crear motivo"
      submitBusy="Creando..."
      onClose={onClose}
      onSubmit={(values) => create.mutate(values, { onSuccess: onClose })}
    >
      <TextField name="label" label="Motivo" control={control} maxLength={80} />
      <TextField name="group_label" label="Grupo" control={control} maxLength={80} placeholder="Proceso" />
      <TextField
        name="code"
        label="Código"
        control={control}
        maxLength={40}
        autoComplete="off"
        help="Lo mandan los sistemas de los emisores; no cambia."
      />
      <TextArea name="advice" label="Consejo para el afiliado" control={control} limit={200} optional />
      <CheckboxField
        name="is_financial"
        label="Habla de las finanzas de una persona"
        help="El afiliado lee solo el grupo."
        control={control}
      />
    </DialogForm>
  )
}
