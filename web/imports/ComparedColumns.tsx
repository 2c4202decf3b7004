import { DateFormat, dateFormatLabels, guessDateFormat } from '#contract/import-mapping.ts'
import type { ImportDetail } from '#contract/imports.ts'
import { FieldFrame } from '#web/form/FieldFrame.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Select } from '#web/ui/Select.tsx'
import type { Draft } from './draft.ts'

const NONE = -1
const formats = DateFormat.options.map((value) => ({ value, label: dateFormatLabels[value] }))

interface Props {
  file: ImportDetail
  draft: Draft
  errors: Record<string, string | undefined>
  onChange: (changes: Partial<Draft>) => void
}

/** The columns that are only compared with what is known. */
export function ComparedColumns({ file, draft, errors, onChange }: Props) {
  const columns = [{ value: NONE, label: 'Ninguna' }, ...file.header.map((label, value) => ({ value, label }))]
  const chosen = (column: number) => (column === NONE ? null : column)
  const chooseDate = (column: number | null) =>
    onChange({
      date_column: column,
      date_format: column === null ? null : guessDateFormat(file.sample.map((row) => row[column] ?? '')),
    })
  return (
    <Card
      title="Qué se compara"
      description="El monto, con la comisión del lead; la fecha, con su clic y sus eventos. Lo que no coincida se muestra antes de aplicar y no cambia nada."
    >
      <div className="grid grid-cols-1 gap-x-6 gap-y-2 sm:grid-cols-2">
        <FieldFrame label="Columna del monto" optional error={errors.amount_column}>
          {(control) => (
            <Select
              {...control}
              options={columns}
              value={draft.amount_column ?? NONE}
              onChange={(column) => onChange({ amount_column: chosen(column) })}
            />
          )}
        </FieldFrame>
        <FieldFrame label="Columna de la fecha" optional error={errors.date_column}>
          {(control) => (
            <Select
              {...control}
              options={columns}
              value={draft.date_column ?? NONE}
              onChange={(column) => chooseDate(chosen(column))}
            />
          )}
        </FieldFrame>
        {draft.date_column !== null && (
          <FieldFrame label="Cómo está escrita la fecha" error={errors.date_format}>
            {(control) => (
              <Select
                {...control}
                options={formats}
                value={draft.date_format}
                placeholder="Elige el formato"
                onChange={(date_format) => onChange({ date_format })}
              />
            )}
          </FieldFrame>
        )}
      </div>
    </Card>
  )
}
