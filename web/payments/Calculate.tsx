import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Calculator } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { PaymentPreview } from '#contract/payment-preview.ts'
import { changedSince } from '#contract/payment-texts.ts'
import type { Payment } from '#contract/payments.ts'
import { Button } from '#web/ui/Button.tsx'
import { Calculation } from './Calculation.tsx'
import { hasChanged } from './PaymentParts.tsx'
import { askedOf, EXTENT, type Form } from './payment-form.ts'
import { type Asked, previewQuery } from './queries.ts'

/** What was calculated, and from what. */
export interface Calculated {
  asked: Asked
  preview: PaymentPreview
}

/** Another pair or period needs another calculation. */
export const isOf = (calculated: Calculated | undefined, asked: Asked | undefined): boolean =>
  calculated !== undefined && JSON.stringify(calculated.asked) === JSON.stringify(asked)

interface Props {
  form: Form
  asked: Asked | undefined
  payment: Payment | undefined
  current: Calculated | undefined
  /** Why the server did not save: the commissions are no longer those of the calculation. */
  refusal: string | undefined
  onCalculated: (calculated: Calculated) => void
}

/** Fills the totals from the ledger and shows their commissions; the totals stay editable. */
export function Calculate({ form, asked, payment, current, refusal, onCalculated }: Props) {
  const client = useQueryClient()
  const calculate = useMutation({
    mutationFn: (question: Asked) => client.fetchQuery({ ...previewQuery(question, 1), staleTime: 0 }),
    onSuccess: (preview, question) => {
      const answer = { asked: question, preview }
      // The pair or the period was changed meanwhile.
      if (!isOf(answer, askedOf(form.getValues(EXTENT), payment))) return
      onCalculated(answer)
      const write = { shouldDirty: true, shouldValidate: true } as const
      form.setValue('total_leads', preview.total_leads, write)
      form.setValue('total_conversions', preview.total_conversions, write)
      form.setValue('total_amount', preview.total_amount, write)
    },
  })
  const start = async () => {
    if (asked && (await form.trigger(EXTENT))) calculate.mutate(asked)
  }
  const changed = payment && !current && hasChanged(payment) ? changedSince(payment) : undefined
  const warning = refusal ?? changed
  const warned = useRef<HTMLParagraphElement>(null)
  // The button that was refused stands a list of commissions below.
  useEffect(() => {
    if (refusal) warned.current?.scrollIntoView({ block: 'center' })
  }, [refusal])
  return (
    <>
      {warning && (
        <p ref={warned} className="rounded-lg bg-danger-soft px-3 py-2 text-danger-ink sm:col-span-2">
          {warning}
        </p>
      )}
      <div className="sm:col-span-2">
        <Button
          icon={Calculator}
          onClick={start}
          busy={calculate.isPending}
          busyText="Calculando..."
          disabledReason={asked ? undefined : 'Elige la relación y el periodo'}
        >
          {warning ? 'Calcular de nuevo' : 'Calcular'}
        </Button>
        <p className="mt-1.5 text-xs text-muted">
          Llena leads, conversiones y monto con las comisiones devengadas del periodo.
          {!payment && ' Sin calcular, el monto paga las comisiones más antiguas que alcance a cubrir.'}
        </p>
      </div>
      {current && <Calculation key={JSON.stringify(current)} asked={current.asked} first={current.preview} />}
    </>
  )
}
