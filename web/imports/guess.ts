import type { ImportKey, ImportValue } from '#contract/import-mapping.ts'
import type { ImportDetail } from '#contract/imports.ts'
import type { RejectReason } from '#contract/rulings.ts'
import { matches } from '#web/ui/matches.ts'

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

/** The column that holds tracking ids, as the first rows look. */
export function guessKey({ header, sample }: ImportDetail): { key: ImportKey; key_column: number | null } {
  const column = header.findIndex((_, index) => sample.length > 0 && sample.every((row) => UUID.test(row[index] ?? '')))
  return { key: 'tracking_id', key_column: column < 0 ? null : column }
}

const STATUS = /^(estado|estatus|status|situaci[oó]n|resultado|dictamen)\b/i
const REASON = /motivo|raz[oó]n|causa/i

const columnNamed = (header: readonly string[], pattern: RegExp): number | null => {
  const column = header.findIndex((name) => pattern.test(name))
  return column < 0 ? null : column
}
export const guessColumns = ({ header }: ImportDetail) => ({
  status_column: columnNamed(header, STATUS),
  reason_column: columnNamed(header, REASON),
})

/** What a value most likely means; nothing is guessed where it could cost money the wrong way. */
export function guessValue(value: string): Omit<ImportValue, 'value'> | undefined {
  if (/rechaz|declin|negad|no aprob|cancel/i.test(value)) return { action: 'reject', event_type_id: null }
  if (/^(pre)?aprob|^autoriz/i.test(value)) return { action: 'step', event_type_id: 3 }
  if (/entreg|activad/i.test(value)) return { action: 'step', event_type_id: 5 }
  return undefined
}

/** The one reason whose name has all words of the value. */
export function guessReason(value: string, known: readonly RejectReason[]): string | undefined {
  const [found, ...others] = known.filter(({ label }) => matches(value, [label]))
  return others.length ? undefined : found?.code
}
