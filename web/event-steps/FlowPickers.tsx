import { Combobox } from '#web/ui/Combobox.tsx'
import { ALL_PRODUCTS, type FlowChoice } from './use-flow-choice.ts'

interface Props {
  flow: FlowChoice
  className: string
  /** An issuer has no choice of issuers. */
  ofIssuer?: boolean
  /** All products of the issuer are a choice too. */
  withAll?: boolean
}

/** The issuer and the product whose flow is shown. */
export const FlowPickers = ({ flow, className, ofIssuer = false, withAll = false }: Props) => (
  <>
    {!ofIssuer && (
      <Combobox
        aria-label="Emisor"
        placeholder="Emisor"
        options={flow.issuers}
        value={flow.issuer ?? null}
        onChange={flow.chooseIssuer}
        className={className}
      />
    )}
    <Combobox
      aria-label="Producto"
      placeholder="Producto"
      options={withAll ? [{ value: ALL_PRODUCTS, label: 'Todos los productos' }, ...flow.products] : flow.products}
      value={flow.product ?? null}
      onChange={flow.chooseProduct}
      className={className}
    />
  </>
)
