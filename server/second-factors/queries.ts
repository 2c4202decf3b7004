import type { AuditAction } from '#contract/audit-log.ts'
import type { PasskeyAnswer } from '#contract/proofs.ts'
import type { FactorKind, SecondFactors } from '#contract/second-factors.ts'
import { TOTP_EXISTS, WRONG_CODE } from '#contract/second-factors.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { announce } from '../deliveries/occurrences.ts'
import { conflict, invalid, notFound } from '../http/errors.ts'
import type { Viewer } from '../viewer.ts'
import type { Codes } from './codes.ts'
import type { Passkeys } from './passkeys.ts'
import { expectNotRequired } from './policy.ts'

/** What counts at a sign-in. */
export const factorsOf = (db: Db | Tx, userId: number) =>
  db
    .selectFrom('second_factor')
    .select(['id', 'kind', 'label', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .orderBy('id')
    .execute()

export async function listFactors(db: Db, viewer: Viewer, passkeys: Passkeys): Promise<SecondFactors> {
  const factors = await factorsOf(db, viewer.userId)
  const { left } = await db
    .selectFrom('recovery_code')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('user_id', '=', viewer.userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return {
    factors: factors.map((factor) => ({ ...factor, kind: factor.kind as FactorKind })),
    recovery_codes_left: left,
    passkeys_possible: passkeys.possible,
  }
}

/** Until a code confirms it, the sign-in does not ask for it; beginning again takes another seed. */
export async function startTotp(db: Db, viewer: Viewer, codes: Codes): Promise<{ secret: string; uri: string }> {
  return db.transaction().execute(async (tx) => {
    const { email } = await lockOwner(tx, viewer)
    const factors = await factorsOf(tx, viewer.userId)
    if (factors.some(({ kind }) => kind === 'totp')) throw conflict(TOTP_EXISTS, 'TOTP_EXISTS')
    const { sealed, secret, uri } = codes.newSeed(viewer.userId, email)
    await tx.deleteFrom('second_factor').where('user_id', '=', viewer.userId).where('kind', '=', 'totp').execute()
    const row = { user_id: viewer.userId, kind: 'totp', label: 'Aplicación de códigos', ...sealed }
    await tx.insertInto('second_factor').values(row).execute()
    return { secret, uri }
  })
}

type Given = { recovery_codes: string[] | null }

export const confirmTotp = (db: Db, viewer: Viewer, codes: Codes, code: string): Promise<Given> =>
  db.transaction().execute(async (tx) => {
    await lockOwner(tx, viewer)
    if (!(await codes.takeTotp(tx, viewer.userId, code, { confirms: true })))
      throw invalid('code', `${WRONG_CODE} Si pasó más de una hora, cierra y vuelve a empezar.`)
    return noteFactor(tx, viewer, codes, 'totp')
  })

export const addPasskey = (
  db: Db,
  viewer: Viewer,
  { codes, passkeys }: { codes: Codes; passkeys: Passkeys },
  answer: PasskeyAnswer & { label: string },
): Promise<Given> =>
  db.transaction().execute(async (tx) => {
    await lockOwner(tx, viewer)
    await passkeys.register(tx, viewer, answer)
    return noteFactor(tx, viewer, codes, 'passkey')
  })

/** With the first factor come the codes for when it is lost. */
async function noteFactor(tx: Tx, viewer: Viewer, codes: Codes, factor: FactorKind): Promise<Given> {
  await note(tx, viewer, 'add_factor', { factor })
  // It opens the account from now on, also after another password.
  await announce(tx, 'factor.added', { user_id: viewer.userId, detail: factor })
  const known = await tx
    .selectFrom('recovery_code')
    .select('id')
    .where('user_id', '=', viewer.userId)
    .limit(1)
    .executeTakeFirst()
  return { recovery_codes: known ? null : await codes.newRecoveryCodes(tx, viewer.userId) }
}

export const renewRecoveryCodes = (db: Db, viewer: Viewer, codes: Codes): Promise<Given> =>
  db.transaction().execute(async (tx) => {
    await lockOwner(tx, viewer)
    const factors = await factorsOf(tx, viewer.userId)
    if (!factors.length) throw conflict('Primero registra un segundo factor', 'NO_FACTOR')
    await note(tx, viewer, 'renew_codes')
    return { recovery_codes: await codes.newRecoveryCodes(tx, viewer.userId) }
  })

/** With the last factor go the recovery codes: there is nothing left that they would replace. */
export async function removeFactor(db: Db, viewer: Viewer, id: number): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    await lockOwner(tx, viewer)
    const removed = await tx
      .deleteFrom('second_factor')
      .where('id', '=', id)
      .where('user_id', '=', viewer.userId)
      .returning('kind')
      .executeTakeFirst()
    if (!removed) throw notFound('Segundo factor')
    const left = await factorsOf(tx, viewer.userId)
    if (!left.length) {
      await expectNotRequired(tx, viewer)
      await tx.deleteFrom('recovery_code').where('user_id', '=', viewer.userId).execute()
    }
    await announce(tx, 'factor.removed', { user_id: viewer.userId, detail: removed.kind })
    await note(tx, viewer, 'remove_factor', { factor: removed.kind })
  })
  return undefined
}

/** Everything that a sign-in asks for besides the password: whose devices are lost begins anew. */
export async function forgetFactors(tx: Tx, userId: number): Promise<number> {
  const gone = await tx.deleteFrom('second_factor').where('user_id', '=', userId).executeTakeFirst()
  await tx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  if (gone.numDeletedRows) await announce(tx, 'factor.removed', { user_id: userId })
  return Number(gone.numDeletedRows)
}

const note = (tx: Tx, viewer: Viewer, action: AuditAction, after: { factor?: string } = {}) =>
  audit(tx, viewer, { action, entity: 'user', entityId: viewer.userId, label: viewer.name, after })

const lockOwner = (tx: Tx, { userId }: Viewer) =>
  tx.selectFrom('user').select('email').where('id', '=', userId).forUpdate().executeTakeFirstOrThrow()
