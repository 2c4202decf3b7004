import { useQuery } from '@tanstack/react-query'
import type { Control } from 'react-hook-form'
import type { ExternalDashboard } from '#contract/dashboards.ts'
import { affiliateOptionsQuery } from '#web/affiliates/queries.ts'
import { ComboboxField } from '#web/form/SelectField.tsx'
import { issuerOptionsQuery } from '#web/issuers/queries.ts'
import { everybody } from './audience.ts'
import type { DashboardValues } from './DashboardDialogs.tsx'

interface Props {
  role: 'affiliate' | 'issuer'
  // biome-ignore lint/suspicious/noExplicitAny: what the schema makes of the values is the dialog's business
  control: Control<DashboardValues, any, any>
  dashboard?: ExternalDashboard
}

/** The one company that sees the board: an active one, the one it already has, or all of them. */
export function OwnerField({ role, control, dashboard }: Props) {
  const affiliates = useQuery({ ...affiliateOptionsQuery(), enabled: role === 'affiliate' })
  const issuers = useQuery({ ...issuerOptionsQuery(), enabled: role === 'issuer' })
  const companies = role === 'affiliate' ? affiliates : issuers
  const options = companies.data ?? []
  const present = dashboard?.role === role ? dashboard[`${role}_id`] : null
  const missing = present != null && !options.some(({ value }) => value === present)
  return (
    <ComboboxField
      name={`${role}_id`}
      label={role === 'affiliate' ? 'Afiliado' : 'Emisor'}
      control={control}
      options={missing ? [{ value: present, label: dashboard?.owner_name ?? String(present) }, ...options] : options}
      placeholder={everybody[role]}
      empty={companies.isError ? 'No se pudo cargar la lista' : 'Sin resultados'}
      clearable
      optional
    />
  )
}
