import { z } from 'zod'
import { Id, Status } from './fields.ts'

/** How many rows one call changes, and how many can be chosen in a list. */
export const BULK_MOST = 500

export const BulkIds = z
  .array(Id)
  .min(1, 'Selecciona al menos una fila')
  .max(BULK_MOST, `Selecciona como máximo ${BULK_MOST} filas`)
  .refine((ids) => new Set(ids).size === ids.length, 'Una fila está repetida')

/** Of products and the like, which are active or not. */
export const StatusForm = z.object({ ids: BulkIds, status: Status })
export type StatusForm = z.infer<typeof StatusForm>

/** Of one row: each is changed by itself, so that one that is refused keeps no other back. */
export const BulkOutcome = z.object({
  id: Id,
  /** `already`: it was as asked. */
  outcome: z.enum(['updated', 'already', 'refused', 'not_found']),
  /** Why, where it was not changed. */
  message: z.string().nullable(),
})
export type BulkOutcome = z.infer<typeof BulkOutcome>

/** The chosen rows of a list, in its export: '41,37'. */
export const ChosenIds = z
  .string()
  .regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/, 'Debe ser una lista de identificadores válidos')
  .transform((text) => text.split(',').map(Number))
  .pipe(z.array(z.number()).max(BULK_MOST, `Selecciona como máximo ${BULK_MOST} filas`))
