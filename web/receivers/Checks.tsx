import { useId } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import type { FieldProps } from '#web/form/field.ts'
import { cx } from '#web/ui/cx.ts'
import type { Option } from '#web/ui/option.ts'

interface Props<Values extends FieldValues, Value extends string | number>
  extends Pick<FieldProps<Values>, 'name' | 'control' | 'help'> {
  legend: string
  options: readonly Option<Value>[]
}

/** Any number of some values. */
export function Checks<Values extends FieldValues, Value extends string | number>({
  name,
  control,
  legend,
  options,
  help,
}: Props<Values, Value>) {
  const { field, fieldState } = useController({ name, control })
  const id = useId()
  const below = fieldState.error?.message ?? help
  const chosen = field.value as Value[]
  const toggle = (value: Value, isOn: boolean) =>
    field.onChange(isOn ? [...chosen, value] : chosen.filter((each) => each !== value))
  return (
    <fieldset className="mb-3 sm:col-span-2" aria-describedby={below ? `${id}-below` : undefined}>
      <legend className="mb-1.5 font-medium">{legend}</legend>
      <div className="grid gap-x-4 sm:grid-cols-2 sm:gap-y-2">
        {options.map(({ value, label }) => (
          <label key={value} className="flex items-center gap-2.5 max-sm:min-h-11">
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={(event) => toggle(value, event.target.checked)}
              onBlur={field.onBlur}
              className="size-4 shrink-0 accent-brand"
            />
            {label}
          </label>
        ))}
      </div>
      {below && (
        <p
          id={`${id}-below`}
          aria-live="polite"
          className={cx('mt-1 text-xs', fieldState.error ? 'text-danger-ink' : 'text-muted')}
        >
          {below}
        </p>
      )}
    </fieldset>
  )
}
