import { type Adjustment, AdjustmentVoid } from '#contract/adjustments.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { TextArea } from '#web/form/TextArea.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { formatMoney } from '#web/ui/format.ts'
import { useVoidAdjustment } from './queries.ts'

interface Props {
  adjustment: Adjustment
  name: string
  onClose: () => void
}

export function VoidDialog({ adjustment: { id, amount, affiliate_name }, name, onClose }: Props) {
  const save = useVoidAdjustment()
  const form = useSchemaForm(AdjustmentVoid, { note: '' })
  return (
    <DialogForm
      title={`Anular ${name}`}
      description={`${formatMoney(amount)} de ${affiliate_name}: deja de contar, y queda a la vista como revertido.`}
      form={form}
      busy={save.isPending}
      error={save.error}
      submit="Anular"
      submitBusy="Anulando..."
      onClose={onClose}
      onSubmit={({ note }) => save.mutate({ id, note }, { onSuccess: onClose })}
    >
      <TextArea
        name="note"
        label="Por qué se anula"
        control={form.control}
        limit={500}
        rows={3}
        help="Lo leen también el afiliado y el emisor."
      />
    </DialogForm>
  )
}
