import type { ReactNode } from 'react'
import { IdFilter } from '#web/table/IdFilter.tsx'
import type { Option } from '#web/ui/option.ts'
import { Select } from '#web/ui/Select.tsx'
import { type Filters, statuses } from './filters.ts'

interface Props {
  /** A company filter is shown if it is among these. */
  filters: Partial<Filters> & Pick<Filters, 'estado'>
  onChange: (changes: Partial<Filters>) => void
  issuers?: readonly Option<number>[] | undefined
  affiliates?: readonly Option<number>[] | undefined
  /** Further filters, between the companies and the status. */
  children?: ReactNode
}

export const PaymentFilters = ({ filters, onChange, issuers, affiliates, children }: Props) => (
  <>
    {filters.emisor !== undefined && (
      <IdFilter
        label="Emisor"
        all="Todos los emisores"
        options={issuers}
        value={filters.emisor}
        onChange={(emisor) => onChange({ emisor })}
      />
    )}
    {filters.afiliado !== undefined && (
      <IdFilter
        label="Afiliado"
        all="Todos los afiliados"
        options={affiliates}
        value={filters.afiliado}
        onChange={(afiliado) => onChange({ afiliado })}
      />
    )}
    {children}
    <Select
      aria-label="Estado"
      options={statuses}
      value={filters.estado}
      onChange={(estado) => onChange({ estado })}
      className="w-full sm:w-48"
    />
  </>
)
