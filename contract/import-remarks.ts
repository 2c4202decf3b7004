import { z } from 'zod'
import { CalendarDate, Money } from './fields.ts'
import { inPesos } from './money.ts'
import { dayFirst } from './time.ts'

/** What a row says of its amount and its date beside what is known here. It changes nothing of what becomes of the row. */
export const ImportRemark = z.enum([
  'other_amount',
  'unreadable_amount',
  'before_click',
  'other_date',
  'unreadable_date',
])
export type ImportRemark = z.infer<typeof ImportRemark>

export const remarked = {
  remarks: z.array(ImportRemark),
  /** What the step pays the lead's affiliate, or has paid it with what compensates that; null where it pays nothing. */
  known_amount: Money.nullable(),
  /** The day of the click or of the event, where the row says another one. */
  known_on: CalendarDate.nullable(),
}
interface Remarked {
  remarks: readonly ImportRemark[]
  known_amount: string | null
  known_on: string | null
}

const texts: Record<ImportRemark, (row: Remarked) => string> = {
  other_amount: ({ known_amount }) => `Otro monto: la comisión es de ${inPesos(known_amount ?? '0.00')}`,
  unreadable_amount: () => 'Monto que no se entiende',
  before_click: ({ known_on }) => `Fecha anterior al clic, que fue el ${dayFirst(known_on ?? '')}`,
  other_date: ({ known_on }) => `Otra fecha: el evento registrado es del ${dayFirst(known_on ?? '')}`,
  unreadable_date: () => 'Fecha que no se entiende',
}

/** 'Otro monto: la comisión es de $500.00; Fecha que no se entiende'; empty where nothing is remarkable. */
export const remarkText = (row: Remarked): string => row.remarks.map((remark) => texts[remark](row)).join('; ')

export const ImportRemarkCount = z.object({
  remark: ImportRemark,
  rows: z.number().int(),
  /** Of other amounts: the sum that the file says, and that of what the steps pay. */
  said: Money.nullable(),
  known: Money.nullable(),
})
export type ImportRemarkCount = z.infer<typeof ImportRemarkCount>
