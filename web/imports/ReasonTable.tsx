import { useQuery } from '@tanstack/react-query'
import { NO_REASON } from '#contract/rulings.ts'
import { rejectReasonsQuery } from '#web/leads/queries.ts'
import { counted } from '#web/ui/format.ts'
import { Select } from '#web/ui/Select.tsx'
import type { Draft } from './draft.ts'
import { ValueRows } from './ValueRows.tsx'

interface Props {
  draft: Draft
  values: readonly { value: string; rows: number }[]
  onChange: (changes: Partial<Draft>) => void
}

/** Which reason of the list each text of the file is. */
export function ReasonTable({ draft, values, onChange }: Props) {
  const reasons = useQuery(rejectReasonsQuery())
  const options = reasons.data?.map(({ code, label }) => ({ value: code, label })) ?? []
  const rows = values.flatMap(({ value, rows }) =>
    value === '' ? [] : [{ value, hint: counted(rows, 'renglón', 'renglones') }],
  )
  if (rows.length === 0) return <p className="text-muted">Esa columna está vacía en todo el archivo.</p>
  return (
    <ValueRows
      rows={rows}
      control={(value) => (
        <Select
          aria-label={`Motivo de ${value}`}
          options={options}
          value={draft.codes[value] ?? NO_REASON}
          onChange={(code) => onChange({ codes: { ...draft.codes, [value]: code } })}
        />
      )}
    />
  )
}
