export interface Option<Value extends string | number = string> {
  value: Value
  label: string
  /** Beside or below the label; search reads it, too. */
  hint?: string
  disabled?: boolean
}

/** One option for each value, as its labels are ordered. */
export const optionsOf = <Value extends string>(labels: Record<Value, string>) =>
  (Object.keys(labels) as Value[]).map((value) => ({ value, label: labels[value] }))

/** For a choice among names. */
export const byLabel = <Value extends string | number>(a: Option<Value>, b: Option<Value>): number =>
  a.label.localeCompare(b.label, 'es-MX') || Number(a.value) - Number(b.value)

/** One option for each id, by name. */
export const optionsByName = (named: [id: number, name: string][]): Option<number>[] =>
  [...new Map(named)].map(([value, label]) => ({ value, label })).sort(byLabel)

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
