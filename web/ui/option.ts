export interface Option<Value extends string | number = string> {
  value: Value
  label: string
  /** A second line that search also reads. */
  hint?: string
  disabled?: boolean
}

/** The options, with the present one first where it is not among them. */
export const including = (present: Option<number> | undefined, options: readonly Option<number>[] = []) =>
  !present || options.some(({ value }) => value === present.value) ? options : [present, ...options]

/** What a field hands to the control that it labels. */
export interface ControlProps {
  id?: string
  'aria-label'?: string
  'aria-labelledby'?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | undefined
  'aria-required'?: boolean | undefined
}
