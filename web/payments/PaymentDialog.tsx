import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Calculator } from 'lucide-react'
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import {
  type Payment,
  PaymentCreate,
  type PaymentPreview,
  type PaymentStatus,
  paymentWarningTexts,
} from '#contract/payments.ts'
import { dateInMexico } from '#contract/time.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { ComboboxField, SelectField } from '#web/form/SelectField.tsx'
import { DateField, MoneyField, NumberField } from '#web/form/special-fields.tsx'
import { TextArea } from '#web/form/TextArea.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { relationshipsQuery } from '#web/relationships/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Day } from '#web/ui/dates.tsx'
import { Calculation } from './Calculation.tsx'
import { daysText, statusOptions } from './PaymentParts.tsx'
import { periodNote } from './period.ts'
import { type Asked, paymentsQuery, previewQuery, useCreatePayment, useUpdatePayment } from './queries.ts'

interface Values {
  relationship: number | null
  period_start: string
  period_end: string
  total_leads: number | null
  total_conversions: number | null
  total_amount: string
  payment_status: PaymentStatus
  payment_date: string
  notes: string
}

const empty: Values = {
  relationship: null,
  period_start: '',
  period_end: '',
  total_leads: null,
  total_conversions: null,
  total_amount: '',
  payment_status: 'pending',
  payment_date: '',
  notes: '',
}

const valuesOf = (payment: Payment): Values => ({
  relationship: payment.relationship,
  period_start: payment.period_start,
  period_end: payment.period_end,
  total_leads: payment.total_leads,
  total_conversions: payment.total_conversions,
  total_amount: payment.total_amount,
  payment_status: payment.payment_status,
  payment_date: payment.payment_date ?? '',
  notes: payment.notes,
})

/** One dialog for creating and, given a payment, editing. */
export function PaymentDialog({ payment, onClose }: { payment?: Payment; onClose: () => void }) {
  const create = useCreatePayment()
  const update = useUpdatePayment()
  const form = useSchemaForm(PaymentCreate, payment ? valuesOf(payment) : empty)
  const save = payment ? update : create
  return (
    <DialogForm
      title={payment ? 'Editar Pago' : 'Crear Pago'}
      description="Montos antes de IVA y retenciones."
      size="lg"
      columns={2}
      form={form}
      busy={save.isPending}
      error={save.error}
      submit={payment ? 'Actualizar' : 'Crear'}
      submitBusy={payment ? 'Actualizando...' : 'Creando...'}
      onClose={onClose}
      onSubmit={(values) =>
        payment
          ? update.mutate({ id: payment.id, ...values }, { onSuccess: onClose })
          : create.mutate(values, { onSuccess: onClose })
      }
    >
      <PeriodFields form={form} payment={payment} />
      <NumberField name="total_leads" label="Total de leads" control={form.control} />
      <NumberField name="total_conversions" label="Total de conversiones" control={form.control} />
      <MoneyField name="total_amount" label="Monto total (MXN)" control={form.control} />
      <SelectField name="payment_status" label="Estado" control={form.control} options={statusOptions} />
      <DateField name="payment_date" label="Fecha de pago" control={form.control} />
      <TextArea
        name="notes"
        label="Notas"
        control={form.control}
        optional
        wide
        limit={500}
        help="Clave de rastreo SPEI, folio del CFDI…"
      />
    </DialogForm>
  )
}

const pairOf = ({ affiliate_name, issuer_name }: Pick<Payment, 'affiliate_name' | 'issuer_name'>): string =>
  `${affiliate_name} - ${issuer_name}`

type Form = UseFormReturn<Values, unknown, PaymentCreate>

function PeriodFields({ form, payment }: { form: Form; payment: Payment | undefined }) {
  const relationships = useQuery(relationshipsQuery())
  const [relationship, start, end, status] = form.watch([
    'relationship',
    'period_start',
    'period_end',
    'payment_status',
  ])
  const active = (relationships.data ?? [])
    .filter((row) => row.relationship_status === 'active' && row.id !== payment?.relationship)
    .map((row) => ({ value: row.id, label: pairOf(row) }))
  // A payment's relationship may be removed, and then is in no list.
  const options = payment ? [{ value: payment.relationship, label: pairOf(payment) }, ...active] : active
  const today = dateInMexico()
  const asked: Asked | undefined =
    relationship && start && end
      ? { relationship, period_start: start, period_end: end, payment: payment?.id }
      : undefined
  return (
    <>
      <ComboboxField
        name="relationship"
        label="Relación"
        control={form.control}
        options={options}
        placeholder="Afiliado - Emisor"
        empty={relationships.isError ? 'No se pudo cargar la lista' : 'Sin resultados'}
        wide
      />
      <DateField name="period_start" label="Inicio del periodo" control={form.control} max={today} />
      <DateField name="period_end" label="Fin del periodo" control={form.control} min={start} max={today} />
      <PeriodLine
        pair={
          relationships.data?.find(({ id }) => id === relationship) ??
          (relationship === payment?.relationship ? payment : undefined)
        }
        period={{ id: payment?.id, period_start: start, period_end: end }}
        cancelled={status === 'cancelled'}
      />
      <Calculate form={form} asked={asked} />
    </>
  )
}

interface PeriodLineProps {
  pair: { affiliate: number; issuer: number } | undefined
  period: { id: number | undefined; period_start: string; period_end: string }
  cancelled: boolean
}

/** Warns before saving that a period overlaps or leaves a gap; it can be saved all the same. */
function PeriodLine({ pair, period, cancelled }: PeriodLineProps) {
  const list = useQuery(paymentsQuery())
  const note = pair && !cancelled ? periodNote({ ...pair, ...period }, list.data ?? []) : undefined
  if (!note) return null
  return (
    <p role="status" className="rounded-lg bg-info-soft px-3 py-2 text-info-ink sm:col-span-2">
      {note.kind === 'overlap' ? (
        <>
          {paymentWarningTexts.PERIOD_OVERLAP} Es el pago {note.with.id}: <Day value={note.with.period_start} /> -{' '}
          <Day value={note.with.period_end} />.
        </>
      ) : (
        `Entre el pago anterior y este ${note.days === 1 ? 'queda' : 'quedan'} ${daysText(note.days)} sin pagar.`
      )}
    </p>
  )
}

/** Fills the totals from the ledger and shows their commissions; the totals stay editable. */
function Calculate({ form, asked }: { form: Form; asked: Asked | undefined }) {
  const client = useQueryClient()
  const [result, setResult] = useState<{ asked: Asked; preview: PaymentPreview }>()
  const calculate = useMutation({
    mutationFn: (question: Asked) => client.fetchQuery({ ...previewQuery(question, 1), staleTime: 0 }),
    onSuccess: (preview, question) => {
      setResult({ asked: question, preview })
      const write = { shouldDirty: true, shouldValidate: true } as const
      form.setValue('total_leads', preview.total_leads, write)
      form.setValue('total_conversions', preview.total_conversions, write)
      form.setValue('total_amount', preview.total_amount, write)
    },
  })
  const start = async () => {
    if (asked && (await form.trigger(['relationship', 'period_start', 'period_end']))) calculate.mutate(asked)
  }
  const current = result && JSON.stringify(result.asked) === JSON.stringify(asked) ? result : undefined
  return (
    <>
      <div className="sm:col-span-2">
        <Button
          icon={Calculator}
          onClick={start}
          busy={calculate.isPending}
          busyText="Calculando..."
          disabledReason={asked ? undefined : 'Elige la relación y el periodo'}
        >
          Calcular
        </Button>
        <p className="mt-1.5 text-xs text-muted">
          Llena leads, conversiones y monto con las comisiones devengadas del periodo.
        </p>
      </div>
      {current && <Calculation key={JSON.stringify(asked)} asked={current.asked} first={current.preview} />}
    </>
  )
}
