// With a longer function than others: a row of every noun, and what the id of a path means for each.
import type { Role } from '#contract/roles.ts'
import { dateInMexico } from '#contract/time.ts'
import type { Db } from '#db/connect.ts'
import {
  makeAdjustment,
  makeDelivery,
  makeEntry,
  makeImport,
  makePayment,
  makeReceiver,
  makeTerm,
} from '#db/factories.ts'
import { ApiKeys } from './companies/api-keys.ts'
import { type Owner, ReceiverSecrets } from './deliveries/secrets.ts'
import {
  type Actor,
  makeAffiliate,
  makeCommission,
  makeIssuer,
  makeLead,
  makeProduct,
  makeRelationship,
  makeStep,
  makeUser,
  TEST_SECRET,
  TestClient,
  type TestServer,
} from './testing.ts'

/** An issuer and an affiliate with a row of every noun; `rows` holds what the id of a path means for each. */
export async function makeTenant({ db, origin }: TestServer, mark: string) {
  const issuer = await makeIssuer(db, { company_name: `${mark} Banco`, contact_name: mark })
  const affiliate = await makeAffiliate(db, { company_name: `${mark} Portal`, contact_name: mark })
  const relationship = await makeRelationship(db, { affiliate_id: affiliate.id, issuer_id: issuer.id, notes: mark })
  const product = await makeProduct(db, { issuer_id: issuer.id, name: `${mark} Oro` })
  const ids = {
    relationship_id: relationship.id,
    affiliate_id: affiliate.id,
    issuer_id: issuer.id,
    product_id: product.id,
  }
  const step = await makeStep(db, { product_id: product.id, name: `${mark} paso` })
  const commission = await makeCommission(db, { ...ids, name: `${mark} comisión` })
  const entry = await makeEntry(db, ids, {})
  const payment = await makePayment(db, ids, { notes: mark })
  await makeLead(db, { ...ids, utm_source: mark, created_at: Date.now() - 86_400_000 })
  await db
    .insertInto('dashboard')
    .values([
      { name: `${mark} tablero`, iframe_url: '/embed/a', role: 'issuer', issuer_id: issuer.id },
      { name: `${mark} tablero`, iframe_url: '/embed/a', role: 'affiliate', affiliate_id: affiliate.id },
    ])
    .execute()
  const actors: Record<Role, Actor> = {
    admin: { role: 'admin' },
    issuer: { role: 'issuer', issuerId: issuer.id },
    affiliate: { role: 'affiliate', affiliateId: affiliate.id },
  }
  const user = await makeUser(db, actors.issuer, { first_name: mark })
  const colleague = await makeUser(db, actors.affiliate, { first_name: mark })
  const session = await db
    .insertInto('session')
    .values({
      user_id: user.id,
      refresh_hash: Buffer.from(mark),
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      address: '127.0.0.1',
      user_agent: mark,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const factor = await db
    .insertInto('second_factor')
    .values({ user_id: user.id, kind: 'totp', label: mark, secret: Buffer.from(mark), kek_id: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rate = await db
    .selectFrom('rate')
    .select('id')
    .where('commission_id', '=', commission.id)
    .executeTakeFirstOrThrow()
  const adjustment = await makeAdjustment(db, ids, { note: `${mark} bono acordado` })
  const term = await makeTerm(db, { relationship_id: relationship.id, note: mark })
  const file = await makeImport(db, issuer.id, { file_name: `${mark}.csv` })
  const [ofIssuer, ofAffiliate] = [
    await makeReceiver(db, { issuer_id: issuer.id, name: mark, ...sealedFor({ issuer_id: issuer.id }) }),
    await makeReceiver(db, { affiliate_id: affiliate.id, name: mark, ...sealedFor({ affiliate_id: affiliate.id }) }),
  ]
  const link = { affiliate_id: affiliate.id, relationship_id: relationship.id }
  await db
    .insertInto('link_fault')
    .values({ ...link, product_id: product.id, day: dateInMexico(), reason: 'unreplaced', sample: mark, count: 1 })
    .execute()
  const rows: Record<string, number | string> = {
    imports: file.id,
    'exports.importRows': file.id,
    terms: term.id,
    'issuer receivers': ofIssuer.id,
    'affiliate receivers': ofAffiliate.id,
    'issuer deliveries': (await makeDelivery(db, ofIssuer.id)).id,
    'affiliate deliveries': (await makeDelivery(db, ofAffiliate.id)).id,
    affiliates: affiliate.id,
    issuers: issuer.id,
    relationships: relationship.id,
    products: product.id,
    linkFaults: relationship.id,
    eventSteps: step.id,
    'eventSteps.byProduct': product.id,
    commissions: commission.id,
    rates: rate.id,
    commissionEntries: entry.id,
    adjustments: adjustment.id,
    explain: entry.id,
    'explain.lead': entry.lead_id,
    'explain.payment': payment.id,
    holds: entry.id,
    payments: payment.id,
    leads: entry.lead_id,
    rulings: entry.lead_id,
    privacy: entry.lead_id,
    users: user.id,
    'issuer people': user.id,
    'affiliate people': colleague.id,
    auth: session.id,
    secondFactors: factor.id,
    'reports.funnel': product.id,
    'exports.leads': entry.lead_id,
    'exports.payments': payment.id,
    'exports.paymentEntries': payment.id,
    'exports.commissionEntries': entry.id,
    'exports.affiliates': affiliate.id,
    'exports.issuers': issuer.id,
    'exports.relationships': relationship.id,
    'exports.products': product.id,
    'exports.eventSteps': step.id,
    'exports.commissions': commission.id,
    'exports.users': user.id,
  }
  return { actors, rows, ids, keys: await makeKeys(db, origin, ids) }
}

/** A client of each company's system. */
async function makeKeys(
  db: Db,
  origin: string,
  { issuer_id, affiliate_id }: { issuer_id: number; affiliate_id: number },
) {
  const keys = new ApiKeys(db, TEST_SECRET)
  const clientOf = (key: string) => new TestClient(origin, { 'x-api-key': key })
  return {
    issuer: clientOf(await keys.create(db, { issuerId: issuer_id }, 'api')),
    affiliate: clientOf(await keys.create(db, { affiliateId: affiliate_id }, 'api')),
  }
}

function sealedFor(owner: Partial<Owner>) {
  const secrets = new ReceiverSecrets(TEST_SECRET)
  return { secret: secrets.create({ affiliate_id: null, issuer_id: null, ...owner }).sealed, kek_id: secrets.keyId }
}
