import { type Product, products } from '#contract/products.ts'
import { call } from '#web/api/client.ts'
import { refreshedBy } from '#web/api/queries.ts'
import { StatusDialog } from '#web/table/StatusDialog.tsx'
import type { StatusChange } from '#web/table/status-actions.ts'
import type { Selection } from '#web/table/use-selection.ts'
import { productName, productNouns } from './names.ts'

interface Props extends StatusChange<Product> {
  selection: Selection
  onClose: () => void
}

export const ProductStatusDialog = (props: Props) => (
  <StatusDialog
    {...props}
    nouns={productNouns}
    nameOf={productName}
    statusOf={(product) => product.product_status}
    save={(body) => call(products.setStatus, { body })}
    refreshes={refreshedBy.product}
  >
    {props.status === 'active'
      ? 'Los afiliados los ven de nuevo y sus enlaces funcionan.'
      : 'Los afiliados dejan de verlos y sus enlaces dejan de funcionar hasta que se activen. Lo ganado se conserva.'}
  </StatusDialog>
)
