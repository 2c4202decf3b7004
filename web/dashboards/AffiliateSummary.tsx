import { useQuery } from '@tanstack/react-query'
import { CalendarClock, HandCoins, Loader } from 'lucide-react'
import { Link } from 'react-router'
import { CHANGED_SINCE_MADE } from '#contract/payment-texts.ts'
import type { Comparison } from '#contract/periods.ts'
import type { Movers, Summary } from '#contract/summary.ts'
import { dateInMexico } from '#contract/time.ts'
import { changeBetween } from '#web/boards/words.ts'
import { ChangeNote } from '#web/charts/ChangeNote.tsx'
import { changeOf } from '#web/charts/change.ts'
import { comparisonText, rangeText } from '#web/charts/comparison.ts'
import { paths } from '#web/paths.ts'
import { productsQuery } from '#web/products/queries.ts'
import { buttonLook } from '#web/ui/button-look.ts'
import { cx } from '#web/ui/cx.ts'
import { formatMoney } from '#web/ui/format.ts'
import { LINK } from '#web/ui/links.tsx'
import { Money } from '#web/ui/Money.tsx'
import { StatCard, StatRow } from '#web/ui/StatCard.tsx'
import { Hero } from './Hero.tsx'
import { MoversCard } from './MoversCard.tsx'
import { moversQuery, summaryQuery } from './queries.ts'

export const AffiliateSummary = () => (
  <div className="grid gap-6">
    <Hero payments={paths.affiliate.payments} />
    <Earnings />
    <Products />
  </div>
)

/** A figure whose query failed is told by the hero and the products, which offer to repeat it. */
function Earnings() {
  const { data: summary } = useQuery(summaryQuery())
  const { data: period } = useQuery(moversQuery())
  const next = summary?.next_payment
  return (
    <StatRow label="Tus ganancias" count={3} busy={!summary || !period}>
      <StatCard
        label="Ganado"
        icon={HandCoins}
        value={period && <Money value={period.totals.commission} />}
        aside={
          <Link
            to={paths.affiliate.commissions}
            className={cx(LINK, 'ml-auto text-xs font-normal whitespace-nowrap max-sm:-my-3 max-sm:py-3')}
          >
            Mis comisiones
          </Link>
        }
        note={period?.comparison && <Earned {...period} comparison={period.comparison} />}
        withNote
      />
      <StatCard
        label="En pago"
        icon={Loader}
        value={summary && <Money value={summary.due.in_payment} />}
        note="En pagos creados, aún sin pagar"
        withNote
      />
      <StatCard
        label="Próximo pago"
        icon={CalendarClock}
        value={summary && <Money value={next?.amount} />}
        note={next ? noteOf(next) : 'Sin pagos programados'}
        withNote
      />
    </StatRow>
  )
}

const noteOf = ({ day, has_changed }: NonNullable<Summary['next_payment']>): string =>
  has_changed ? `${dayText(day)}; ${CHANGED_SINCE_MADE}` : dayText(day)

const dayText = (day: string): string => {
  const text = rangeText({ from: day, to: day })
  return day < dateInMexico() ? `Atrasado: era para el ${text}` : text
}

const Earned = ({
  compared_totals: { commission: value },
  previous_totals: { commission: previous },
  comparison,
}: Pick<Movers, 'compared_totals' | 'previous_totals'> & { comparison: Comparison }) => (
  <ChangeNote
    change={changeOf({ value, previous, change: changeBetween(value, previous) })}
    since="en 30 días"
    compared={comparisonText(comparison, formatMoney(previous))}
  />
)

function Products() {
  const { data: products } = useQuery(productsQuery())
  const payoutOf = (id: number) => products?.find((product) => product.id === id)?.commission?.payout
  return (
    <MoversCard
      title="Tus productos"
      description="Los que más leads llevaron en los últimos 30 días."
      hint="Aquí aparecerán los que más leads ganen o pierdan, desde el día siguiente al primer clic."
      action={
        <Link to={paths.affiliate.products} className={buttonLook('secondary', 'sm')}>
          Ver todos
        </Link>
      }
      detail={({ id, commission }) => (
        <>
          {payoutOf(id) && (
            <>
              Paga <Money value={payoutOf(id)} />,{' '}
            </>
          )}
          ganaste <Money value={commission} />
        </>
      )}
    />
  )
}
