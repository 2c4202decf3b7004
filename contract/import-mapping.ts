import { z } from 'zod'
import { Id } from './fields.ts'

export const COLUMNS_MAX = 100
export const CELL_MAX = 4000
/** A column with more different values than these says something else than what became of leads. */
export const VALUES_MAX = 200

const KEY_REQUIRED = 'Falta elegir la columna del lead'
const STATUS_REQUIRED = 'Falta elegir la columna del estado'
const Column = (required: string) =>
  z
    .number(required)
    .int()
    .min(0, required)
    .max(COLUMNS_MAX - 1, required)
const Value = z.string().max(CELL_MAX)

export const ImportKey = z.enum(['tracking_id', 'event_id', 'external_id'], KEY_REQUIRED)
export type ImportKey = z.infer<typeof ImportKey>

export const ImportAction = z.enum(['step', 'reject', 'ignore'])
const ImportValue = z.object({
  value: Value,
  action: ImportAction,
  /** Of the step; any but a rejection. */
  event_type_id: z.number().int().positive().nullable().default(null),
})
export type ImportValue = z.infer<typeof ImportValue>

/** What the columns and values of a file mean; remembered for the next file of the issuer with the same header. */
export const ImportMapping = z.object({
  /** How the file names its leads. */
  key: ImportKey,
  key_column: Column(KEY_REQUIRED),
  /** The product whose leads an external_id names. */
  product_id: Id.nullable().default(null),
  status_column: Column(STATUS_REQUIRED),
  values: z.array(ImportValue).max(VALUES_MAX),
  reason_column: Column('Columna no válida').nullable().default(null),
  reasons: z
    .array(z.object({ value: Value, code: z.string().max(40) }))
    .max(VALUES_MAX)
    .default([]),
  /** Whether a lead that was rejected before and is approved by the file counts again. */
  restores: z.boolean().default(false),
})
export type ImportMapping = z.infer<typeof ImportMapping>
