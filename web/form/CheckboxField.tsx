import { useId } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { cx } from '#web/ui/cx.ts'
import type { FieldProps } from './field.ts'

export function CheckboxField<Values extends FieldValues>({
  name,
  control,
  label,
  help,
  wide,
  disabled,
  onChosen,
}: FieldProps<Values> & { onChosen?: (checked: boolean) => void }) {
  const { field, fieldState } = useController({ name, control })
  const id = useId()
  const below = fieldState.error?.message ?? help
  return (
    <div className={cx('flex gap-2.5', wide && 'sm:col-span-2')}>
      <input
        id={id}
        ref={field.ref}
        name={name}
        type="checkbox"
        checked={Boolean(field.value)}
        disabled={disabled}
        onChange={(event) => {
          field.onChange(event.target.checked)
          onChosen?.(event.target.checked)
        }}
        onBlur={field.onBlur}
        aria-invalid={fieldState.invalid || undefined}
        aria-describedby={below ? `${id}-below` : undefined}
        className="mt-0.5 size-4 shrink-0 accent-brand"
      />
      <div>
        <label htmlFor={id} className="font-medium max-sm:-my-[0.6875rem] max-sm:block max-sm:py-[0.6875rem]">
          {label}
        </label>
        {below && (
          <p id={`${id}-below`} className={cx('text-xs', fieldState.error ? 'text-danger-ink' : 'text-muted')}>
            {below}
          </p>
        )}
      </div>
    </div>
  )
}
