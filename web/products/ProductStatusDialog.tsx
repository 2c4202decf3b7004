import { type Product, products } from '#contract/products.ts'
import { call } from '#web/api/client.ts'
import { refreshedBy } from '#web/api/queries.ts'
import type { Nouns } from '#web/table/nouns.ts'
import { type StatusChange, StatusDialog } from '#web/table/StatusDialog.tsx'
import type { Selection } from '#web/table/use-selection.ts'

export const productNouns: Nouns = { one: 'producto', many: 'productos', the: 'los' }
export const productName = ({ name, issuer_name }: Product): string => `${name}, ${issuer_name}`

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
