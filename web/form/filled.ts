import type { SyntheticEvent } from 'react'
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form'

/** What password managers fill, some without an event; no field of these formats what it shows. */
const FILLED = ['username', 'current-password', 'new-password', 'one-time-code']
  .map((kind) => `input[name][autocomplete="${kind}"]`)
  .join()

/**
 * Reads what was filled into a form without an event: before it is sent, and before a field that is entered or left makes
 * React draw the old value again.
 */
export function takesFilled<Values extends FieldValues, Context, Output>(form: UseFormReturn<Values, Context, Output>) {
  const take = ({ currentTarget }: SyntheticEvent<HTMLFormElement>) => {
    for (const input of currentTarget.querySelectorAll<HTMLInputElement>(FILLED)) {
      const name = input.name as Path<Values>
      if ((form.getValues(name) ?? '') !== input.value)
        form.setValue(name, input.value as PathValue<Values, Path<Values>>, { shouldDirty: true })
    }
  }
  return { onFocusCapture: take, onBlurCapture: take, onSubmitCapture: take }
}
