import { roleLabels } from '#contract/roles.ts'
import { Select } from '#web/ui/Select.tsx'

const ALL = 'todos'
const roles = [
  { value: ALL, label: 'Todos los roles' },
  ...(['admin', 'affiliate', 'issuer'] as const).map((value) => ({ value, label: roleLabels[value] })),
]

/** '' is every role. */
export const RoleFilter = ({ value, onChange }: { value: string; onChange: (role: string) => void }) => (
  <Select
    aria-label="Filtrar por rol"
    options={roles}
    value={value || ALL}
    onChange={(role) => onChange(role === ALL ? '' : role)}
    className="w-full sm:w-44"
  />
)
