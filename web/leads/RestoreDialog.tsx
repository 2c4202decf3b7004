import type { LeadDetail } from '#contract/leads.ts'
import { RestoreForm } from '#contract/rulings.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { TextArea } from '#web/form/TextArea.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { useRestoreLead } from './queries.ts'

/** Takes the rejection of a lead back. */
export default function RestoreDialog({ lead, onClose }: { lead: LeadDetail; onClose: () => void }) {
  const restore = useRestoreLead()
  const form = useSchemaForm(RestoreForm, { note: '' })
  return (
    <DialogForm
      title="Reactivar lead"
      description="Sus comisiones vuelven a valer desde hoy. Si el emisor vuelve a mandar el mismo rechazo, no cambia nada."
      form={form}
      busy={restore.isPending}
      error={restore.error}
      submit="Reactivar lead"
      submitBusy="Reactivando..."
      onClose={onClose}
      onSubmit={(values) => restore.mutate({ id: lead.id, ...values }, { onSuccess: onClose })}
    >
      <Facts>
        <Fact label="Lead">{lead.id}</Fact>
        <Fact label="Afiliado">{lead.affiliate_name}</Fact>
        {lead.rejection && <Fact label="Motivo del rechazo">{lead.rejection.label}</Fact>}
      </Facts>
      <TextArea
        name="note"
        label="Por qué se reactiva"
        control={form.control}
        limit={500}
        help="Queda en la bitácora; no la lee el afiliado."
      />
    </DialogForm>
  )
}
