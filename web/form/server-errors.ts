import { useEffect } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'

/** The error of a save; ApiError is one. */
export type ServerError = (Error & { fieldErrors?: Record<string, string[]> }) | null | undefined

/** Shows the server's field errors at the fields; the toast has those of unknown fields. */
export function useServerErrors<Values extends FieldValues, Context, Output>(
  form: UseFormReturn<Values, Context, Output>,
  error: ServerError,
): void {
  useEffect(() => {
    const known = Object.entries(error?.fieldErrors ?? {}).filter(([name]) => hasField(form.getValues(), name))
    for (const [index, [name, texts]] of known.entries()) {
      form.setError(
        name as FieldPath<Values>,
        { type: 'server', message: texts.join(', ') },
        { shouldFocus: index === 0 },
      )
    }
  }, [form, error])
}

function hasField(values: unknown, path: string): boolean {
  let value = values
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !(part in value)) return false
    value = (value as Record<string, unknown>)[part]
  }
  return true
}
