import type { ImportKey, ImportValue } from '#contract/import-mapping.ts'
import type { ImportDetail } from '#contract/imports.ts'
import { readTrackingId } from '#contract/outside-ids.ts'
import type { RejectReason } from '#contract/rulings.ts'
import { matches } from '#web/ui/matches.ts'

/** The column that holds tracking ids, as the first rows look. */
export function guessKey({ header, sample }: ImportDetail): { key: ImportKey; key_column: number | null } {
  const isId = (cell = '') => readTrackingId(cell) !== undefined
  const column = header.findIndex((_, index) => sample.length > 0 && sample.every((row) => isId(row[index])))
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

const REJECTED =
  /^(rechazad[oa]s?|rechazo|declinad[oa]s?|declined|(de)?negad[oa]s?|no aprobad[oa]s?|cancelad[oa]s?)( por el cliente)?$/i

/** What a value surely means: it pays, or takes back. 'Preaprobada', 'Aún no aprobada', 'Posible rechazo' are for a person to say. */
export function guessValue(value: string): Omit<ImportValue, 'value'> | undefined {
  if (/^(aprobad|autorizad)[oa]s?$/i.test(value)) return { action: 'step', event_type_id: 3 }
  if (/^(entregad|activad)[oa]s?$/i.test(value)) return { action: 'step', event_type_id: 5 }
  return REJECTED.test(value) ? { action: 'reject', event_type_id: null } : undefined
}

/** The one reason whose name has all words of the value. */
export function guessReason(value: string, known: readonly RejectReason[]): string | undefined {
  const [found, ...others] = known.filter(({ label }) => matches(value, [label]))
  return others.length ? undefined : found?.code
}
