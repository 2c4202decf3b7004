import { queryOptions } from '@tanstack/react-query'
import { type Product, type ProductCreate, type ProductUpdate, products } from '#contract/products.ts'
import { call, type Seen } from '#web/api/client.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'
import { callWhole, wholeListQuery } from '#web/api/whole-list.ts'
import { byLabel } from '#web/ui/option.ts'

export const productsQuery = () => wholeListQuery(keys.products, products.list)

// A function of its own: one that is made anew sorts with each rendering.
const asOptions = (rows: readonly Product[]) =>
  rows.map((row) => ({ value: row.id, label: row.name, hint: row.issuer_name, issuer: row.issuer })).sort(byLabel)

/** What filters offer; no toast when it fails (specification section 8). */
export const productOptionsQuery = () =>
  queryOptions({
    queryKey: [...keys.products, 'options'],
    queryFn: ({ signal }) => callWhole(products.list, { signal }),
    meta: { quiet: true },
    select: asOptions,
  })

/** A failed save leaves the dialog open, is logged and shown as a toast (specification section 4, decisions). */
const logged = <T>(save: Promise<T>): Promise<T> =>
  save.catch((error: unknown) => {
    console.error('product not saved', error)
    throw error
  })

export const useCreateProduct = () =>
  useSave({
    save: (body: ProductCreate, requestKey) => logged(call(products.create, { body, requestKey })),
    success: 'Producto creado exitosamente',
    refreshes: refreshedBy.product,
  })

export const useUpdateProduct = () =>
  useSave({
    save: ({ id, updated_at, ...body }: ProductUpdate & Seen) =>
      logged(call(products.update, { params: { id }, body, ifMatch: updated_at })),
    success: 'Producto actualizado exitosamente',
    list: keys.products,
    refreshes: refreshedBy.product,
  })

export const useRemoveProduct = () =>
  useSave({
    save: (id: number) => call(products.remove, { params: { id } }),
    success: 'Producto eliminado exitosamente',
    refreshes: refreshedBy.product,
  })
