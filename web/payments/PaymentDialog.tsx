import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type EntrySums, PAID_STAYS, paymentWarningTexts } from '#contract/payment-texts.ts'
import { type OpenBalance, type Payment, PaymentCreate, payments, REASON_LIMIT } from '#contract/payments.ts'
import { dateInMexico } from '#contract/time.ts'
import { seenOf } from '#web/api/client.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { ComboboxField, SelectField } from '#web/form/SelectField.tsx'
import { DateField, MoneyField, NumberField } from '#web/form/special-fields.tsx'
import { TextArea } from '#web/form/TextArea.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { relationshipsQuery } from '#web/relationships/queries.ts'
import { Day } from '#web/ui/dates.tsx'
import { daysText, formatMoney } from '#web/ui/format.ts'
import { AdjustmentReason } from './AdjustmentReason.tsx'
import { Calculate, type Calculated, isOf } from './Calculate.tsx'
import { statusOptions } from './PaymentParts.tsx'
import { askedOf, clearTotals, commissionsOf, EXTENT, empty, type Form, valuesFor, valuesOf } from './payment-form.ts'
import { periodNote } from './period.ts'
import { balancesQuery, paymentsQuery } from './queries.ts'
import { refusalIn } from './refusal.ts'
import { useCreatePayment, useUpdatePayment } from './saves.ts'

interface Props {
  payment?: Payment
  /** What a payment that is created pays, where that is known. */
  pair?: OpenBalance | undefined
  onClose: () => void
}

/** One dialog for creating and, given a payment, editing. */
export default function PaymentDialog({ payment, pair, onClose }: Props) {
  const create = useCreatePayment()
  const update = useUpdatePayment()
  const form = useSchemaForm(PaymentCreate, payment ? valuesOf(payment) : pair ? valuesFor(pair) : empty)
  const save = payment ? update : create
  const [calculated, setCalculated] = useState<Calculated>()
  const asked = askedOf(form.watch(EXTENT), payment)
  const current = isOf(calculated, asked) ? calculated : undefined
  useEffect(() => {
    if (!calculated || current) return
    clearTotals(form, calculated.preview)
    setCalculated(undefined)
  }, [form, calculated, current])
  const refusal = refusalIn(save.error)
  const status = form.watch('payment_status')
  // Refused was the paying alone.
  const changed = status === 'paid' && refusal?.code === 'TOTAL_CHANGED' ? refusal.sums : undefined
  const staysPaid = payment?.payment_status === 'paid' && status === 'paid'
  const submit = (values: PaymentCreate) => {
    const body = { ...values, ...sumsToSend(current, changed) }
    if (payment) update.mutate({ ...seenOf(payment), ...body }, { onSuccess: onClose })
    else create.mutate(body, { onSuccess: onClose })
  }
  return (
    <DialogForm
      title={payment ? 'Editar Pago' : 'Crear Pago'}
      description="Montos antes de IVA y retenciones."
      size="lg"
      columns={2}
      form={form}
      busy={save.isPending}
      error={save.error}
      saves={payment ? payments.update : payments.create}
      submit={payment ? 'Actualizar' : 'Crear'}
      submitBusy={payment ? 'Actualizando...' : 'Creando...'}
      onClose={onClose}
      onSubmit={submit}
    >
      <PeriodFields form={form} payment={payment} fixed={staysPaid} />
      {staysPaid ? (
        <p role="status" className="rounded-lg bg-info-soft px-3 py-2 text-info-ink sm:col-span-2">
          {PAID_STAYS}
        </p>
      ) : (
        <Calculate
          form={form}
          asked={asked}
          payment={payment}
          current={current}
          refusal={refusal?.message}
          onCalculated={(result) => {
            save.reset()
            setCalculated(result)
          }}
        />
      )}
      <NumberField name="total_leads" label="Total de leads" control={form.control} disabled={staysPaid} />
      <NumberField name="total_conversions" label="Total de conversiones" control={form.control} disabled={staysPaid} />
      <MoneyField name="total_amount" label="Monto total (MXN)" control={form.control} disabled={staysPaid} />
      <SelectField name="payment_status" label="Estado" control={form.control} options={statusOptions} />
      <DateField name="payment_date" label="Fecha de pago" control={form.control} disabled={staysPaid} />
      <AdjustmentReason
        form={form}
        required={changed !== undefined}
        wasPaid={Boolean(payment?.paid_at)}
        commissions={changed?.entries_amount ?? current?.preview.total_amount ?? commissionsOf(form, payment)}
      />
      {payment && status === 'cancelled' && (
        <TextArea
          name="cancel_reason"
          label="Motivo de la cancelación"
          control={form.control}
          optional={payment.paid_at === null}
          wide
          rows={2}
          limit={REASON_LIMIT}
          help="Lo leen también el afiliado y el emisor."
        />
      )}
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

/** The calculation that the totals were filled from; or, after a refusal to pay, the sum of now that the person has read. */
const sumsToSend = (current: Calculated | undefined, changed: EntrySums | undefined) => {
  if (current) return { entries_amount: current.preview.entries_amount, upto: current.preview.upto }
  return changed && { entries_amount: changed.entries_amount }
}

const pairOf = ({ affiliate_name, issuer_name }: Pick<Payment, 'affiliate_name' | 'issuer_name'>): string =>
  `${affiliate_name} - ${issuer_name}`

interface PeriodProps {
  form: Form
  payment: Payment | undefined
  fixed: boolean
}

function PeriodFields({ form, payment, fixed }: PeriodProps) {
  const relationships = useQuery(relationshipsQuery())
  const balances = useQuery(balancesQuery())
  const [relationship, start, end, status] = form.watch([
    'relationship',
    'period_start',
    'period_end',
    'payment_status',
  ])
  const active = (relationships.data ?? [])
    .filter((row) => row.relationship_status === 'active' && row.id !== payment?.relationship)
    .map((row) => ({ value: row.id, label: pairOf(row) }))
  const ended = (balances.data ?? []).filter(
    (pair) => pair.state !== 'active' && Number(pair.accrued) > 0 && pair.relationship !== payment?.relationship,
  )
  // A payment's relationship may be removed, and then is in no list.
  const own = payment ? [{ value: payment.relationship, label: pairOf(payment) }] : []
  const finiquitos = ended.map((pair) => ({
    value: pair.relationship,
    label: `${pairOf(pair)} (finiquito: ${formatMoney(pair.accrued)})`,
  }))
  const options = [...own, ...active, ...finiquitos]
  const chosen = ended.find((pair) => pair.relationship === relationship)
  const today = dateInMexico()
  return (
    <>
      <ComboboxField
        name="relationship"
        label="Relación"
        control={form.control}
        options={options}
        placeholder="Afiliado - Emisor"
        empty={emptyPicker(relationships, balances)}
        disabled={fixed}
        wide
      />
      {chosen?.since && (
        <p role="status" className="rounded-lg bg-info-soft px-3 py-2 text-info-ink sm:col-span-2">
          La relación terminó. Finiquito: {formatMoney(chosen.accrued)} por pagar, desde el <Day value={chosen.since} />
          .
        </p>
      )}
      <DateField name="period_start" label="Inicio del periodo" control={form.control} max={today} disabled={fixed} />
      <DateField
        name="period_end"
        label="Fin del periodo"
        control={form.control}
        min={start}
        max={today}
        disabled={fixed}
      />
      <PeriodLine
        pair={
          // Its own pair: the relationship may be another's by now.
          relationship === payment?.relationship
            ? payment
            : (relationships.data?.find(({ id }) => id === relationship) ?? chosen)
        }
        period={{ id: payment?.id, period_start: start, period_end: end }}
        cancelled={status === 'cancelled'}
      />
    </>
  )
}

/** Why the picker of relationships offers none. */
function emptyPicker(...lists: { data: unknown; isError: boolean }[]): string {
  if (lists.some(({ isError }) => isError)) return 'No se pudo cargar la lista'
  if (lists.some(({ data }) => data === undefined)) return 'Cargando relaciones...'
  return 'Ninguna relación por pagar coincide. Se ofrecen las activas, y las terminadas con comisiones sin pago.'
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
