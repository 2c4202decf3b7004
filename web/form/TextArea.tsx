import { type FieldValues, useController } from 'react-hook-form'
import { FieldFrame } from './FieldFrame.tsx'
import type { FieldProps } from './field.ts'

interface Props<Values extends FieldValues> extends FieldProps<Values> {
  rows?: number
  placeholder?: string
  /**
   * The limit that the counter shows, counted as the schemas do. It does not stop typing, so that a long paste is not
   * cut silently.
   */
  limit?: number
  /** Somebody goes on elsewhere; the place where they were typing stays known to it. */
  onLeave?: (area: HTMLTextAreaElement) => void
}

export function TextArea<Values extends FieldValues>({
  name,
  control,
  label,
  help,
  optional,
  wide,
  disabled,
  rows = 3,
  placeholder,
  limit,
  onLeave,
}: Props<Values>) {
  const { field, fieldState } = useController({ name, control })
  const value: string = field.value ?? ''
  return (
    <FieldFrame
      {...{ label, help, optional, wide }}
      error={fieldState.error?.message}
      note={limit && `${value.length}/${limit}`}
    >
      {(aria) => (
        <textarea
          {...field}
          {...aria}
          value={value}
          rows={rows}
          placeholder={placeholder}
          disabled={disabled}
          onBlur={(event) => {
            field.onBlur()
            onLeave?.(event.currentTarget)
          }}
          className="field-box block resize-y px-3 py-2"
        />
      )}
    </FieldFrame>
  )
}
