export interface Option<Value extends string | number = string> {
  value: Value
  label: string
  /** A second line that search also reads. */
  hint?: string
  disabled?: boolean
}

/** What a field hands to the control that it labels. */
export interface ControlProps {
  id?: string
  'aria-label'?: string
  'aria-labelledby'?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | undefined
  'aria-required'?: boolean | undefined
}
