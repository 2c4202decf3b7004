import { statusLabels } from '#contract/fields.ts'
import type { Product } from '#contract/products.ts'
import type { Column } from '#web/table/column.ts'
import { Badge } from '#web/ui/Badge.tsx'

/** Anything but active reads 'Inactivo' (specification section 4). */
export const StatusBadge = ({ product: { product_status } }: { product: Product }) => {
  const status = product_status === 'active' ? 'active' : 'inactive'
  return <Badge tone={status === 'active' ? 'success' : 'neutral'}>{statusLabels[status]}</Badge>
}

export const idColumn: Column<Product> = {
  header: 'ID',
  cell: (product) => <span className="whitespace-nowrap tabular-nums">{product.id}</span>,
  sort: (product) => product.id,
}

/** The name, and the status beside it: always, or only what is out of the ordinary. */
export const nameColumn = (withStatus: 'always' | 'inactive'): Column<Product> => ({
  header: 'Nombre',
  cell: (product) => (
    <span className="flex items-center gap-2 font-medium">
      <span className="line-clamp-1 break-all middling:line-clamp-3 middling:[word-break:normal]">{product.name}</span>
      {(withStatus === 'always' || product.product_status !== 'active') && <StatusBadge product={product} />}
    </span>
  ),
  title: (product) => product.name,
  sort: (product) => product.name,
  card: 'title',
  brief: (product) => (
    <>
      {product.name}{' '}
      {(withStatus === 'always' || product.product_status !== 'active') && <StatusBadge product={product} />}
    </>
  ),
})
