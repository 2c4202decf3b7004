import type { ImportRemark, ImportRemarkCount } from '#contract/import-remarks.ts'
import { changes, type Import, type ImportCount, type ImportOutcome } from '#contract/imports.ts'
import { sumAmounts } from '#contract/money.ts'
import { counted, formatMoney } from '#web/ui/format.ts'

type Counts = readonly ImportCount[]

const rowsOf = (counts: Counts, ...outcomes: ImportOutcome[]) =>
  counts.filter(({ outcome }) => outcomes.includes(outcome)).reduce((sum, { rows }) => sum + rows, 0)
const chargeOf = (counts: Counts) => sumAmounts(counts.map(({ charge }) => charge))
const amountOf = (counts: Counts, ...outcomes: ImportOutcome[]) =>
  sumAmounts(counts.filter(({ outcome }) => outcomes.includes(outcome)).map(({ amount }) => amount))

export const changesIn = ({ outcomes }: Pick<Import, 'outcomes'>): number =>
  outcomes.filter(({ outcome }) => changes(outcome)).reduce((sum, { rows }) => sum + rows, 0)

/** ' (+$500.00)'; nothing where no peso moves. */
const moved = (amount: string): string => {
  if (amount === '0.00') return ''
  return amount.startsWith('-') ? ` (−${formatMoney(amount.slice(1))})` : ` (+${formatMoney(amount)})`
}
const leads = (rows: number) => counted(rows, 'lead', 'leads')

/** 'Se aprobarán 812 leads (+$406,000.00) y se rechazarán 143 (−$71,500.00); 12 ya estaban pagados y generan …' */
export function sentenceOf(counts: Counts): string {
  const approved = rowsOf(counts, 'approve', 'restore')
  const rejected = rowsOf(counts, 'reject', 'reject_paid')
  const recorded = rowsOf(counts, 'record')
  const charged = rowsOf(counts, 'reject_paid')
  const parts = [
    approved > 0 &&
      `se ${approved === 1 ? 'aprobará' : 'aprobarán'} ${leads(approved)}${moved(amountOf(counts, 'approve', 'restore'))}`,
    rejected > 0 &&
      `se ${rejected === 1 ? 'rechazará' : 'rechazarán'} ${leads(rejected)}${moved(amountOf(counts, 'reject', 'reject_paid'))}`,
    recorded > 0 && `se registrará el paso de ${leads(recorded)}`,
  ].filter((part) => part !== false)
  if (!parts.length) return 'Nada cambia: ningún renglón mueve un lead.'
  const text = new Intl.ListFormat('es-MX').format(parts)
  const charge =
    charged > 0 &&
    `; ${charged} ya ${charged === 1 ? 'estaba pagado y genera' : 'estaban pagados y generan'} un cargo de ${formatMoney(chargeOf(counts))}`
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${charge || ''}.`
}

const verbOf = (rows: number) => (rows === 1 ? 'trae' : 'traen')
const remarkTexts: Record<ImportRemark, string> = {
  other_amount: 'otro monto que la comisión',
  unreadable_amount: 'un monto que no se entiende',
  before_click: 'fecha anterior al clic',
  other_date: 'otra fecha que el evento registrado',
  unreadable_date: 'una fecha que no se entiende',
}

/** '3 renglones traen otro monto que la comisión: $1,650.00 en el archivo, $1,500.00 en Afluente.' */
export function remarkSentence({ remark, rows, said, known }: ImportRemarkCount): string {
  const sums = said !== null && known !== null
  return `${counted(rows, 'renglón', 'renglones')} ${verbOf(rows)} ${remarkTexts[remark]}${
    sums ? `: ${formatMoney(said)} en el archivo, ${formatMoney(known)} en Afluente` : ''
  }.`
}

/** An issuer reads no administrator's name. */
export const byWhom = (name: string | null): string => `por ${name ?? 'un administrador'}`
