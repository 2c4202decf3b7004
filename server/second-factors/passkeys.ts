import { sql } from 'kysely'
import type { Credential, PasskeyAnswer } from '#contract/proofs.ts'
import { NO_PASSKEYS, PASSKEY_REFUSED, PASSKEYS } from '#contract/second-factors.ts'
import type { Db, Tx } from '#db/connect.ts'
import { conflict, unauthenticated } from '../http/errors.ts'
import type { Viewer } from '../viewer.ts'
import { ask, take } from './challenges.ts'

type Json = Record<string, unknown>
const library = () => import('@simplewebauthn/server')
type Library = Awaited<ReturnType<typeof library>>
type Registration = Parameters<Library['verifyRegistrationResponse']>[0]['response']
type Assertion = Parameters<Library['verifyAuthenticationResponse']>[0]['response']

const refused = () => unauthenticated(PASSKEY_REFUSED)
const TOO_MANY = `No se pueden tener más de ${PASSKEYS} llaves de acceso`

/** Credentials that browsers keep for this address. The library is loaded when the first is asked for. */
export class Passkeys {
  readonly #origin: string
  readonly #host: string
  /** Browsers give them to https alone, and to this machine. */
  readonly possible: boolean

  constructor(publicUrl: string) {
    const { origin, hostname, protocol } = new URL(publicUrl)
    this.#origin = origin
    this.#host = hostname
    this.possible = hostname === 'localhost' || (protocol === 'https:' && !/^[\d.]+$|^\[/.test(hostname))
  }

  async startRegistration(db: Db, viewer: Viewer): Promise<{ state: string; options: Json }> {
    this.#expectPossible()
    const { email, known } = await expectRoom(db, viewer.userId)
    const { generateRegistrationOptions } = await library()
    const options = await generateRegistrationOptions({
      rpName: 'Afluente',
      rpID: this.#host,
      userName: email,
      userDisplayName: viewer.name,
      // Nothing about the person, and the same for each of their credentials.
      userID: new TextEncoder().encode(`afluente-${viewer.userId}`),
      excludeCredentials: known,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const state = await ask(db, { purpose: 'register', userId: viewer.userId, nonce: options.challenge })
    return { state, options: options as unknown as Json }
  }

  /** Stores what the browser made, if it was made here, now and for this person. */
  async register(tx: Tx, viewer: Viewer, { state, credential, label }: PasskeyAnswer & { label: string }) {
    this.#expectPossible()
    const asked = await take(tx, 'register', state)
    if (!asked?.nonce || asked.user_id !== viewer.userId) throw conflict(PASSKEY_REFUSED, 'PASSKEY_REFUSED')
    const { verifyRegistrationResponse } = await library()
    const { registrationInfo } = await verifyRegistrationResponse({
      response: credential as unknown as Registration,
      expectedChallenge: asked.nonce,
      expectedOrigin: this.#origin,
      expectedRPID: this.#host,
      requireUserVerification: true,
    }).catch(() => ({ registrationInfo: undefined }))
    if (!registrationInfo) throw conflict(PASSKEY_REFUSED, 'PASSKEY_REFUSED')
    await expectRoom(tx, viewer.userId)
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('second_factor')
      .values({
        ...{ user_id: viewer.userId, kind: 'passkey', label, counter, transports },
        credential_id: id,
        public_key: Buffer.from(publicKey),
        confirmed_at: sql<string>`now()`,
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .executeTakeFirst()
    if (!numInsertedOrUpdatedRows) throw conflict('Esta llave de acceso ya está registrada', 'PASSKEY_EXISTS')
  }

  /** For whoever holds a passkey of this address: the browser knows whose. */
  async startAssertion(db: Db): Promise<{ state: string; options: Json }> {
    this.#expectPossible()
    const { generateAuthenticationOptions } = await library()
    const options = await generateAuthenticationOptions({ rpID: this.#host, userVerification: 'required' })
    const state = await ask(db, { purpose: 'passkey', nonce: options.challenge })
    return { state, options: options as unknown as Json }
  }

  /** Whose passkey it is. The person was verified by the device, so that it stands for both factors. */
  async check(db: Db, { state, credential }: PasskeyAnswer): Promise<number> {
    this.#expectPossible()
    const asked = await take(db, 'passkey', state)
    const passkey = await findPasskey(db, credential)
    if (!asked?.nonce || !passkey) throw refused()
    const { verifyAuthenticationResponse } = await library()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: credential as unknown as Assertion,
      expectedChallenge: asked.nonce,
      expectedOrigin: this.#origin,
      expectedRPID: this.#host,
      requireUserVerification: true,
      credential: {
        id: credential.id,
        publicKey: new Uint8Array(passkey.public_key ?? []),
        counter: passkey.counter ?? 0,
      },
    }).catch(() => ({ verified: false, authenticationInfo: undefined }))
    if (!verified || !authenticationInfo) throw refused()
    const noted = await db
      .updateTable('second_factor')
      .set({ counter: authenticationInfo.newCounter, last_used_at: sql<string>`now()` })
      .where('id', '=', passkey.id)
      // Of a device and its copy at once one counts on.
      .where('counter', 'is not distinct from', passkey.counter)
      .executeTakeFirst()
    if (!noted.numUpdatedRows) throw refused()
    return passkey.user_id
  }

  #expectPossible(): void {
    if (!this.possible) throw conflict(NO_PASSKEYS, 'NO_PASSKEYS')
  }
}

const findPasskey = (db: Db, { id }: Credential) =>
  db
    .selectFrom('second_factor')
    .select(['id', 'user_id', 'public_key', 'counter'])
    .where('credential_id', '=', id)
    .executeTakeFirst()

/** The person who may have one more. Questions that were asked before the last one was answered are refused with it. */
async function expectRoom(db: Db | Tx, userId: number) {
  const { email } = await db.selectFrom('user').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
  const passkeys = await db
    .selectFrom('second_factor')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'passkey')
    .orderBy('id')
    .execute()
  if (passkeys.length >= PASSKEYS) throw conflict(TOO_MANY, 'TOO_MANY_PASSKEYS')
  return { email, known: passkeys.map((one) => ({ id: one.credential_id ?? '', transports: one.transports })) }
}
