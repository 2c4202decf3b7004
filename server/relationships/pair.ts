import { PAIR_CHANGED, type ShownPair } from '#contract/relationships.ts'
import type { Tx } from '#db/connect.ts'
import { AppError } from '../http/errors.ts'

/**
 * Whose a relationship is, which it stays until the end of the transaction; refused at the field that names it where it
 * was another pair's when it was chosen. Also one that has ended.
 */
export async function lockPair(tx: Tx, id: number, shown: ShownPair | null | undefined, field: string) {
  const pair = await tx
    .selectFrom('relationship')
    .select(['affiliate_id', 'issuer_id', 'archived_at'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  if (pair && shown && (pair.affiliate_id !== shown.affiliate || pair.issuer_id !== shown.issuer))
    throw new AppError(409, 'PAIR_CHANGED', PAIR_CHANGED, { fieldErrors: { [field]: [PAIR_CHANGED] } })
  return pair
}
