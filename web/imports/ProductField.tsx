import { useQuery } from '@tanstack/react-query'
import { FieldFrame } from '#web/form/FieldFrame.tsx'
import { productOptionsQuery } from '#web/products/queries.ts'
import { Combobox } from '#web/ui/Combobox.tsx'

interface Props {
  issuerId: number
  value: number | null
  error: string | undefined
  onChange: (id: number | null) => void
}

/** Of the issuer of the file. */
export function ProductField({ issuerId, value, error, onChange }: Props) {
  const products = useQuery(productOptionsQuery())
  const own = products.data?.filter(({ issuer }) => issuer === issuerId) ?? []
  return (
    <FieldFrame label="Producto" error={error}>
      {(control) => <Combobox {...control} options={own} value={value} onChange={onChange} />}
    </FieldFrame>
  )
}
