import type { ReactNode } from 'react'
import { entryStateLabels } from '#contract/commission-entries.ts'
import { BEFORE_TAXES } from '#contract/exports.ts'
import type { StatementLine, StatementParty } from '#contract/payment-statement.ts'
import { LATER_CHANGE, laterChangeOf } from '#contract/payment-texts.ts'
import { type Payment, type PaymentStatement, paymentStatusLabels } from '#contract/payments.ts'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { Day, DayTime } from '#web/ui/dates.tsx'
import { Wordmark } from '#web/ui/Mark.tsx'
import { Money } from '#web/ui/Money.tsx'
import { hasChanged, Period } from './PaymentParts.tsx'

export const statementTitle = (id: number): string => `Estado de pago ${id}`

/** A payment on paper: who owes whom, for what, line by line, and how that adds up to the total. */
export const Statement = ({ payment, issuer, affiliate, lines }: PaymentStatement) => (
  <article className="text-sm text-ink">
    <header className="flex items-start justify-between gap-8 border-b pb-5">
      <Wordmark />
      <div className="text-right">
        <h1 className="text-xl font-semibold">{statementTitle(payment.id)}</h1>
        <p className="text-muted">
          {paymentStatusLabels[payment.payment_status]}, impreso el <DayTime value={new Date().toISOString()} />
        </p>
      </div>
    </header>
    <Facts className="grid-cols-2 py-5">
      <Party label="Emisor" party={issuer} />
      <Party label="Afiliado" party={affiliate} />
      <Fact label="Periodo">
        <Period payment={payment} />
      </Fact>
      <Fact label="Fecha de pago">
        <Day value={payment.payment_date} missing="Sin fecha asignada" />
      </Fact>
      {payment.cancel_reason && (
        <Fact label="Motivo de la cancelación" wide>
          {payment.cancel_reason}
        </Fact>
      )}
      {payment.notes && (
        <Fact label="Notas" wide>
          <span className="whitespace-pre-line">{payment.notes}</span>
        </Fact>
      )}
    </Facts>
    {lines.length > 0 && <Lines lines={lines} />}
    <Sums
      payment={payment}
      count={lines.filter(({ state, is_difference }) => state !== 'reversed' && !is_difference).length}
    />
    <p className="mt-8 border-t pt-3 text-xs text-muted">{BEFORE_TAXES}. No es un comprobante fiscal.</p>
  </article>
)

const Party = ({ label, party }: { label: string; party: StatementParty }) => (
  <Fact label={label}>
    <span className="font-semibold">{party.company_name}</span>
    <br />
    <span className="text-muted">RFC</span> {party.rfc}
  </Fact>
)

const HEADS = ['Fecha', 'Lead', 'External ID', 'Producto y paso']

const Lines = ({ lines }: { lines: StatementLine[] }) => (
  <table className="w-full border-collapse text-left text-xs">
    <caption className="sr-only">Comisiones del pago</caption>
    <thead>
      <tr className="border-b border-line-strong text-muted">
        {HEADS.map((head) => (
          <th key={head} scope="col" className="py-1.5 pr-3 font-medium">
            {head}
          </th>
        ))}
        <th scope="col" className="py-1.5 text-right font-medium">
          Monto
        </th>
      </tr>
    </thead>
    <tbody>
      {lines.map((line) => (
        <Line key={line.id} line={line} />
      ))}
    </tbody>
  </table>
)

/** A reversed one is struck out: it is in no sum. */
const Line = ({ line }: { line: StatementLine }) => (
  <tr className="break-inside-avoid border-b align-top">
    <td className="py-1.5 pr-3 whitespace-nowrap tabular-nums">
      <Day value={line.earned_at} />
    </td>
    <td className="py-1.5 pr-3 tabular-nums">{line.lead_id ?? '—'}</td>
    <td className="max-w-40 py-1.5 pr-3 wrap-anywhere">{line.external_id || '—'}</td>
    <td className="py-1.5 pr-3 wrap-anywhere">
      {line.product_name}{' '}
      <span className="text-muted">
        {line.product_name && '· '}
        {line.step_name}
      </span>
    </td>
    <td className="py-1.5 text-right whitespace-nowrap">
      {line.state === 'reversed' ? (
        <span className="text-muted">
          {entryStateLabels.reversed}{' '}
          <del>
            <Money value={line.amount} />
          </del>
        </span>
      ) : (
        <Money value={line.amount} />
      )}
    </td>
  </tr>
)

function Sums({ payment, count }: { payment: Payment; count: number }) {
  const isCancelled = payment.payment_status === 'cancelled'
  return (
    <dl className="mt-4 ml-auto grid w-96 max-w-full break-inside-avoid grid-cols-[1fr_auto] gap-x-6 gap-y-1.5">
      {!isCancelled && (
        <>
          <Sum label={count === 1 ? '1 comisión' : `${count} comisiones`} value={payment.entries_amount} />
          {hasChanged(payment) && <Sum label={LATER_CHANGE} value={laterChangeOf(payment)} />}
          <Sum label="Ajuste" value={payment.adjustment} note={payment.adjustment_reason} />
        </>
      )}
      <dt className="-mr-6 border-t border-line-strong pt-2 text-base font-semibold">Total</dt>
      <dd className="border-t border-line-strong pt-2 text-right text-base font-semibold">
        {isCancelled ? (
          <del>
            <Money value={payment.total_amount} />
          </del>
        ) : (
          <Money value={payment.total_amount} />
        )}
      </dd>
    </dl>
  )
}

const Sum = ({ label, value, note }: { label: string; value: string; note?: ReactNode }) => (
  <>
    <dt>
      {label}
      {note && <span className="block text-xs wrap-anywhere whitespace-pre-line text-muted">{note}</span>}
    </dt>
    <dd className="text-right">
      <Money value={value} />
    </dd>
  </>
)
