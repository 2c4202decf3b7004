import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { sumAmounts } from '#contract/money.ts'
import type { OpenBalance } from '#contract/payments.ts'
import { Button } from '#web/ui/Button.tsx'
import { counted, formatMoney } from '#web/ui/format.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import type { Filters } from './filters.ts'
import { balancesQuery } from './queries.ts'

export type Companies = Pick<Filters, 'emisor' | 'afiliado'>

/** What was earned and is in no payment, of the companies of the filters; a balance against an affiliate counts, too. */
export function useUnpaid({ emisor, afiliado }: Companies) {
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
      className="@container mb-4 flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl border bg-surface px-4 py-2.5 shadow-card"
    >
      {data ? (
        <UnpaidSum balances={data} onOpen={onOpen} />
      ) : isError ? (
        <p className="text-muted">No se pudo saber qué comisiones están sin pago.</p>
      ) : (
        <>
          <span className="flex h-[2lh] w-80 max-w-full flex-col justify-evenly sm:h-lh">
            <Skeleton />
            <Skeleton className="w-1/3 sm:hidden" />
          </span>
          <Skeleton className="h-11 w-44 sm:h-8" />
        </>
      )}
    </section>
  )
}

function UnpaidSum({ balances, onOpen }: { balances: readonly OpenBalance[]; onOpen: () => void }) {
  if (balances.length === 0) return <p className="text-muted">Ninguna comisión ganada está sin pago.</p>
  const sum = sumAmounts(balances.map(({ accrued }) => accrued))
  const early = sumAmounts(balances.map(({ validating }) => validating))
  return (
    <>
      <p>
        <strong className="font-semibold tabular-nums">{formatMoney(sum)}</strong>
        {` en comisiones sin pago, de ${counted(balances.length, 'relación', 'relaciones')}`}
        {/* Where it is narrow the list says it, row by row: another line would move what is below. */}
        {Number(early) > 0 && (
          <span className="@max-4xl:sr-only">{`; de ello, ${formatMoney(early)} aún no se puede pagar`}</span>
        )}
      </p>
      <Button size="sm" onClick={onOpen}>
        Ver comisiones sin pago
      </Button>
    </>
  )
}
