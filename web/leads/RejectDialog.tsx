import { useQuery } from '@tanstack/react-query'
import type { LeadDetail } from '#contract/leads.ts'
import { RejectForm } from '#contract/rulings.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { ComboboxField } from '#web/form/SelectField.tsx'
import { TextArea } from '#web/form/TextArea.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { Money } from '#web/ui/Money.tsx'
import { rejectReasonsQuery, useRejectLead } from './queries.ts'

/** Rejects a lead with its reason, which its affiliate reads. */
export default function RejectDialog({ lead, onClose }: { lead: LeadDetail; onClose: () => void }) {
  const reject = useRejectLead()
  const reasons = useQuery(rejectReasonsQuery())
  const form = useSchemaForm(RejectForm, { reason_code: '', note: '' })
  const options = (reasons.data ?? []).map(({ code, label, group_label }) => ({
    value: code,
    label: `${group_label}: ${label}`,
  }))
  return (
    <DialogForm
      title="Rechazar lead"
      description="Sus comisiones dejan de valer. Lo que ya se pagó se descuenta de un pago próximo. Se puede reactivar."
      form={form}
      busy={reject.isPending}
      error={reject.error}
      submit="Rechazar lead"
      submitBusy="Rechazando..."
      danger
      onClose={onClose}
      onSubmit={(values) => reject.mutate({ id: lead.id, ...values }, { onSuccess: onClose })}
    >
      <Facts>
        <Fact label="Lead">{lead.id}</Fact>
        <Fact label="Afiliado">{lead.affiliate_name}</Fact>
        {lead.amount !== null && (
          <Fact label="Comisión">
            <Money value={lead.amount} />
          </Fact>
        )}
      </Facts>
      {reasons.isError && <ErrorState text="Error al cargar los motivos" query={reasons} />}
      <ComboboxField
        name="reason_code"
        label="Motivo"
        control={form.control}
        options={options}
        placeholder="Selecciona un motivo"
        empty="Ningún motivo coincide"
        help="El afiliado lo lee; si es de la política de crédito de una persona, solo el grupo."
      />
      <TextArea
        name="note"
        label="Nota"
        control={form.control}
        optional
        limit={500}
        help="No la lee el afiliado. Sin datos personales."
      />
    </DialogForm>
  )
}
