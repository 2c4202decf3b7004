import { useQuery } from '@tanstack/react-query'
import { affiliateOptionsQuery } from '#web/affiliates/queries.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { issuerOptionsQuery } from '#web/issuers/queries.ts'
import { productOptionsQuery } from '#web/products/queries.ts'
import { roleOf } from '#web/role-paths.ts'
import { IdFilter } from '#web/table/IdFilter.tsx'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { PeriodPicker } from './PeriodPicker.tsx'
import { CUSTOM, type Filters, NO_FILTERS, periodOptions } from './period.ts'
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
  const url = useUrlFilters(NO_FILTERS)
  const { filters, change } = { ...url, ...(onChange && { change: onChange }) }
  const issuers = useQuery({ ...issuerOptionsQuery({}), enabled: role !== 'issuer' })
  const affiliates = useQuery({ ...affiliateOptionsQuery({}), enabled: role !== 'affiliate' })
  const products = useQuery(productOptionsQuery())
  const ofIssuer = products.data?.filter(({ issuer }) => asked.issuer_id === '' || issuer === Number(asked.issuer_id))
  return (
    <>
      <PeriodPicker
        value={isOption(filters.periodo) ? filters.periodo : NO_FILTERS.periodo}
        days={asked}
        onPreset={(periodo) => change({ periodo, desde: '', hasta: '' })}
        onRange={({ from, to }) => change({ periodo: CUSTOM, desde: from, hasta: to })}
        className="w-full sm:w-48"
      />
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
        onChange={(product_id) => change({ product_id, ...(ofProduct && { issuer_id: '' }) })}
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

const isOption = (text: string): boolean => periodOptions().some(({ value }) => value === text)
