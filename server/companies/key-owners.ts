import { sql } from 'kysely'
import type { KeyKind } from '#contract/companies.ts'
import type { Db } from '#db/connect.ts'
import type { Side } from '../viewer.ts'

/** Whose API key it is; only an active company's opens anything. */
export type KnownCompany = { id: number; name: string; active: boolean } & Exclude<Side, { role: 'admin' }>

const isValid = sql<boolean>`(api_key.expires_at is null or api_key.expires_at > now())`

/** All in one round trip, since events wait for it. */
export async function findIssuerOf(db: Db, kind: KeyKind, hash: Buffer, kekId: string) {
  return db
    .selectFrom('api_key')
    .innerJoin('issuer', 'issuer.id', 'api_key.issuer_id')
    .select((eb) => [
      'api_key.id',
      'issuer.id as issuerId',
      'issuer.signature_required as signatureRequired',
      sql<boolean>`coalesce(issuer.key_signs_until > now(), true)`.as('keySigns'),
      eb
        .selectFrom('api_key as secret')
        .select(sql<string[]>`coalesce(array_agg(encode(key_ciphertext, 'base64')), '{}')`.as('secrets'))
        .whereRef('secret.issuer_id', '=', 'issuer.id')
        .where('secret.kind', '=', 'signing')
        .where('secret.kek_id', '=', kekId)
        .where((one) =>
          one.or([one('secret.expires_at', 'is', null), one('secret.expires_at', '>', one.fn<string>('now'))]),
        )
        .$asScalar()
        .$notNull()
        .as('secrets'),
    ])
    .where('api_key.key_hash', '=', hash)
    .where('api_key.kind', '=', kind)
    .where(isValid)
    .where('issuer.archived_at', 'is', null)
    .executeTakeFirst()
}

export async function findCompanyOf(db: Db, hash: Buffer): Promise<KnownCompany | undefined> {
  const row = await db
    .selectFrom('api_key')
    .leftJoin('issuer', 'issuer.id', 'api_key.issuer_id')
    .leftJoin('affiliate', 'affiliate.id', 'api_key.affiliate_id')
    .select((eb) => [
      'api_key.id',
      'api_key.issuer_id',
      'api_key.affiliate_id',
      eb.fn.coalesce('issuer.company_name', 'affiliate.company_name', eb.val('')).as('name'),
      sql<boolean>`coalesce(issuer.user_status, affiliate.user_status) = 'active'`.as('active'),
    ])
    .where('api_key.key_hash', '=', hash)
    .where('api_key.kind', '=', 'api')
    .where(isValid)
    .where('issuer.archived_at', 'is', null)
    .where('affiliate.archived_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, name, active, issuer_id, affiliate_id } = row
  if (issuer_id !== null) return { id, name, active, role: 'issuer', issuerId: issuer_id }
  return affiliate_id === null ? undefined : { id, name, active, role: 'affiliate', affiliateId: affiliate_id }
}
