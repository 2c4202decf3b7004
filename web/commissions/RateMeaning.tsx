import type { Compensated, Compensation, RateMeaning as Meaning, RatePreview } from '#contract/rates.ts'
import { Collapsible } from '#web/ui/Collapsible.tsx'
import { counted, formatMoney, formatNumber, isNegative } from '#web/ui/format.ts'

export const signed = (difference: string) => `${isNegative(difference) ? '' : '+'}${formatMoney(difference)}`

/** What a change would have meant for the last thirty days; of a default, for each affiliate too. */
export function RateMeaning({ preview, isDefault }: { preview: RatePreview; isDefault: boolean }) {
  const { earned, difference, kept, kept_amount, compensation, affiliate_count, affiliates } = preview
  const moved = affiliates.filter((one) => one.earned > 0)
  return (
    <>
      {isDefault && (
        <p>
          {affiliate_count === 0
            ? 'Hoy ningún afiliado la ganaría: todos tienen un monto propio.'
            : `La ${affiliate_count === 1 ? 'gana' : 'ganan'} ${counted(affiliate_count, 'afiliado', 'afiliados')} sin monto propio.`}
        </p>
      )}
      <p role="status" className={isDefault ? 'mt-1' : undefined}>
        {earned === 0
          ? 'En los últimos 30 días ningún lead ganó esta comisión.'
          : `En los últimos 30 días ${counted(earned, 'lead ganó', 'leads ganaron')} esta comisión: ${signed(difference)} al mes.`}
      </p>
      {compensation && <p className="mt-1 font-medium">{compensated(compensation)}</p>}
      {compensation && compensation.entries > 0 && (
        <p className="mt-1 text-muted">
          Las comisiones quedan como se ganaron; cada ajuste es solo la diferencia y entra en un pago posterior.
        </p>
      )}
      {!compensation?.entries && kept > 0 && (
        <p className="mt-1 text-muted">
          {`${counted(kept, 'comisión ya devengada', 'comisiones ya devengadas')} (${formatMoney(kept_amount)}) ${kept === 1 ? 'conserva' : 'conservan'} su monto.`}
        </p>
      )}
      {isDefault && moved.length > 0 && (
        <Collapsible title="Por afiliado" initiallyOpen={false}>
          <ul className="max-h-48 overflow-y-auto">
            {moved.map((one) => (
              <OfAffiliate key={one.affiliate} meaning={one} />
            ))}
          </ul>
        </Collapsible>
      )}
    </>
  )
}

function compensated({ entries, paid, amount, held }: Compensation): string {
  const without =
    held > 0 ? ` ${counted(held, 'comisión retenida no se compensa', 'comisiones retenidas no se compensan')}.` : ''
  if (entries === 0) return `Desde ese día no hay nada que compensar.${without}`
  const ofPaid =
    paid > 0 ? `, ${formatNumber(paid)} de ${paid === 1 ? 'una comisión ya pagada' : 'comisiones ya pagadas'}` : ''
  return `Se ${entries === 1 ? 'hará' : 'harán'} ${counted(entries, 'ajuste', 'ajustes')}${ofPaid}: ${signed(amount)} en total.${without}`
}

/** 'Compensa lo devengado con 36 ajustes: +$12,400.00 en total.' Nothing where it compensates nothing. */
export const compensatedBy = ({ entries, amount }: Pick<Compensated, 'entries' | 'amount'>): string =>
  entries === 0
    ? ''
    : ` Compensa lo devengado con ${counted(entries, 'ajuste', 'ajustes')}: ${signed(amount)} en total.`

const OfAffiliate = ({ meaning: { affiliate_name, earned, difference } }: { meaning: Meaning }) => (
  <li className="flex items-baseline justify-between gap-3 py-0.5">
    <span className="min-w-0 wrap-anywhere">
      {affiliate_name} <span className="text-xs text-muted">{formatNumber(earned)} en 30 días</span>
    </span>
    <span className="shrink-0 tabular-nums">{signed(difference)}</span>
  </li>
)
