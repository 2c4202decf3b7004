import { NO_REASON, type RejectReason } from '#contract/rulings.ts'
import { counted } from '#web/ui/format.ts'
import { Select } from '#web/ui/Select.tsx'
import { codeOf, type Draft } from './draft.ts'
import { ValueRows } from './ValueRows.tsx'

interface Props {
  draft: Draft
  values: readonly { value: string; rows: number }[]
  known: readonly RejectReason[]
  onChange: (changes: Partial<Draft>) => void
}

/** Which reason of the list each text of the file is. */
export function ReasonTable({ draft, values, known, onChange }: Props) {
  const options = known.map(({ code, label }) => ({ value: code, label }))
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
          value={codeOf(draft, value, known) ?? NO_REASON}
          onChange={(code) => onChange({ codes: { ...draft.codes, [value]: code } })}
        />
      )}
    />
  )
}
