import { STATEMENT_LINES_MAX, STATEMENT_TOO_LONG, type StatementLine } from '#contract/payment-statement.ts'
import type { PaymentStatement } from '#contract/payments.ts'
import type { Db, Tx } from '#db/connect.ts'
import { conflict } from '../http/errors.ts'
import { linesOfPayment } from '../ledger/lines.ts'
import { inSnapshot } from '../snapshot.ts'
import type { Reader } from '../viewer.ts'
import { getPayment } from './queries.ts'

/** In one snapshot, or an event in between would print lines that do not add up to the total. */
export const getStatement = (db: Db, viewer: Reader, id: number): Promise<PaymentStatement> =>
  inSnapshot(db, async (tx) => {
    const payment = await getPayment(tx, viewer, id)
    const entries = await linesOfPayment(tx, id)
      .limit(STATEMENT_LINES_MAX + 1)
      .execute()
    if (entries.length > STATEMENT_LINES_MAX) throw conflict(STATEMENT_TOO_LONG, 'STATEMENT_TOO_LONG')
    return {
      payment,
      issuer: await getParty(tx, 'issuer', payment.issuer),
      affiliate: await getParty(tx, 'affiliate', payment.affiliate),
      lines: entries.map(toLine),
    }
  })

/** Also of a company that was archived since: the payment names it still. */
const getParty = (tx: Tx, side: 'issuer' | 'affiliate', id: number) =>
  tx.selectFrom(side).select(['company_name', 'rfc']).where('id', '=', id).executeTakeFirstOrThrow()

type Entry = Awaited<ReturnType<ReturnType<typeof linesOfPayment>['execute']>>[number]

const toLine = ({
  id,
  lead_id,
  external_id,
  product_name,
  step_name,
  amount,
  state,
  earned_at,
  is_difference,
}: Entry) =>
  ({ id, lead_id, external_id, product_name, step_name, amount, state, earned_at, is_difference }) as StatementLine
