import { z } from 'zod'
import { Id } from './fields.ts'

export const COLUMNS_MAX = 100
export const CELL_MAX = 4000
/** Characters of all cells of a row: rows are stored and worked on so many at a time, whatever they hold. */
export const ROW_MAX = 32_000
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
const OptionalColumn = Column('Columna no válida').nullable().default(null)
const Value = z.string().max(CELL_MAX)

export const ImportKey = z.enum(['tracking_id', 'event_id', 'external_id'], KEY_REQUIRED)
export type ImportKey = z.infer<typeof ImportKey>

const ImportAction = z.enum(['step', 'reject', 'ignore'])
const ImportValue = z.object({
  value: Value,
  action: ImportAction,
  /** Of the step; any but a rejection. */
  event_type_id: z.number().int().positive().nullable().default(null),
})
export type ImportValue = z.infer<typeof ImportValue>

/** How a date is written; one that begins with its year is understood everywhere, an hour behind it is left aside. */
export const DateFormat = z.enum(['dmy', 'ymd', 'mdy', 'serial'])
export type DateFormat = z.infer<typeof DateFormat>
export const dateFormatLabels: Record<DateFormat, string> = {
  dmy: 'Día/mes/año (31/12/2026)',
  ymd: 'Año-mes-día (2026-12-31)',
  mdy: 'Mes/día/año (12/31/2026)',
  serial: 'Número de Excel (46387)',
}
const YEAR_FIRST = /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}($|[ T,])/
const YEAR_LAST = /^(\d{1,2})[-/.](\d{1,2})[-/.]\d{4}($|[ T,])/
const SERIAL = /^\d{5}([.,]\d+)?$/

/**
 * As those texts look that look like dates; null where none does, or they are of several kinds. Where both numbers could be
 * the day, the first is.
 */
export function guessDateFormat(texts: readonly string[]): DateFormat | null {
  const serials = texts.filter((text) => SERIAL.test(text))
  const parts = texts.flatMap((text) => {
    const [, first, second] = YEAR_LAST.exec(text) ?? []
    return first === undefined ? [] : [{ first: Number(first), second: Number(second) }]
  })
  if (serials.length > 0) return parts.length > 0 ? null : 'serial'
  if (parts.length === 0) return texts.some((text) => YEAR_FIRST.test(text)) ? 'ymd' : null
  const [isDayFirst, isMonthFirst] = [parts.some(({ first }) => first > 12), parts.some(({ second }) => second > 12)]
  if (isDayFirst && isMonthFirst) return null
  return isMonthFirst ? 'mdy' : 'dmy'
}

/** What the columns and values of a file mean; remembered for the next file of the issuer with the same header. */
export const ImportMapping = z.object({
  /** How the file names its leads. */
  key: ImportKey,
  key_column: Column(KEY_REQUIRED),
  /** The product whose leads an external_id names. */
  product_id: Id.nullable().default(null),
  status_column: Column(STATUS_REQUIRED),
  values: z.array(ImportValue).max(VALUES_MAX),
  reason_column: OptionalColumn,
  reasons: z
    .array(z.object({ value: Value, code: z.string().max(40) }))
    .max(VALUES_MAX)
    .default([]),
  /** The commission and the day that the file says: they are compared with what is known, and change nothing. */
  amount_column: OptionalColumn,
  date_column: OptionalColumn,
  /** Left out, it is as the first rows look. */
  date_format: DateFormat.nullable().default(null),
  /** Whether a lead that was rejected before and is approved by the file counts again. */
  restores: z.boolean().default(false),
})
export type ImportMapping = z.infer<typeof ImportMapping>
