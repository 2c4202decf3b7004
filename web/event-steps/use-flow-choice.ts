import { useMemo } from 'react'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { optionsByName } from '#web/ui/option.ts'

interface FlowProduct {
  id: number
  name: string
  issuer: number
  issuer_name: string
}

const NO_CHOICE = { emisor: '', producto: '', q: '' }

/** Stands for every product of the issuer. */
export const ALL_PRODUCTS = 0

/**
 * Which issuer's and product's flow is on screen: what the address says, else the first issuer by name and its first
 * product (specification section 2).
 */
export function useFlowChoice(products: readonly FlowProduct[]) {
  const { filters, change } = useUrlFilters(NO_CHOICE)
  const issuers = useMemo(() => optionsByName(products.map((row) => [row.issuer, row.issuer_name])), [products])
  const issuer = issuers.find(({ value }) => String(value) === filters.emisor)?.value ?? issuers[0]?.value
  const ofIssuer = useMemo(
    () => optionsByName(products.filter((row) => row.issuer === issuer).map(({ id, name }) => [id, name])),
    [products, issuer],
  )
  const all = filters.producto === String(ALL_PRODUCTS)
  const product = all
    ? ALL_PRODUCTS
    : (ofIssuer.find(({ value }) => String(value) === filters.producto)?.value ?? ofIssuer[0]?.value)
  return {
    issuers,
    issuer,
    products: ofIssuer,
    product,
    search: filters.q,
    chooseIssuer: (id: number | null) => change({ emisor: id === null ? '' : String(id), producto: '' }),
    chooseProduct: (id: number | null) => change({ producto: id === null ? '' : String(id) }),
    onSearch: (q: string) => change({ q }),
  }
}

export type FlowChoice = ReturnType<typeof useFlowChoice>
