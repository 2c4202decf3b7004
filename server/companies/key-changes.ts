import { sql } from 'kysely'
import { type KeyKind, keyLabels } from '#contract/companies.ts'
import type { Tx } from '#db/connect.ts'
import { audit, auditChange } from '../audit.ts'
import { announce } from '../deliveries/occurrences.ts'
import { AppError } from '../http/errors.ts'
import type { Viewer } from '../viewer.ts'
import type { ApiKeys, Rotation } from './api-keys.ts'
import { keyOwner, lockCompany } from './changes.ts'
import type { Company } from './companies.ts'

/** The old key stays valid for a day, unless it is to end at once; `kind` names the key in the audit trail. */
export async function rotateCompanyKey(
  tx: Tx,
  viewer: Viewer,
  keys: ApiKeys,
  noun: Company,
  id: number,
  kind: KeyKind,
  { revokeOld = false }: Rotation,
): Promise<void> {
  const company = await lockCompany(tx, noun, id)
  if (kind === 'signing') await endSigningByKey(tx, id, revokeOld)
  await keys.rotate(tx, keyOwner(noun, id), kind, { revokeOld })
  await announce(tx, 'key.rotated', { [`${noun}_id`]: id, detail: kind })
  const after = { kind, ...(revokeOld && { revoked_old: true }) }
  await audit(tx, viewer, { action: 'rotate_key', entity: noun, entityId: id, label: company.company_name, after })
}

/**
 * Signatures with the API key count while the issuer has no signing secret, and as long beside its first one as any key
 * that is changed. It has no secret yet while the column is null.
 */
async function endSigningByKey(tx: Tx, issuerId: number, atOnce: boolean): Promise<void> {
  const end = atOnce
    ? sql<string>`least(key_signs_until, now())`
    : sql<string>`coalesce(key_signs_until, now() + interval '24 hours')`
  await tx.updateTable('issuer').set({ key_signs_until: end }).where('id', '=', issuerId).execute()
}

/** Ends what a change left valid, of one kind or of all. */
export async function revokeOldKeys(
  tx: Tx,
  viewer: Viewer,
  keys: ApiKeys,
  noun: Company,
  id: number,
  kind: KeyKind | undefined,
): Promise<void> {
  const company = await lockCompany(tx, noun, id)
  const kinds = kind ? [kind] : (Object.keys(keyLabels) as KeyKind[])
  for (const each of kinds) {
    const ended = await keys.revokeOld(tx, keyOwner(noun, id), each)
    const signedByKey = each === 'signing' && noun === 'issuer' && (await stopSigningByKey(tx, id))
    if (ended === 0 && !signedByKey) continue
    const what = { action: 'revoke_key', entity: noun, entityId: id, label: company.company_name } as const
    await audit(tx, viewer, { ...what, after: { kind: each } })
  }
}

async function stopSigningByKey(tx: Tx, issuerId: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('issuer')
    .set({ key_signs_until: sql<string>`now()` })
    .where('id', '=', issuerId)
    .where('key_signs_until', '>', sql<string>`now()`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const NO_SIGNING_SECRET = 'Crea primero el secreto de firma: sin él no hay con qué firmar'

export async function requireSignature(tx: Tx, viewer: Viewer, id: number, required: boolean): Promise<void> {
  const before = await lockCompany(tx, 'issuer', id)
  const { key_signs_until, signature_required } = await tx
    .selectFrom('issuer')
    .select(['key_signs_until', 'signature_required'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (required && key_signs_until === null) throw new AppError(409, 'NO_SIGNING_SECRET', NO_SIGNING_SECRET)
  if (signature_required === required) return
  await tx.updateTable('issuer').set({ signature_required: required }).where('id', '=', id).execute()
  await auditChange(tx, viewer, {
    entity: 'issuer',
    label: before.company_name,
    before: { ...before, signature_required } as { id: number },
    after: { signature_required: required },
  })
}
