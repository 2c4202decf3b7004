import type { PrivacyFile } from '#contract/privacy.ts'
import type { Tx } from '#db/connect.ts'
import { maskFixed } from './render.ts'
import { NO_TEXTS } from './settle.ts'

/** What was sent of a lead and answered, while it is kept. */
export async function readTold(tx: Tx, trackingId: string): Promise<PrivacyFile['deliveries']> {
  const rows = await tx
    .selectFrom('delivery')
    .innerJoin('delivery_attempt', 'delivery_id', 'delivery.id')
    .innerJoin('receiver', 'receiver.id', 'receiver_id')
    .select(['receiver.name as receiver', 'receiver.url', 'at', 'request_url', 'request_body', 'answer'])
    .where('tracking_id', '=', trackingId)
    .where('is_erased', '=', false)
    .orderBy('seq')
    .orderBy('number')
    .execute()
  return rows.map(({ url, ...row }) => ({ ...row, request_url: maskFixed(row.request_url, url) }))
}

/** Also of an attempt that is under way: it is noted without its texts. Returns how many had any. */
export async function eraseTold(tx: Tx, trackingId: string): Promise<number> {
  await tx
    .updateTable('delivery')
    .set({ is_erased: true })
    .where('id', 'in', (eb) =>
      eb.selectFrom('delivery').select('id').where('tracking_id', '=', trackingId).orderBy('seq').forUpdate(),
    )
    .execute()
  const { numUpdatedRows } = await tx
    .updateTable('delivery_attempt')
    .set(NO_TEXTS)
    .where('delivery_id', 'in', (eb) => eb.selectFrom('delivery').select('id').where('tracking_id', '=', trackingId))
    .where('request_url', '<>', '')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
