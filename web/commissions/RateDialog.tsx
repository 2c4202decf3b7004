import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import type { Commission } from '#contract/commissions.ts'
import { amountText, CalendarDate } from '#contract/fields.ts'
import { PAST_RATE, type RateCreate, type RatePreview } from '#contract/rates.ts'
import { addDays, dateInMexico, startOfDay } from '#contract/time.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { DateField, MoneyField } from '#web/form/special-fields.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { Button } from '#web/ui/Button.tsx'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { counted, formatDate, formatMoney, isNegative } from '#web/ui/format.ts'
import { Money } from '#web/ui/Money.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ratePreviewQuery, useAnnounceRate, useCancelRate } from './queries.ts'

/** A change begins with a day. */
const RateForm = z.object({
  amount: amountText('Ingresa el monto'),
  valid_from: CalendarDate.refine((day) => day > dateInMexico(), PAST_RATE),
})
type Form = z.output<typeof RateForm>

const callOf = (commission: Commission, { amount, valid_from }: Form): RateCreate => ({
  commission_id: commission.id,
  amount,
  valid_from: new Date(startOfDay(valid_from)).toISOString(),
})

/** What a commission will pay from a day on, with what that means in pesos. */
export function RateDialog({ commission, onClose }: { commission: Commission; onClose: () => void }) {
  const announce = useAnnounceRate()
  const form = useSchemaForm<{ amount: string; valid_from: string }, Form>(RateForm, { amount: '', valid_from: '' })
  return (
    <DialogForm
      title="Programar cambio"
      description="El afiliado lo ve anunciado desde ahora. Lo ya devengado conserva su monto."
      form={form}
      busy={announce.isPending}
      error={announce.error}
      submit="Programar cambio"
      submitBusy="Programando..."
      onClose={onClose}
      onSubmit={(values) => announce.mutate(callOf(commission, values), { onSuccess: onClose })}
    >
      <Facts>
        <Fact label="Producto">{commission.product_name}</Fact>
        <Fact label="Afiliado">{commission.affiliate_name}</Fact>
        <Fact label="Monto vigente">
          <Money value={commission.payout} />
        </Fact>
      </Facts>
      {commission.next && <Announced next={commission.next} />}
      <MoneyField name="amount" label="Nuevo monto (MXN)" control={form.control} />
      <DateField
        name="valid_from"
        label="A partir del"
        control={form.control}
        min={addDays(dateInMexico(), 1)}
        help="Desde las 00:00 de ese día, hora de la Ciudad de México."
      />
      <Preview commission={commission} values={useWatch({ control: form.control })} />
    </DialogForm>
  )
}

function Announced({ next: { id, payout, since } }: { next: NonNullable<Commission['next']> }) {
  const cancel = useCancelRate()
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-info-soft px-3 py-2 text-info-ink">
      <p role="status">
        {cancel.isSuccess
          ? 'El cambio se canceló.'
          : `Ya programado: ${formatMoney(payout)} desde el ${formatDate(since, 'day')}.`}
      </p>
      {!cancel.isSuccess && (
        <Button size="sm" busy={cancel.isPending} busyText="Cancelando..." onClick={() => cancel.mutate(id)}>
          Cancelar este cambio
        </Button>
      )}
    </div>
  )
}

function Preview({ commission, values }: { commission: Commission; values: Partial<Record<keyof Form, string>> }) {
  const parsed = useDeferredValue(RateForm.safeParse(values).data)
  const query = useQuery(ratePreviewQuery(parsed && callOf(commission, parsed)))
  if (!parsed) return null
  // What the fields themselves say is wrong is not said again.
  if (query.isError) return <ErrorState text="No se pudo calcular lo que significa" query={query} />
  return (
    <section aria-label="Lo que significa" aria-busy={query.isFetching} className="rounded-lg bg-sunken px-3 py-2">
      {query.data ? <Meaning preview={query.data} /> : <Skeleton className="w-64 max-w-full" />}
    </section>
  )
}

const Meaning = ({ preview: { earned, difference, kept, kept_amount } }: { preview: RatePreview }) => (
  <>
    <p role="status">
      {earned === 0
        ? 'En los últimos 30 días ningún lead ganó esta comisión.'
        : `En los últimos 30 días ${counted(earned, 'lead ganó', 'leads ganaron')} esta comisión: ${isNegative(difference) ? '' : '+'}${formatMoney(difference)} al mes.`}
    </p>
    {kept > 0 && (
      <p className="mt-1 text-muted">
        {`${counted(kept, 'comisión ya devengada', 'comisiones ya devengadas')} (${formatMoney(kept_amount)}) ${kept === 1 ? 'conserva' : 'conservan'} su monto.`}
      </p>
    )}
  </>
)
