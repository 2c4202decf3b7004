import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Plus } from 'lucide-react'
import { useMemo } from 'react'
import { sumAmounts } from '#contract/money.ts'
import { balanceAgainst } from '#contract/payment-texts.ts'
import type { OpenBalance } from '#contract/payments.ts'
import type { Column } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Company } from '#web/ui/Company.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Day } from '#web/ui/dates.tsx'
import { counted, formatMoney, isNegative } from '#web/ui/format.ts'
import { Money } from '#web/ui/Money.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import type { Filters } from './filters.ts'
import { balancesQuery } from './queries.ts'

type Companies = Pick<Filters, 'emisor' | 'afiliado'>

/** What was earned and is in no payment, of the companies of the filters; a balance against an affiliate counts, too. */
function useUnpaid({ emisor, afiliado }: Companies) {
  const query = useQuery(balancesQuery())
  const data = useMemo(
    () =>
      query.data?.filter(
        ({ issuer, affiliate, accrued }) =>
          Number(accrued) !== 0 &&
          (!emisor || issuer === Number(emisor)) &&
          (!afiliado || affiliate === Number(afiliado)),
      ),
    [query.data, emisor, afiliado],
  )
  return { ...query, data }
}

/** One line with the sum; its relationships are a dialog away. */
export function Unpaid({ filters, onOpen }: { filters: Companies; onOpen: () => void }) {
  const { data, isError } = useUnpaid(filters)
  return (
    <section
      aria-label="Comisiones sin pago"
      className="mb-4 flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl border bg-surface px-4 py-2.5 shadow-card"
    >
      {data ? (
        <UnpaidSum balances={data} onOpen={onOpen} />
      ) : isError ? (
        <p className="text-muted">No se pudo saber qué comisiones están sin pago.</p>
      ) : (
        <Skeleton className="w-80 max-w-full" />
      )}
    </section>
  )
}

function UnpaidSum({ balances, onOpen }: { balances: readonly OpenBalance[]; onOpen: () => void }) {
  if (balances.length === 0) return <p className="text-muted">Ninguna comisión ganada está sin pago.</p>
  const sum = sumAmounts(balances.map(({ accrued }) => accrued))
  return (
    <>
      <p>
        <strong className="font-semibold tabular-nums">{formatMoney(sum)}</strong>
        {` en comisiones sin pago, de ${counted(balances.length, 'relación', 'relaciones')}`}
      </p>
      <Button size="sm" onClick={onOpen}>
        Ver comisiones sin pago
      </Button>
    </>
  )
}

const columns: Column<OpenBalance>[] = [
  {
    header: 'Afiliado',
    cell: (pair) => <Company name={pair.affiliate_name} />,
    sort: (pair) => pair.affiliate_name,
    card: 'title',
  },
  {
    header: 'Emisor',
    cell: (pair) => <Company name={pair.issuer_name} />,
    sort: (pair) => pair.issuer_name,
    card: 'meta',
  },
  { header: 'Desde', cell: (pair) => <Day value={pair.since} missing="-" />, sort: (pair) => pair.since, card: 'meta' },
  {
    header: 'Sin pago',
    cell: (pair) => <Money value={pair.accrued} />,
    sort: (pair) => Number(pair.accrued),
    align: 'right',
    card: 'amount',
  },
]

interface DialogProps {
  filters: Companies
  onPay: (pair: OpenBalance) => void
  onClose: () => void
}

/** The relationships behind the line, each a step from its payment. */
export function UnpaidDialog({ filters, onPay, onClose }: DialogProps) {
  return (
    <Dialog
      title="Comisiones sin pago"
      description="Lo que cada relación ganó y no está en ningún pago."
      size="lg"
      onClose={onClose}
      footer={<Button onClick={onClose}>Cerrar</Button>}
    >
      <DataTable
        query={useUnpaid(filters)}
        columns={columns}
        label="Comisiones sin pago"
        rowKey={(pair) => pair.relationship}
        loading="Cargando comisiones sin pago..."
        errorText="Error al cargar las comisiones sin pago"
        empty="Ninguna comisión ganada está sin pago"
        emptyIcon={CircleCheck}
        skeletonRows={3}
        actions={(pair) => [
          {
            label: `Crear pago de ${pair.issuer_name} a ${pair.affiliate_name}`,
            icon: Plus,
            opens: true,
            onClick: () => onPay(pair),
            disabledReason: isNegative(pair.accrued) ? balanceAgainst(pair.accrued) : undefined,
          },
        ]}
      />
    </Dialog>
  )
}
