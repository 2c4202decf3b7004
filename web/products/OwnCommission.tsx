import type { Product } from '#contract/products.ts'
import { Day } from '#web/ui/dates.tsx'
import { counted } from '#web/ui/format.ts'
import { Money } from '#web/ui/Money.tsx'

type Commission = NonNullable<Product['commission']>

/** '30 días de validación, con aprobación'; nothing where it can be paid at once. */
function waitOf({ validation, validation_days }: Commission): string {
  const days = validation_days > 0 && `${counted(validation_days, 'día', 'días')} de validación`
  return [days, validation === 'explicit' && 'con aprobación'].filter(Boolean).join(', ')
}

/** Those that do not pay what all the others do. */
const otherSteps = ({ payout, next, steps }: Commission) =>
  steps.filter((step) => step.payout !== payout || step.next?.id !== next?.id)

/** What a step of a product pays. */
export function stepCommission(commission: Product['commission'], stepId: number): Product['commission'] {
  const step = commission?.steps.find(({ id }) => id === stepId)
  return commission && step && { ...commission, ...step, steps: [] }
}

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
      {otherSteps(commission).map(({ id, name, payout, next }) => (
        <span key={id} className="text-xs text-muted wrap-anywhere">
          {name}: <Money value={payout} className="font-medium text-ink" />
          {next && (
            <>
              , <Money value={next.payout} /> desde el <Day value={next.since} />
            </>
          )}
        </span>
      ))}
      {waitOf(commission) && <span className="text-xs text-muted">{waitOf(commission)}</span>}
    </span>
  ) : (
    <span className="text-muted">Sin comisión configurada</span>
  )
