import { networkKeys } from '#contract/network-keys.ts'
import { products } from '#contract/products.ts'
import { receivers } from '#contract/receivers.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import type { Db } from '#db/connect.ts'
import {
  type Ids,
  makeAdjustment,
  makeAffiliate,
  makeAnnounced,
  makeCommission,
  makeDashboard,
  makeDefault,
  makeDelivery,
  makeEntry,
  makeEvent,
  makeImport,
  makeLead,
  makePayingStep,
  makePayment,
  makeRelationship,
  makeStep,
  makeTerm,
  makeUser,
  unique,
} from '#db/factories.ts'
import type { Api } from './api.ts'

/** At least one row for each list of a pair, with all that its screens can show. */
export async function makeEverything(db: Db, { affiliate_id, issuer_id, ...ids }: Ids) {
  const pair = { affiliate_id, issuer_id, ...ids }
  const { product_id } = ids
  const asked = await makeStep(db, { product_id, name: 'Solicitud', step_order: 1, description: 'En el sitio' })
  const paying = await makePayingStep(db, { product_id, name: 'Tarjeta aprobada', step_order: 2 })
  await makeStep(db, { product_id, name: 'Rechazada', event_type_id: 4, step_order: 3 })
  const commission = await makeCommission(db, { ...pair, name: 'Aprobadas' })
  await makeAnnounced(db, commission)
  await makeDefault(db, { product_id, event_step_id: paying.id })
  // A day of which all is known, as lists of results count them.
  const created_at = `${addDays(dateInMexico(), -1)}T18:00:00Z`
  const lead = await makeLead(db, {
    ...pair,
    created_at,
    external_id: 'ana-7',
    utm_source: 'boletin',
    lead_data: JSON.stringify({ params: { gclid: 'abc' }, ip_trunc: '203.0.113.0/24', flags: ['not_a_navigation'] }),
  })
  await makeEvent(db, lead, asked, { event_data: JSON.stringify({ folio: 12 }), source: 'crm', created_at })
  await makeEvent(db, lead, paying, { event_type_id: 3, event_type_name: 'aprobado', created_at })
  await makeEntry(db, pair, { lead_id: lead.id, amount: '350.00', earned_at: created_at })
  await makeEntry(db, pair, { amount: '80.00', due_on: 'infinity' })
  const payment = await makePayment(db, pair, { notes: 'SPEI 7' })
  await makePayment(db, pair, { period_start: '2025-02-01', period_end: '2025-02-28', payment_status: 'paid' })
  await makeAdjustment(db, pair)
  await makeTerm(db, { relationship_id: ids.relationship_id, validation: 'explicit', valid_from: '2099-01-01' })
  const file = await makeImport(db, issuer_id)
  const other = await makeAffiliate(db)
  await makeRelationship(db, { affiliate_id: other.id, issuer_id, notes: 'Desde la feria' })
  const board = await makeDashboard(db, { issuer_id })
  const named = { first_name: 'Zoé', last_name: 'Colega' }
  await makeUser(db, { role: 'affiliate', affiliateId: affiliate_id }, named)
  const { email } = await makeUser(db, { role: 'issuer', issuerId: issuer_id }, named)
  return { lead, payment, file, board, email }
}

/** A receiver of who calls, which was told something. */
export async function makeTold(db: Db, api: Api) {
  const receiver = await api.call(receivers.create, {
    body: { name: 'Sistema central', url: 'https://sistema.example.mx/aviso', method: 'POST', types: ['lead.event'] },
  })
  const delivery = await makeDelivery(db, receiver.id)
  await db
    .insertInto('delivery_attempt')
    .values({ delivery_id: delivery.id, number: 1, ms: 12, request_url: receiver.url, status: 200, answer: 'recibido' })
    .execute()
  return receiver.name
}

/** What only the network has: a key, a mail that was refused and a line of the audit trail. */
export async function makeOfNetwork(db: Db, admin: Api, { product_id }: { product_id: number }, userId: number) {
  const key = await admin.call(networkKeys.create, { body: { name: `Almacén ${unique()}`, scope: 'all', days: 30 } })
  const name = `Tarjeta Dorada ${unique()}`
  const product = await admin.call(products.update, { params: { id: product_id }, body: { name } })
  const failed = { state: 'failed', attempts: 1, error: '550 No such user', settled_at: new Date().toISOString() }
  const recipient = `nadie${unique()}@empresa.mx`
  await db
    .insertInto('mail')
    .values({ kind: 'invite', recipient, user_id: userId, ...failed })
    .execute()
  return { key, recipient, product }
}
