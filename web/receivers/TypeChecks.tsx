import { useId } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { OccurrenceType, occurrenceLabels } from '#contract/deliveries.ts'
import type { FieldProps } from '#web/form/field.ts'

/** Which of what happens a receiver is told of. */
export function TypeChecks<Values extends FieldValues>({
  name,
  control,
}: Pick<FieldProps<Values>, 'name' | 'control'>) {
  const { field, fieldState } = useController({ name, control })
  const id = useId()
  const chosen = field.value as OccurrenceType[]
  const toggle = (type: OccurrenceType, isOn: boolean) =>
    field.onChange(isOn ? [...chosen, type] : chosen.filter((each) => each !== type))
  return (
    <fieldset className="mb-3 sm:col-span-2" aria-describedby={fieldState.error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 font-medium">Eventos</legend>
      <div className="grid gap-x-4 sm:grid-cols-2 sm:gap-y-2">
        {OccurrenceType.options.map((type) => (
          <label key={type} className="flex items-center gap-2.5 max-sm:min-h-11">
            <input
              type="checkbox"
              checked={chosen.includes(type)}
              onChange={(event) => toggle(type, event.target.checked)}
              onBlur={field.onBlur}
              className="size-4 shrink-0 accent-brand"
            />
            {occurrenceLabels[type]}
          </label>
        ))}
      </div>
      {fieldState.error && (
        <p id={`${id}-error`} aria-live="polite" className="mt-1 text-xs text-danger-ink">
          {fieldState.error.message}
        </p>
      )}
    </fieldset>
  )
}
