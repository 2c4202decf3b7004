import type { z } from 'zod'

/** What a form with these values shows at its fields: the first thing that is said of each. */
export const toldOf = (schema: z.ZodType, values: unknown): Record<string, string> =>
  Object.fromEntries(
    (schema.safeParse(values).error?.issues ?? [])
      .toReversed()
      .map(({ path, message }) => [path.join('.'), message] as const),
  )
