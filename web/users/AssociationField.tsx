import { useQuery } from '@tanstack/react-query'
import type { Control } from 'react-hook-form'
import type { User } from '#contract/users.ts'
import { affiliateOptionsQuery } from '#web/affiliates/queries.ts'
import { ComboboxField } from '#web/form/SelectField.tsx'
import { issuerOptionsQuery } from '#web/issuers/queries.ts'
import type { Option } from '#web/ui/option.ts'
import type { UserValues } from './UserDialogs.tsx'

interface Props {
  role: 'affiliate' | 'issuer'
  // biome-ignore lint/suspicious/noExplicitAny: what the schema makes of the values is the dialog's business
  control: Control<UserValues, any, any>
  user?: User
}

/** The company that a user of this role belongs to: an active one, or the one it already has. */
export function AssociationField({ role, control, user }: Props) {
  const affiliates = useQuery({ ...affiliateOptionsQuery(), enabled: role === 'affiliate' })
  const issuers = useQuery({ ...issuerOptionsQuery(), enabled: role === 'issuer' })
  const companies = role === 'affiliate' ? affiliates : issuers
  const present = (user && currentOf(user, role)) || undefined
  const options = companies.data ?? []
  const known = !present || options.some(({ value }) => value === present.value)
  return (
    <ComboboxField
      name={`${role}_id`}
      label={role === 'affiliate' ? 'Afiliado' : 'Emisor'}
      control={control}
      options={known ? options : [present, ...options]}
      empty={companies.isError ? 'No se pudo cargar la lista' : 'Sin resultados'}
      wide
    />
  )
}

function currentOf(user: User, role: Props['role']): Option<number> | null {
  const [value, label] =
    role === 'affiliate' ? [user.affiliate_id, user.affiliate_name] : [user.issuer_id, user.issuer_name]
  return value === null ? null : { value, label: label ?? String(value) }
}
