import type { Payment } from '#contract/payments.ts'
import type { Column } from '#web/table/column.ts'
import { Company } from '#web/ui/Company.tsx'
import { Day } from '#web/ui/dates.tsx'
import { formatPeriod } from '#web/ui/format.ts'
import { Money } from '#web/ui/Money.tsx'
import { ShortPeriod, Status } from './PaymentParts.tsx'

/** What was cancelled is in no sum. */
const Amount = ({ payment }: { payment: Payment }) =>
  payment.payment_status === 'cancelled' ? (
    <del className="text-muted">
      <Money value={payment.total_amount} className="text-muted" />
    </del>
  ) : (
    <Money value={payment.total_amount} />
  )

/** What a list of payments can show; each role's screen says which and in what order. */
export const paymentColumns = {
  id: {
    header: 'ID',
    cell: (payment) => <span className="whitespace-nowrap tabular-nums">{payment.id}</span>,
    sort: (payment) => payment.id,
    spare: true,
  },
  period: {
    header: 'Periodo',
    cell: (payment) => <ShortPeriod payment={payment} />,
    sort: (payment) => payment.period_start,
    card: 'meta',
    brief: ({ period_start: from, period_end: to }) => formatPeriod(from, to) ?? `${from} - ${to}`,
  },
  issuer: {
    header: 'Emisor',
    cell: (payment) => <Company name={payment.issuer_name} />,
    sort: (payment) => payment.issuer_name,
    card: 'meta',
  },
  affiliate: {
    header: 'Afiliado',
    cell: (payment) => <Company name={payment.affiliate_name} />,
    sort: (payment) => payment.affiliate_name,
    card: 'title',
  },
  amount: {
    header: 'Monto',
    cell: (payment) => <Amount payment={payment} />,
    sort: (payment) => Number(payment.total_amount),
    align: 'right',
    card: 'amount',
  },
  status: {
    header: 'Estado',
    cell: (payment) => <Status payment={payment} />,
    sort: (payment) => payment.payment_status,
    card: 'chip',
  },
  paidOn: {
    header: 'Fecha de Pago',
    cell: (payment) => <Day value={payment.payment_date} missing="-" />,
    sort: (payment) => payment.payment_date,
    spare: true,
    secondary: true,
  },
} satisfies Record<string, Column<Payment>>
