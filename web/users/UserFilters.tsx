import { useQuery } from '@tanstack/react-query'
import { roleLabels } from '#contract/roles.ts'
import { affiliateOptionsQuery } from '#web/affiliates/queries.ts'
import { issuerOptionsQuery } from '#web/issuers/queries.ts'
import { Combobox } from '#web/ui/Combobox.tsx'
import type { Option } from '#web/ui/option.ts'
import { goTogether, UNASSOCIATED, type UserFilterTexts } from './filters.ts'
import { RoleFilter } from './RoleFilter.tsx'

const ALL = 'todos'
const general: Option[] = [
  { value: ALL, label: 'Todas las asociaciones' },
  { value: UNASSOCIATED, label: 'Sin asociación' },
]
const ANY = { status: undefined }

interface Props {
  filters: UserFilterTexts
  onChange: (changes: Partial<UserFilterTexts>) => void
}

export function UserFilters({ filters: { rol, asociacion }, onChange }: Props) {
  const affiliates = useQuery(affiliateOptionsQuery(ANY))
  const issuers = useQuery(issuerOptionsQuery(ANY))
  const companies = [
    ...companyOptions('affiliate', roleLabels.affiliate, affiliates.data),
    ...companyOptions('issuer', roleLabels.issuer, issuers.data),
  ].filter(({ value }) => goTogether(rol, value))
  const chooseRole = (role: string) =>
    onChange(goTogether(role, asociacion) ? { rol: role } : { rol: role, asociacion: '' })
  return (
    <>
      <RoleFilter value={rol} onChange={chooseRole} />
      <Combobox
        aria-label="Filtrar por asociación"
        placeholder="Buscar asociación..."
        options={[...general, ...companies]}
        value={asociacion || ALL}
        onChange={(association) =>
          onChange({ asociacion: association === null || association === ALL ? '' : association })
        }
        disabled={rol === 'admin'}
        className="w-full sm:w-64"
      />
    </>
  )
}

const companyOptions = (
  side: 'affiliate' | 'issuer',
  hint: string,
  options: readonly Option<number>[] = [],
): Option[] => options.map(({ value, label }) => ({ value: `${side}-${value}`, label, hint }))
