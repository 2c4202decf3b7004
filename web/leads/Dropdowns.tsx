import { useQuery } from '@tanstack/react-query'
import { affiliateOptionsQuery } from '#web/affiliates/queries.ts'
import { issuerOptionsQuery } from '#web/issuers/queries.ts'
import { productOptionsQuery } from '#web/products/queries.ts'
import { IdFilter } from '#web/table/IdFilter.tsx'
import { Select } from '#web/ui/Select.tsx'
import { type LeadFilterTexts, states } from './filters.ts'

const WIDTH = 'w-full sm:w-56'

export type Dropdown = 'issuer' | 'affiliate' | 'product'

interface DropdownProps {
  shown: readonly Dropdown[]
  filters: LeadFilterTexts
  onChange: (changes: Partial<LeadFilterTexts>) => void
}

export function Dropdowns({ shown, filters, onChange }: DropdownProps) {
  const issuers = useQuery({ ...issuerOptionsQuery(), enabled: shown.includes('issuer') })
  const affiliates = useQuery({ ...affiliateOptionsQuery(), enabled: shown.includes('affiliate') })
  const products = useQuery(productOptionsQuery())
  const ofIssuer = products.data?.filter(
    ({ issuer }) => filters.issuer_id === '' || issuer === Number(filters.issuer_id),
  )
  /** Clears a product of another issuer, which would leave an empty list. */
  const chooseIssuer = (issuer_id: string) => {
    const product = products.data?.find(({ value }) => String(value) === filters.product_id)
    const stays = issuer_id === '' || !product || String(product.issuer) === issuer_id
    onChange(stays ? { issuer_id } : { issuer_id, product_id: '' })
  }
  return (
    <>
      {shown.includes('issuer') && (
        <IdFilter
          className={WIDTH}
          label="Emisor"
          all="Todos los emisores"
          options={issuers.data}
          value={filters.issuer_id}
          onChange={chooseIssuer}
        />
      )}
      {shown.includes('affiliate') && (
        <IdFilter
          className={WIDTH}
          label="Afiliado"
          all="Todos los afiliados"
          options={affiliates.data}
          value={filters.affiliate_id}
          onChange={(affiliate_id) => onChange({ affiliate_id })}
        />
      )}
      <IdFilter
        className={WIDTH}
        label="Producto"
        all="Todos los productos"
        options={ofIssuer}
        value={filters.product_id}
        onChange={(product_id) => onChange({ product_id })}
      />
      <Select
        aria-label="Estado del lead"
        options={states}
        value={filters.state}
        onChange={(state) => onChange({ state })}
        className="w-full sm:w-48"
      />
    </>
  )
}
