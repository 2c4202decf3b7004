import { eventTypeNames, REJECTED } from '#contract/event-steps.ts'
import { wordName } from '#contract/words.ts'
import { counted } from '#web/ui/format.ts'
import { Select } from '#web/ui/Select.tsx'
import { type Draft, type Meaning, meaningOf } from './draft.ts'
import { ValueRows } from './ValueRows.tsx'

const REJECT = 'reject'
const IGNORE = 'ignore'

/** A step is named by its type: each lead reaches that of its own product. */
const options = [
  ...eventTypeNames.flatMap((name, index) =>
    name === REJECTED ? [] : [{ value: String(index + 1), label: `Paso: ${wordName('eventType', name)}` }],
  ),
  { value: REJECT, label: 'Rechazo' },
  { value: IGNORE, label: 'Ignorar' },
]

const choiceOf = (meaning: Meaning | undefined): string | null => {
  if (!meaning) return null
  return meaning.action === 'step' ? String(meaning.event_type_id) : meaning.action
}

const meaningFor = (choice: string): Meaning =>
  choice === REJECT || choice === IGNORE
    ? { action: choice, event_type_id: null }
    : { action: 'step', event_type_id: Number(choice) }

interface Props {
  draft: Draft
  values: readonly { value: string; rows: number }[]
  /** What is missing is marked. */
  asks: boolean
  onChange: (changes: Partial<Draft>) => void
}

/** What each status of the file means. */
export function ValueTable({ draft, values, asks, onChange }: Props) {
  return (
    <ValueRows
      rows={values.map(({ value, rows }) => ({ value, hint: counted(rows, 'renglón', 'renglones') }))}
      control={(value) => (
        <Select
          aria-label={`Qué significa ${value || '(vacío)'}`}
          aria-invalid={(asks && !meaningOf(draft, value)) || undefined}
          options={options}
          value={choiceOf(meaningOf(draft, value))}
          placeholder="Sin asignar"
          onChange={(choice) => onChange({ meanings: { ...draft.meanings, [value]: meaningFor(choice) } })}
        />
      )}
    />
  )
}
