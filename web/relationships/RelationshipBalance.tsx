import { useQuery } from '@tanstack/react-query'
import { sumAmounts } from '#contract/money.ts'
import { OpenBalance } from '#web/payments/OpenBalance.tsx'
import { balancesQuery } from '#web/payments/queries.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'

/** Read before relationships end. */
export function RelationshipBalance({ ids }: { ids: readonly number[] }) {
  const [only] = ids.length === 1 ? ids : []
  const balances = useQuery({
    ...balancesQuery(only === undefined ? {} : { relationship: only }),
    meta: { quiet: true },
    select: (pairs) => (only === undefined ? pairs.filter(({ relationship }) => ids.includes(relationship)) : pairs),
  })
  return (
    <div aria-live="polite" className="mt-3">
      {balances.data ? (
        <OpenBalance amount={sumAmounts(balances.data.flatMap((pair) => [pair.accrued, pair.in_payment]))} />
      ) : balances.isError ? (
        <p>No se pudo consultar el saldo por pagar. Si lo hay, se conserva y se paga después, como finiquito.</p>
      ) : (
        <Skeleton className="w-2/3" />
      )}
    </div>
  )
}
