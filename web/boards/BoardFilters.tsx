import { useQuery } from '@tanstack/react-query'
import { periodProblem } from '#contract/periods.ts'
import { dateInMexico } from '#contract/time.ts'
import { affiliateOptionsQuery } from '#web/affiliates/queries.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { issuerOptionsQuery } from '#web/issuers/queries.ts'
import { productOptionsQuery } from '#web/products/queries.ts'
import { roleOf } from '#web/role-paths.ts'
import { DayFilter } from '#web/table/DayFilter.tsx'
import { IdFilter } from '#web/table/IdFilter.tsx'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Select } from '#web/ui/Select.tsx'
import { CUSTOM, type Filters, isDay, NO_FILTERS, periodOptions } from './period.ts'
import type { Asked } from './queries.ts'

const WIDTH = 'w-full sm:w-56'

interface Props {
  asked: Asked
  /** One product must be chosen. */
  ofProduct?: boolean
  /** For a screen of which other filters change along, such as its page. */
  onChange?: (changes: Partial<Filters>) => void
}

/** Period, product and partners; an issuer has no choice of issuers, an affiliate none of affiliates. */
export function BoardFilters({ asked, ofProduct = false, onChange }: Props) {
  const { user } = useAuth()
  const role = roleOf(user?.role)
  const periods = periodOptions()
  const url = useUrlFilters(NO_FILTERS)
  const { filters, change } = { ...url, ...(onChange && { change: onChange }) }
  const issuers = useQuery({ ...issuerOptionsQuery({}), enabled: role !== 'issuer' })
  const affiliates = useQuery({ ...affiliateOptionsQuery({}), enabled: role !== 'affiliate' })
  const products = useQuery(productOptionsQuery())
  const ofIssuer = products.data?.filter(({ issuer }) => asked.issuer_id === '' || issuer === Number(asked.issuer_id))
  return (
    <>
      <Select
        aria-label="Periodo"
        options={periods}
        value={periods.some(({ value }) => value === filters.periodo) ? filters.periodo : NO_FILTERS.periodo}
        onChange={(periodo) =>
          change(
            periodo === CUSTOM ? { periodo, desde: asked.from, hasta: asked.to } : { periodo, desde: '', hasta: '' },
          )
        }
        className="w-full sm:w-48"
      />
      {filters.periodo === CUSTOM && <Days asked={asked} onChange={change} />}
      {role !== 'issuer' && !ofProduct && (
        <IdFilter
          className={WIDTH}
          label="Emisor"
          all="Todos los emisores"
          options={issuers.data}
          value={asked.issuer_id}
          onChange={(issuer_id) => change({ issuer_id, product_id: '' })}
        />
      )}
      <IdFilter
        className={WIDTH}
        label="Producto"
        all={ofProduct ? undefined : 'Todos los productos'}
        options={ofIssuer}
        value={asked.product_id}
        onChange={(product_id) => change({ product_id })}
      />
      {role !== 'affiliate' && (
        <IdFilter
          className={WIDTH}
          label="Afiliado"
          all="Todos los afiliados"
          options={affiliates.data}
          value={asked.affiliate_id}
          onChange={(affiliate_id) => change({ affiliate_id })}
        />
      )}
    </>
  )
}

const NO_DAYS = { periodo: NO_FILTERS.periodo, desde: '', hasta: '' }

interface DaysProps {
  asked: Asked
  onChange: (filters: Partial<Filters>) => void
}

/** Ignores a day that makes no valid period with the other; clearing one restores the default period. */
function Days({ asked, onChange }: DaysProps) {
  const take = (days: { from?: string; to?: string }) => {
    const { from, to } = { ...asked, ...days }
    if (from === '' || to === '') onChange(NO_DAYS)
    else if (isDay(from) && isDay(to) && !periodProblem({ from, to })) onChange({ desde: from, hasta: to })
  }
  return (
    <>
      <DayFilter label="Desde" value={asked.from} max={asked.to} onChange={(from) => take({ from })} />
      <DayFilter label="Hasta" value={asked.to} min={asked.from} max={dateInMexico()} onChange={(to) => take({ to })} />
    </>
  )
}
