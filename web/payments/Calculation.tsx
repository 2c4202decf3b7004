import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PaymentPreview } from '#contract/payment-preview.ts'
import { balanceAgainst } from '#contract/payment-texts.ts'
import { PAYMENT_ENTRIES_MAX } from '#contract/payments.ts'
import { counted, formatDate, formatMoney, formatNumber, isNegative } from '#web/ui/format.ts'
import { Entries } from './Entries.tsx'
import { type Asked, previewQuery } from './queries.ts'

interface Props {
  asked: Asked
  /** The calculation as it was when the fields were filled; its first page of commissions. */
  first: PaymentPreview
}

/** What the totals were filled from. */
export function Calculation({ asked, first }: Props) {
  const [page, setPage] = useState(1)
  const later = useQuery({ ...previewQuery(asked, page), enabled: page > 1 })
  const query = page === 1 ? { ...later, data: first, isError: false, isFetching: false, error: null } : later
  return (
    <section aria-label="Comisiones del periodo" className="grid gap-3 sm:col-span-2">
      {isNegative(first.entries_amount) ? (
        <p role="status" className="rounded-lg bg-danger-soft px-3 py-2 text-danger-ink">
          {balanceAgainst(first.entries_amount)}
        </p>
      ) : (
        <p role="status" className="rounded-lg bg-money-soft px-3 py-2 text-money-ink">
          {`${counted(first.entries.pagination.count, 'comisión devengada', 'comisiones devengadas')} de ${counted(first.total_leads, 'lead', 'leads')}: ${formatMoney(first.total_amount)} MXN. `}
          Los campos quedan editables.
        </p>
      )}
      {first.entries.pagination.count >= PAYMENT_ENTRIES_MAX && (
        <p className="rounded-lg bg-info-soft px-3 py-2 text-info-ink">
          {`Un pago toma ${formatNumber(PAYMENT_ENTRIES_MAX)} comisiones a lo más. Las demás siguen por pagar en otro periodo.`}
        </p>
      )}
      {first.carried.since !== null && (
        <p className="text-muted">
          {`Incluye un saldo en contra de ${formatMoney(first.carried.amount.replace('-', ''))}, desde el ${formatDate(first.carried.since, 'day')}.`}
        </p>
      )}
      {first.held_elsewhere.map((held) => (
        <p key={held.payment_id} className="text-muted">
          {`El pago ${held.payment_id} ya incluye ${counted(held.entries, 'comisión', 'comisiones')} de este periodo (${formatMoney(held.amount)}); aquí no cuentan.`}
        </p>
      ))}
      <Forgotten {...first.unpaid_before} start={asked.period_start} />
      <Entries
        query={{ ...query, data: query.data?.entries }}
        onPage={setPage}
        empty="Nada por pagar en este periodo"
        emptyHint={`${first.held_elsewhere.length ? 'Ninguna otra' : 'Ninguna comisión'} se puede pagar en él. Las que están en validación, por aprobar o retenidas aún no cuentan.`}
      />
    </section>
  )
}

/** Commissions of earlier days in no payment: a period that starts sooner takes them in. */
function Forgotten({ entries, amount, since, start }: PaymentPreview['unpaid_before'] & { start: string }) {
  if (since === null) return null
  const day = (date: string) => formatDate(date, 'day')
  return (
    <p className="rounded-lg bg-info-soft px-3 py-2 text-info-ink">
      {`Antes del ${day(start)} hay ${counted(entries, 'comisión devengada', 'comisiones devengadas')} sin pago (${formatMoney(amount)}, desde el ${day(since)}). Para incluirlas, empieza antes el periodo.`}
    </p>
  )
}
