import { Link } from 'react-router'
import { z } from 'zod'
import { GivenDate } from '#contract/fields.ts'
import { paymentChanges } from '#contract/payment-changes.ts'
import { CANCEL_REASON_REQUIRED, PAYMENT_DATE_REQUIRED } from '#contract/payment-texts.ts'
import { type Payment, PaymentReason, PaymentStatus, paymentStatusLabels, REASON_LIMIT } from '#contract/payments.ts'
import { NOTE_LENGTH, Reason } from '#contract/rulings.ts'
import { call } from '#web/api/client.ts'
import { refreshedBy } from '#web/api/queries.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { SelectField } from '#web/form/SelectField.tsx'
import { DateField } from '#web/form/special-fields.tsx'
import { TextArea } from '#web/form/TextArea.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { BulkResult } from '#web/table/BulkResult.tsx'
import { countOf } from '#web/table/nouns.ts'
import { useBulk } from '#web/table/use-bulk.ts'
import type { RowPanel } from '#web/table/use-panel.ts'
import type { Selection } from '#web/table/use-selection.ts'
import { formatMoney, formatNumber } from '#web/ui/format.ts'
import { LINK } from '#web/ui/links.tsx'
import { paymentName, paymentNouns } from './PaymentPanel.tsx'
import { statusOptions } from './PaymentParts.tsx'
import { sumOf } from './summary.ts'

interface Props {
  payments: readonly Payment[]
  selection: Selection
  /** Where a payment that was refused is read and edited. */
  panel: RowPanel
  onClose: () => void
}

/** Sets the status of the chosen payments, after it has said what that does. */
export default function PaymentStatusDialog({ payments, selection, panel, onClose }: Props) {
  const form = useSchemaForm<Values, Values>(formFor(payments), CHOICES)
  const { run, isPending, error, result } = useBulk({
    save: (body: z.infer<typeof paymentChanges.setStatus.body>) => call(paymentChanges.setStatus, { body }),
    refreshes: refreshedBy.payment,
    nouns: paymentNouns,
    selection,
    onDone: onClose,
  })
  const status = form.watch('payment_status')
  const changed = changedBy(payments, status)
  /** `again`: those that were refused, of which it has been read why. */
  const submit = (values: Values, again?: number[]) =>
    run({
      ids: again ?? changed.map(({ id }) => id),
      payment_status: values.payment_status,
      ...(!again && { seen: Object.fromEntries(payments.map(({ id, updated_at }) => [id, updated_at])) }),
      ...(lacksDate(payments, values.payment_status) && { payment_date: values.payment_date }),
      ...(values.payment_status === 'cancelled' && { cancel_reason: values.cancel_reason }),
    })
  if (result && result.failed.length > 0)
    return (
      <BulkResult
        result={result}
        nameOf={(id) => (
          <Link
            {...panel.linkTo(id)}
            preventScrollReset
            onClick={(event) => {
              if (isPending) event.preventDefault()
              // In another tab it is read beside what is still to be tried again.
              else if (!(event.ctrlKey || event.metaKey || event.shiftKey)) onClose()
            }}
            className={LINK}
          >
            {nameIn(payments, id)}
          </Link>
        )}
        busy={isPending}
        onRetry={(ids) => submit(form.getValues(), ids)}
        onClose={onClose}
      />
    )
  return (
    <DialogForm
      title="Cambiar estado"
      form={form}
      busy={isPending}
      error={error}
      submit={`Cambiar ${countOf(changed.length, paymentNouns)}`}
      submitBusy="Cambiando..."
      disabledReason={changed.length === 0 ? 'Ninguno de los elegidos cambiaría' : undefined}
      onClose={onClose}
      onSubmit={(values) => submit(values)}
    >
      <SelectField name="payment_status" label="Estado" control={form.control} options={statusOptions} />
      <Question all={payments} changed={changed} status={status} />
      {lacksDate(payments, status) && (
        <DateField
          name="payment_date"
          label="Fecha de pago"
          control={form.control}
          help="Para los que no la tienen; los demás conservan la suya."
        />
      )}
      {status === 'cancelled' && (
        <TextArea
          name="cancel_reason"
          label="Motivo de la cancelación"
          control={form.control}
          optional={!wasPaid(payments, status)}
          rows={2}
          limit={REASON_LIMIT}
          help="Lo leen también el afiliado y el emisor."
        />
      )}
    </DialogForm>
  )
}

const CHOICES: Values = { payment_status: 'paid', payment_date: '', cancel_reason: '' }

const changedBy = (payments: readonly Payment[], status: PaymentStatus) =>
  payments.filter(({ payment_status }) => payment_status !== status)
const lacksDate = (payments: readonly Payment[], status: PaymentStatus): boolean =>
  changedBy(payments, status).some(({ payment_date }) => payment_date === null)
const wasPaid = (payments: readonly Payment[], status: PaymentStatus): boolean =>
  status === 'cancelled' && changedBy(payments, status).some(({ paid_at }) => paid_at !== null)

const nameIn = (payments: readonly Payment[], id: number): string => {
  const payment = payments.find((each) => each.id === id)
  return payment ? paymentName(payment) : `Pago ${id}`
}

/** Asks for what the form of one payment would ask of any of these. */
const formFor = (payments: readonly Payment[]) =>
  z
    .object({
      payment_status: PaymentStatus,
      payment_date: z.union([z.literal(''), GivenDate]),
      cancel_reason: PaymentReason,
    })
    .refine(({ payment_status, payment_date }) => payment_date || !lacksDate(payments, payment_status), {
      path: ['payment_date'],
      message: PAYMENT_DATE_REQUIRED,
    })
    .refine(({ payment_status, cancel_reason }) => cancel_reason || !wasPaid(payments, payment_status), {
      path: ['cancel_reason'],
      message: CANCEL_REASON_REQUIRED,
    })
    .refine(
      ({ payment_status, cancel_reason }) =>
        !cancel_reason || !wasPaid(payments, payment_status) || Reason.safeParse(cancel_reason).success,
      { path: ['cancel_reason'], message: NOTE_LENGTH },
    )
type Values = z.infer<ReturnType<typeof formFor>>

const CONSEQUENCES: Record<PaymentStatus, string> = {
  pending: '',
  processing: '',
  paid: 'Sus comisiones quedan pagadas, y los pagos ya no se eliminan.',
  cancelled: 'Sus comisiones vuelven a quedar devengadas.',
}

/** '2 ya estaban pagados' */
const already: Record<PaymentStatus, [one: string, many: string]> = {
  pending: ['ya estaba pendiente', 'ya estaban pendientes'],
  processing: ['ya se estaba procesando', 'ya se estaban procesando'],
  paid: ['ya estaba pagado', 'ya estaban pagados'],
  cancelled: ['ya estaba cancelado', 'ya estaban cancelados'],
}

interface QuestionProps {
  all: readonly Payment[]
  changed: readonly Payment[]
  status: PaymentStatus
}

function Question({ all, changed, status }: QuestionProps) {
  const rest = all.length - changed.length
  const [one, many] = already[status]
  const reopened = status === 'paid' ? 0 : changed.filter(({ payment_status }) => payment_status === 'paid').length
  return (
    <div role="status" className="grid gap-1 rounded-lg bg-sunken px-3 py-2">
      {changed.length > 0 && (
        <p>
          {countOf(changed.length, paymentNouns)} de {formatMoney(sumOf(changed))}{' '}
          {changed.length === 1 ? 'pasa' : 'pasan'} a «{paymentStatusLabels[status]}». {CONSEQUENCES[status]}
        </p>
      )}
      {rest > 0 && <p>{`${formatNumber(rest)} ${rest === 1 ? one : many}.`}</p>}
      {reopened > 0 && (
        <p className="text-danger-ink">
          {reopened === 1
            ? '1 ya se pagó y deja de estar pagado.'
            : `${reopened} ya se pagaron y dejan de estar pagados.`}
        </p>
      )}
    </div>
  )
}
