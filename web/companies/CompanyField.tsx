import { useQuery } from '@tanstack/react-query'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { affiliateOptionsQuery } from '#web/affiliates/queries.ts'
import type { FieldProps } from '#web/form/field.ts'
import { ComboboxField } from '#web/form/SelectField.tsx'
import { issuerOptionsQuery } from '#web/issuers/queries.ts'
import { including } from '#web/ui/option.ts'

interface Props<Values extends FieldValues> extends Pick<FieldProps<Values>, 'control' | 'wide'> {
  role: 'affiliate' | 'issuer'
  /** The company that the record already has; it may be inactive. */
  present: { id: number | null | undefined; name: string | null | undefined }
  /** Says 'Todos los emisores' where choosing no company means all of them. */
  all?: string
}

/** The company of a user or of a dashboard, in `affiliate_id` or `issuer_id`: an active one, or the present one. */
export function CompanyField<Values extends { affiliate_id: number | null; issuer_id: number | null }>({
  role,
  present: { id, name },
  all,
  ...field
}: Props<Values>) {
  const affiliates = useQuery({ ...affiliateOptionsQuery(), enabled: role === 'affiliate' })
  const issuers = useQuery({ ...issuerOptionsQuery(), enabled: role === 'issuer' })
  const companies = role === 'affiliate' ? affiliates : issuers
  return (
    <ComboboxField
      {...field}
      name={`${role}_id` as FieldPath<Values>}
      label={role === 'affiliate' ? 'Afiliado' : 'Emisor'}
      options={including(id == null ? undefined : { value: id, label: name ?? String(id) }, companies.data)}
      empty={companies.isError ? 'No se pudo cargar la lista' : 'Sin resultados'}
      {...(all && { placeholder: all, clearable: true, optional: true })}
    />
  )
}
