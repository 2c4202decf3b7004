import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { EventStep } from '#contract/event-steps.ts'
import type { Product } from '#contract/products.ts'
import { eventStepsQuery } from '#web/event-steps/queries.ts'
import { productsQuery } from '#web/products/queries.ts'
import { useUrlFilters } from '#web/table/use-url-filters.ts'

const NO_CHOICE = { producto: '', paso: '' }

/** The product and step in the address, else the first ones. */
export function useChoice() {
  const { filters, change } = useUrlFilters(NO_CHOICE)
  const products = useQuery(productsQuery())
  const steps = useQuery(eventStepsQuery())
  const byName = useMemo(() => (products.data ?? []).toSorted(byNameThenId), [products.data])
  const product = chosen(byName, filters.producto)
  const flow = useMemo(
    () => (steps.data ?? []).filter((step) => step.product_id === product?.id).toSorted(byOrder),
    [steps.data, product],
  )
  return {
    loads: [products, steps],
    products: byName,
    product,
    flow,
    step: chosen(flow, filters.paso),
    chooseProduct: (id: number | null) => change({ producto: id === null ? '' : String(id), paso: '' }),
    chooseStep: (id: number) => change({ paso: String(id) }),
  }
}

const chosen = <Row extends { id: number }>(rows: readonly Row[], id: string): Row | undefined =>
  rows.find((row) => String(row.id) === id) ?? rows[0]

const byNameThenId = (a: Product, b: Product) => a.name.localeCompare(b.name, 'es-MX') || a.id - b.id
const byOrder = (a: EventStep, b: EventStep) => a.step_order - b.step_order || a.id - b.id
