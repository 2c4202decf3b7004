import type { Explanation } from '#contract/explain.ts'
import { HoldForm, HoldReason, holdReasonLabels, ReleaseForm } from '#contract/holds.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { SelectField } from '#web/form/SelectField.tsx'
import { TextArea } from '#web/form/TextArea.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { Money } from '#web/ui/Money.tsx'
import { useHold, useRelease } from './queries.ts'

interface Props {
  subject: Explanation['subject']
  onClose: () => void
}

/** Holds a commission back, or releases one that is held. */
export default function HoldDialog(props: Props) {
  return props.subject.standing === 'held' ? <Release {...props} /> : <Hold {...props} />
}

const Subject = ({ id, amount }: Props['subject']) => (
  <Facts>
    <Fact label="Comisión">{id}</Fact>
    <Fact label="Monto">
      <Money value={amount} />
    </Fact>
  </Facts>
)

const reasons = HoldReason.options.map((value) => ({ value, label: holdReasonLabels[value] }))

function Hold({ subject, onClose }: Props) {
  const hold = useHold()
  const form = useSchemaForm<{ reason: HoldReason | null; note: string }, HoldForm>(HoldForm, {
    reason: null,
    note: '',
  })
  return (
    <DialogForm
      title="Retener comisión"
      description="Ningún pago la toma hasta que se libere. El afiliado la ve como retenida, con el motivo."
      form={form}
      busy={hold.isPending}
      error={hold.error}
      submit="Retener comisión"
      submitBusy="Reteniendo..."
      onClose={onClose}
      onSubmit={(values) => hold.mutate({ id: subject.id, ...values }, { onSuccess: onClose })}
    >
      <Subject {...subject} />
      <SelectField
        name="reason"
        label="Motivo"
        control={form.control}
        options={reasons}
        placeholder="Selecciona un motivo"
      />
      <TextArea
        name="note"
        label="Por qué se retiene"
        control={form.control}
        limit={500}
        help="No la lee el afiliado."
      />
    </DialogForm>
  )
}

function Release({ subject, onClose }: Props) {
  const release = useRelease()
  const form = useSchemaForm(ReleaseForm, { note: '' })
  return (
    <DialogForm
      title="Liberar comisión"
      description="Vuelve a poder pagarse cuando le toque."
      form={form}
      busy={release.isPending}
      error={release.error}
      submit="Liberar comisión"
      submitBusy="Liberando..."
      onClose={onClose}
      onSubmit={(values) => release.mutate({ id: subject.id, ...values }, { onSuccess: onClose })}
    >
      <Subject {...subject} />
      <TextArea
        name="note"
        label="Por qué se libera"
        control={form.control}
        limit={500}
        help="No la lee el afiliado."
      />
    </DialogForm>
  )
}
