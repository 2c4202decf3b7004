import { zodResolver } from '@hookform/resolvers/zod'
import { type DefaultValues, type FieldValues, type Resolver, type UseFormReturn, useForm } from 'react-hook-form'
import type { z } from 'zod'

/**
 * A form that a schema of the contract judges. `Values` is what the screen holds while people type, where a choice not
 * yet made is null; `Output` is what the schema makes of it and what the API takes.
 */
export function useSchemaForm<Values extends FieldValues, Output>(
  schema: z.ZodType<Output>,
  defaultValues: Values,
): UseFormReturn<Values, unknown, Output> {
  return useForm<Values, unknown, Output>({
    mode: 'onTouched',
    resolver: zodResolver(schema as z.ZodType<Output, Values>) as Resolver<Values, unknown, Output>,
    defaultValues: defaultValues as DefaultValues<Values>,
  })
}
