import type { Product } from '#contract/products.ts'
import { Day } from '#web/ui/dates.tsx'
import { Money } from '#web/ui/Money.tsx'

/** What a product pays the affiliate that looks at it, and since when. */
export const OwnCommission = ({ of: commission }: { of: Product['commission'] }) =>
  commission ? (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      <Money value={commission.payout} className="font-medium" />
      <span className="text-xs text-muted">
        desde el <Day value={commission.since} />
        {commission.next && (
          <>
            , <Money value={commission.next.payout} /> desde el <Day value={commission.next.since} />
          </>
        )}
      </span>
    </span>
  ) : (
    <span className="text-muted">Sin comisión configurada</span>
  )
