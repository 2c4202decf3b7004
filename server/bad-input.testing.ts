// Longer than other files: a table of what every call is sent.
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { addDays } from '#contract/time.ts'
import type { Db } from '#db/connect.ts'
import {
  makeAdjustment,
  makeAnnounced,
  makeCommission,
  makeDashboard,
  makeDelivery,
  makeEntry,
  makeImport,
  makePair,
  makePayment,
  makeReceiver,
  makeStep,
  makeTerm,
  makeUser,
  unique,
} from '#db/factories.ts'
import { ReceiverSecrets } from './deliveries/secrets.ts'
import { paymentForm } from './payments/testing.ts'
import { TEST_SECRET } from './testing.ts'

/** The parameters or properties that a schema names. */
export const fieldsOf = (schema: z.ZodType): string[] => {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : []
}

export interface Ids {
  relationship_id: number
  affiliate_id: number
  issuer_id: number
  product_id: number
  commission_id: number
  step_id: number
  entry_id: number
  payment_id: number
  tracking_id: string
  /** The id of a row that the endpoint's path may name. */
  idOf: (endpoint: Endpoint) => string
}

async function makeOutbound(db: Db) {
  const { id } = await makeReceiver(db, {
    method: 'GET',
    secret: secrets.create(NETWORK).sealed,
    kek_id: secrets.keyId,
  })
  return { receivers: id, deliveries: (await makeDelivery(db, id)).id }
}
const NETWORK = { affiliate_id: null, issuer_id: null }
const secrets = new ReceiverSecrets(TEST_SECRET)

/** Rows for bad input to be aimed at, so that it gets past the ids to whatever lies behind. */
export async function makeTargets(db: Db): Promise<Ids> {
  const { ids } = await makePair(db)
  const commission = await makeCommission(db, ids)
  const announced = await makeAnnounced(db, commission)
  const step = await makeStep(db, { product_id: ids.product_id, is_payout_event: true })
  const [entry, adjustment] = [await makeEntry(db, ids, {}), await makeAdjustment(db, ids)]
  const lead = await db
    .selectFrom('lead')
    .select('tracking_id')
    .where('id', '=', entry.lead_id)
    .executeTakeFirstOrThrow()
  const term = await makeTerm(db, { issuer_id: ids.issuer_id, valid_from: '2100-01-01' })
  const payment = await makePayment(db, ids, { period_start: '2024-03-01', period_end: '2024-03-31' })
  const rows: Record<string, number | string> = {
    ...(await makeOutbound(db)),
    ...{ affiliates: ids.affiliate_id, issuers: ids.issuer_id },
    relationships: ids.relationship_id,
    products: ids.product_id,
    eventSteps: step.id,
    commissions: commission.id,
    rates: announced.id,
    payments: payment.id,
    leads: entry.lead_id,
    ...{ rulings: entry.lead_id, privacy: entry.lead_id },
    ...{ explain: entry.id, holds: entry.id, adjustments: adjustment.id },
    imports: (await makeImport(db, ids.issuer_id)).id,
    terms: term.id,
    users: (await makeUser(db, { role: 'admin' })).id,
    people: (await makeUser(db, { role: 'issuer', issuerId: ids.issuer_id })).id,
    dashboards: (await makeDashboard(db)).id,
  }
  const nouns = new Map(allEndpoints.map(({ name, endpoint }) => [endpoint, name.split('.')[0] ?? '']))
  return {
    ...ids,
    commission_id: commission.id,
    ...{ step_id: step.id, entry_id: entry.id, payment_id: payment.id },
    tracking_id: lead.tracking_id,
    idOf: (endpoint) => String(rows[nouns.get(endpoint) ?? ''] ?? 1),
  }
}

type Body = Record<string, unknown>

const company = () => ({
  company_name: 'Grupo Ejemplo',
  rfc: `GEJ010101${String(unique()).padStart(3, '0').slice(-3)}`,
  address: 'Av. Juárez 1',
  contact_name: 'Eva Luna',
  contact_phone: '+525512345678',
  contact_email: 'eva@ejemplo.mx',
  url: 'https://ejemplo.mx',
  user_status: 'active',
})
const person = () => ({ email: `eva${unique()}@ejemplo.mx`, first_name: 'Eva', last_name: 'Luna' })
const user = () => ({
  ...person(),
  role: 'admin',
  affiliate_id: null,
  issuer_id: null,
})
const step = { event_type_id: 3, name: 'Aprobación', description: '', is_payout_event: true }
const product = {
  name: 'Tarjeta Oro',
  description: 'Tarjeta sin anualidad',
  redirect_url: 'https://banco.example.mx/alta?ref={tracking_id}',
}
const dashboard = {
  name: 'Captación',
  description: '',
  iframe_url: 'https://tableros.example.mx/publico/1',
  role: 'issuer',
  affiliate_id: null,
}
const receiver = {
  name: 'Mi sistema',
  url: 'https://sistema.example.mx/a?s={status}',
  method: 'POST',
  types: ['lead.event'],
}
const keyChange = () => ({ revoke_old: false })
const commission = { name: 'Comisión base', description: '', payout: '500.00' }

const rate = ({ commission_id }: Ids) => ({
  ...{ commission_id, amount: '500.00' },
  valid_from: new Date(Date.now() + unique() * 86_400_000).toISOString(),
})

/** A number in letters, which is all that a code has. */
const letters = (number: number) => String(number).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')

const credential = { id: 'x', rawId: 'x', type: 'public-key', response: {}, clientExtensionResults: {} }

const grounds = { folio: 'ARCO-1', reason: 'Solicitud del titular' }

/** For every call that has a body, one that would be taken. */
export const goodBodies: Record<string, (ids: Ids) => Body> = {
  'auth.login': () => ({ email: 'eva@ejemplo.mx', password: 'una contraseña' }),
  'auth.refresh': () => ({ refresh: 'x' }),
  'auth.logout': () => ({ refresh: 'x' }),
  'auth.changePassword': () => ({ current_password: 'una contraseña', new_password: 'otra contraseña' }),
  'auth.loginSecond': () => ({ challenge: 'x', code: '123456' }),
  'auth.loginPasskey': () => ({ state: 'x', credential }),
  'auth.elevate': () => ({ password: 'una contraseña' }),
  'secondFactors.confirmTotp': () => ({ code: '123456' }),
  'secondFactors.addPasskey': () => ({ state: 'x', credential, label: 'Mi teléfono' }),
  'accessLinks.forgot': () => ({ email: 'eva@ejemplo.mx' }),
  'accessLinks.open': () => ({ token: 'x' }),
  'accessLinks.use': () => ({ token: 'x', password: 'río de montaña 77' }),
  'accessLinks.create': () => ({ user_id: 1 }),
  'users.create': () => ({ ...user(), password: 'río de montaña 77' }),
  'users.update': () => ({ ...user(), user_status: 'active' }),
  'users.resetPassword': () => ({ password: 'río de montaña 77' }),
  'securityPolicy.update': () => ({ role: 'affiliate', second_factor: 'off', grace_days: 7 }),
  'people.create': () => ({ ...person(), duty: 'reader' }),
  'people.update': () => ({ duty: 'reader', user_status: 'active' }),
  'affiliates.create': company,
  'affiliates.update': company,
  'affiliates.rotateKey': keyChange,
  'issuers.create': company,
  'issuers.update': company,
  'issuers.rotateKey': keyChange,
  'issuers.rotatePostbackToken': keyChange,
  'issuers.rotateSigningSecret': keyChange,
  'relationships.create': ({ affiliate_id, issuer_id }) => ({ affiliate_id, issuer_id, notes: '' }),
  'relationships.update': ({ affiliate_id, issuer_id }) => ({
    affiliate_id,
    issuer_id,
    notes: '',
    relationship_status: 'active',
  }),
  'products.create': ({ issuer_id }) => ({ ...product, issuer_id }),
  'products.update': () => ({ ...product, product_status: 'active' }),
  'products.setStatus': ({ product_id }) => ({ ids: [product_id], status: 'active' }),
  'relationships.setStatus': ({ relationship_id }) => ({ ids: [relationship_id], status: 'active' }),
  'eventSteps.create': ({ issuer_id, product_id }) => ({ ...step, issuer_id, product_id, step_order: 5000 + unique() }),
  'eventSteps.update': () => ({ ...step, step_order: 5000 + unique() }),
  'eventSteps.reorder': ({ step_id }) => ({ step_orders: [{ step_id, new_order: 5000 + unique() }] }),
  'commissions.create': ({ affiliate_id, product_id, relationship_id }) => ({
    ...commission,
    affiliate_id,
    product_id,
    relationship_id,
  }),
  'commissions.copy': ({ affiliate_id }) => ({ affiliate_ids: [affiliate_id] }),
  'commissions.update': () => commission,
  'rulings.createReason': () => ({ code: `motivo_${letters(unique())}`, label: 'Otro', group_label: 'Otro' }),
  'rulings.archiveReason': () => ({ code: 'otra_fuente', archived: false }),
  'rulings.reject': () => ({ reason_code: 'buro', note: 'Consultado en la sucursal' }),
  'rulings.restore': () => ({ note: 'Se aclaró con el banco' }),
  'commissionEntries.approve': ({ entry_id }) => ({ ids: [entry_id] }),
  'adjustments.create': ({ relationship_id }) => ({
    ...{ relationship: relationship_id, kind: 'adjustment', amount: '-12.50', note: 'Se acordó por correo' },
  }),
  'adjustments.void': () => ({ note: 'Se capturó dos veces' }),
  'networkKeys.create': () => ({ name: 'Almacén de datos', scope: 'all', days: 90 }),
  'receivers.create': () => ({ ...receiver, name: `Sistema ${unique()}` }),
  'receivers.update': () => receiver,
  'receivers.preview': () => ({ url: receiver.url, method: 'POST' }),
  'receivers.replay': () => ({ from: '2025-03-01T06:00:00Z', to: '2025-03-02T06:00:00Z', state: 'failed' }),
  'holds.hold': () => ({ reason: 'otro', note: 'Se revisa con el banco' }),
  'holds.release': () => ({ note: 'Se aclaró con el banco' }),
  'imports.map': () => ({
    ...{ key: 'tracking_id', key_column: 0, status_column: 1 },
    values: [{ value: 'APROBADA', action: 'step', event_type_id: 3 }],
  }),
  'imports.undo': () => ({ reason: 'El banco mandó otro archivo', previewed_at: '2025-03-01T12:00:00.000Z' }),
  'imports.apply': () => ({ simulated_at: '2025-03-01T12:00:00.000Z' }),
  'terms.create': ({ issuer_id }) => ({ issuer_id, valid_from: addDays('2100-01-01', unique()), validation_days: 30 }),
  'notices.read': () => ({ through: 1 }),
  'notices.choose': () => ({ type: 'receiver.failing', in_product: true, mail: 'weekly' }),
  'rates.preview': rate,
  'rates.create': rate,
  'payments.create': ({ relationship_id }) => ({ ...paymentForm(relationship_id), payment_status: 'cancelled' }),
  'payments.update': ({ relationship_id }) => ({ ...paymentForm(relationship_id), payment_status: 'pending' }),
  'payments.setStatus': ({ payment_id }) => ({ ids: [payment_id], payment_status: 'processing' }),
  'dashboards.create': ({ issuer_id }) => ({ ...dashboard, issuer_id }),
  'dashboards.update': ({ issuer_id }) => ({ ...dashboard, issuer_id }),
  'privacy.search': () => ({ text: 'referencia-1' }),
  'privacy.open': () => ({ ...grounds }),
  'privacy.correct': () => ({ ...grounds, external_id: 'referencia-2' }),
  'privacy.erase': () => ({ ...grounds }),
  'tracking.storeEvent': ({ tracking_id, step_id }) => ({
    tracking_id,
    step_id,
    event_id: `prueba-${unique()}`,
    transaction_id: 'a',
    occurred_at: '2025-03-01T12:00:00Z',
    source: 'api',
    event_data: { monto: 1 },
  }),
  'tracking.storeBatch': ({ tracking_id, step_id }) => ({
    events: [{ tracking_id, step_id, event_id: `lote-${unique()}` }],
  }),
  'integration.tryEvent': ({ tracking_id, step_id }) => ({ event: { tracking_id, step_id, event_id: 'prueba' } }),
  'postback.post': ({ tracking_id, step_id }) => ({
    tracking_id,
    event: String(step_id),
    event_id: `forma-${unique()}`,
    amount: '1',
  }),
}
