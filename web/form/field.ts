import type { Control, FieldPath, FieldValues } from 'react-hook-form'

/** What every field of a form takes. */
export interface FieldProps<Values extends FieldValues, Name extends FieldPath<Values> = FieldPath<Values>> {
  name: Name
  // biome-ignore lint/suspicious/noExplicitAny: a field does not care for the context nor for what the schema turns the values into
  control: Control<Values, any, any>
  label: string
  help?: string
  /** Says 'Opcional' beside the label. */
  optional?: boolean
  disabled?: boolean
  /** Takes both columns of a form with two. */
  wide?: boolean
}
