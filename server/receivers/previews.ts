import { sql } from 'kysely'
import type { DeliveryDetail } from '#contract/deliveries.ts'
import { NOT_PUBLIC } from '#contract/macros.ts'
import type { PreviewForm, ReceiverPreview } from '#contract/receivers.ts'
import { findSample, INVENTED, readJobs } from '../deliveries/facts.ts'
import { getDelivery } from '../deliveries/queries.ts'
import { draw } from '../deliveries/render.ts'
import { attempt } from '../deliveries/sender.ts'
import { invalid } from '../http/errors.ts'
import { ownParties } from '../parties.ts'
import type { Viewer } from '../viewer.ts'
import { getReceiver, type Outbound } from './queries.ts'

const INVENTED_IDS = { id: '00000000-0000-4000-8000-000000000000', seq: 1 }

/** What would be sent of the viewer's own newest lead. */
export async function previewReceiver(
  { db, dialer }: Outbound,
  viewer: Viewer,
  { url, method, status_map = {} }: PreviewForm,
): Promise<ReceiverPreview> {
  if (!dialer.isCallable(url)) throw invalid('url', NOT_PUBLIC)
  const mine = ownParties(viewer).map(([column, id]) => sql<boolean>`${sql.ref(`lead.${column}`)} = ${id}`)
  const sample = await findSample(db, mine[0] ?? sql<boolean>`true`)
  const drawn = draw(sample ?? INVENTED, { reader: viewer.role, url, method, status_map }, INVENTED_IDS)
  return { ...drawn, clicked_at: sample?.at ?? null }
}

/** Sent at once and whatever the receiver's state, so that its owner sees the answer; the log keeps it. */
export async function testReceiver(parts: Outbound, viewer: Viewer, id: number): Promise<DeliveryDetail> {
  const { db } = parts
  await getReceiver(db, viewer, id)
  const { id: deliveryId } = await db
    .insertInto('delivery')
    .values({
      receiver_id: id,
      type: 'test.ping',
      is_test: true,
      // Nobody else sends it, until it is clear that we did not.
      claimed_until: sql<string>`now() + interval '1 minute'`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const [job] = await readJobs(db, [deliveryId])
  if (job) await attempt(parts, job)
  return getDelivery(db, viewer, deliveryId)
}
