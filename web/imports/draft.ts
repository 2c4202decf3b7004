import type { DateFormat, ImportKey, ImportMapping, ImportValue } from '#contract/import-mapping.ts'
import type { ImportDetail } from '#contract/imports.ts'
import type { RejectReason } from '#contract/rulings.ts'
import { guessColumns, guessKey, guessReason, guessValue } from './guess.ts'

export type Meaning = Omit<ImportValue, 'value'>
type Value = { value: string }

/** What was said so far, perhaps of values that the file does not have. */
export interface Draft {
  key: ImportKey
  key_column: number | null
  product_id: number | null
  status_column: number | null
  reason_column: number | null
  amount_column: number | null
  date_column: number | null
  date_format: DateFormat | null
  meanings: Readonly<Record<string, Meaning>>
  codes: Readonly<Record<string, string>>
  restores: boolean
}

const NOTHING = { product_id: null, meanings: {}, codes: {}, restores: false }
/** Nothing is compared unless it is asked for: an amount may be that of a credit. */
const UNCOMPARED = { amount_column: null, date_column: null, date_format: null }

/** What was said of this file or the last one like it, else what its columns look like. */
export function draftOf(file: ImportDetail): Draft {
  const known = file.mapping ?? file.remembered
  if (!known) return { ...guessKey(file), ...guessColumns(file), ...UNCOMPARED, ...NOTHING }
  const { values, reasons, ...rest } = known
  return {
    ...UNCOMPARED,
    ...rest,
    meanings: Object.fromEntries(values.map(({ value, ...meaning }) => [value, meaning])),
    codes: Object.fromEntries(reasons.map(({ value, code }) => [value, code])),
  }
}

export const meaningOf = ({ meanings }: Draft, value: string): Meaning | undefined =>
  Object.hasOwn(meanings, value) ? meanings[value] : guessValue(value)

/** The reason that a value is; undefined: none that is known. */
export const codeOf = ({ codes }: Draft, value: string, known: readonly RejectReason[]): string | undefined =>
  Object.hasOwn(codes, value) ? codes[value] : guessReason(value, known)

/** As the call takes it; what the form still misses is left out. */
export function mappingOf(
  draft: Draft,
  values: readonly Value[],
  reasons: readonly Value[],
  known: readonly RejectReason[],
): Partial<ImportMapping> {
  const { meanings: _, codes: __, key_column, status_column, ...rest } = draft
  return {
    ...rest,
    ...(key_column !== null && { key_column }),
    ...(status_column !== null && { status_column }),
    product_id: draft.key === 'external_id' ? draft.product_id : null,
    values: values.flatMap(({ value }) => {
      const meaning = meaningOf(draft, value)
      return meaning ? [{ value, ...meaning }] : []
    }),
    reasons: reasons.flatMap(({ value }) => {
      const code = value === '' ? undefined : codeOf(draft, value, known)
      return code === undefined ? [] : [{ value, code }]
    }),
  }
}
