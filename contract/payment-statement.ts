import { z } from 'zod'
import { CommissionEntry } from './commission-entries.ts'

/** A payment of more commissions is read as a file. */
export const STATEMENT_LINES_MAX = 10_000

export const STATEMENT_TOO_LONG =
  'Este pago tiene más de 10,000 comisiones y no cabe en un estado impreso. Descárgalo con Exportar.'

const StatementParty = z.object({ company_name: z.string(), rfc: z.string() })
export type StatementParty = z.infer<typeof StatementParty>

/** A commission, or at last what the total was typed above or below them. */
export const StatementLine = CommissionEntry.pick({
  id: true,
  lead_id: true,
  external_id: true,
  product_name: true,
  step_name: true,
  amount: true,
  state: true,
  earned_at: true,
}).extend({ is_difference: z.boolean() })
export type StatementLine = z.infer<typeof StatementLine>

/** What a printed statement needs beside the payment, as of one moment. */
export const statementParts = {
  issuer: StatementParty,
  affiliate: StatementParty,
  lines: z.array(StatementLine),
}
