import { type FieldValues, useController } from 'react-hook-form'
import { Combobox } from '#web/ui/Combobox.tsx'
import type { Option } from '#web/ui/option.ts'
import { Select } from '#web/ui/Select.tsx'
import { FieldFrame } from './FieldFrame.tsx'
import type { FieldProps } from './field.ts'

interface Props<Values extends FieldValues, Value extends string | number> extends FieldProps<Values> {
  options: readonly Option<Value>[]
  placeholder?: string
  /** Runs after the choice, for fields that depend on this one. */
  onChosen?: (value: Value) => void
}

/** A choice among few. */
export function SelectField<Values extends FieldValues, Value extends string | number>({
  name,
  control,
  options,
  placeholder,
  disabled,
  onChosen,
  ...frame
}: Props<Values, Value>) {
  const { field, fieldState } = useController({ name, control })
  return (
    <FieldFrame {...frame} error={fieldState.error?.message}>
      {(aria) => (
        <Select
          {...aria}
          {...(placeholder && { placeholder })}
          ref={field.ref}
          options={options}
          value={field.value ?? null}
          disabled={disabled ?? false}
          onBlur={field.onBlur}
          onChange={(value) => {
            field.onChange(value)
            onChosen?.(value)
          }}
        />
      )}
    </FieldFrame>
  )
}

interface ComboboxProps<Values extends FieldValues, Value extends string | number>
  extends Omit<Props<Values, Value>, 'onChosen'> {
  empty?: string
  clearable?: boolean
  onChosen?: (value: Value | null) => void
}

/** A choice among many, found by typing. */
export function ComboboxField<Values extends FieldValues, Value extends string | number>({
  name,
  control,
  options,
  placeholder,
  empty,
  clearable,
  disabled,
  onChosen,
  ...frame
}: ComboboxProps<Values, Value>) {
  const { field, fieldState } = useController({ name, control })
  return (
    <FieldFrame {...frame} error={fieldState.error?.message}>
      {(aria) => (
        <Combobox
          {...aria}
          {...(placeholder && { placeholder })}
          {...(empty && { empty })}
          ref={field.ref}
          options={options}
          value={field.value ?? null}
          clearable={clearable ?? false}
          disabled={disabled ?? false}
          onBlur={field.onBlur}
          onChange={(value) => {
            field.onChange(value)
            onChosen?.(value)
          }}
        />
      )}
    </FieldFrame>
  )
}
