import { sql } from 'kysely'
import type { LinkPurpose } from '#contract/access-links.ts'
import type { MailKind } from '#contract/mail.ts'
import type { Db, Tx } from '#db/connect.ts'
import { codeOf } from '#db/operator-error.ts'
import { addressOfLink, makeLink, openLinks } from '../access-links/links.ts'
import { audit } from '../audit.ts'
import type { Mailing } from '../config.ts'
import { drawNotices } from '../notices/letters.ts'
import type { UnsubscribeTokens } from '../notices/unsubscribe.ts'
import { drawLetter, type Letter } from './letters.ts'

/** Minutes to the next attempt, from the first failure on; then it has failed. */
const RETRIES = [1, 5, 15, 60, 240, 1440]
/** A letter that was taken and not settled by then belonged to a server that died. */
const LEASE_MINUTES = 5
/** Who asked for a reset is not waiting for it any more. */
const RESET_MINUTES = 60
const REST_MS = 2_000
/** For the letter under way when the server stops: cut off after its end was sent, it may come twice. */
const LAST_MS = 3_000

export interface Post {
  db: Db
  mailing: Mailing
  publicUrl: string
  tokens: UnsubscribeTokens
  report: (error: unknown) => void
  /** Aborted when the server stops. */
  signal: AbortSignal
}

/** Sends what is due, a letter at a time, until the server stops; returns the pause before the next call. */
export async function sendAndRest(post: Post): Promise<number> {
  while (!post.signal.aborted) {
    const due = await takeDue(post.db)
    if (!due) break
    await sendOne(post, due)
  }
  return REST_MS
}

type Due = NonNullable<Awaited<ReturnType<typeof takeDue>>>

async function sendOne(post: Post, due: Due): Promise<void> {
  const { db, report } = post
  try {
    const letter = await write(post, due)
    if (!letter) return
    await deliver(post, due.recipient, letter)
  } catch (error) {
    if (codeOf(error) === 'EABORT') return giveBack(db, due)
    report(error)
    return settleFailure(db, due, error)
  }
  await db
    .updateTable('mail')
    .set({ state: 'sent', settled_at: sql<string>`now()`, error: null })
    .where('id', '=', due.id)
    .execute()
}

/** Loaded with the first letter. A letter holds a link, so that it leaves this machine encrypted unless SMTP_URL says otherwise. */
async function deliver({ mailing, signal }: Post, to: string, { headers, ...letter }: Letter): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const { url, from } = mailing
  const { hostname } = new URL(url)
  const transport = createTransport({
    url,
    requireTLS: !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const late = new AbortController()
  const onStop = () => setTimeout(() => late.abort(), LAST_MS).unref()
  signal.addEventListener('abort', onStop)
  if (signal.aborted) onStop()
  try {
    await transport.sendMail({
      signal: late.signal,
      from,
      to: { name: '', address: to },
      ...letter,
      headers: { 'Auto-Submitted': 'auto-generated', ...headers },
    })
  } finally {
    signal.removeEventListener('abort', onStop)
    transport.close()
  }
}

/** Another refusal than of the letter itself, such as of our own password, may be mended. */
const isFinal = (error: unknown): boolean => {
  const { responseCode = 0, code } = error as { responseCode?: number; code?: string }
  return responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
}

/** For the next start: that the server stopped is no failure of the letter. */
async function giveBack(db: Db, { id, attempts }: Due): Promise<void> {
  await db
    .updateTable('mail')
    .set({ attempts: attempts - 1, next_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute()
}

async function settleFailure(db: Db, { id, attempts }: Due, error: unknown): Promise<void> {
  const minutes = RETRIES[attempts - 1]
  const said = String(error instanceof Error ? error.message : error).slice(0, 500)
  const fate =
    minutes === undefined || isFinal(error)
      ? { state: 'failed', settled_at: sql<string>`now()` }
      : { next_at: sql<string>`now() + make_interval(mins => ${minutes}::int)` }
  await db
    .updateTable('mail')
    .set({ error: said, ...fate })
    .where('id', '=', id)
    .execute()
}

/**
 * Taken for some minutes, in which no other copy of the server takes it. By itself, before it is written: one that cannot
 * be written counts as tried, and the next is taken. While it is under way it has no error, by which `enqueue` leaves it alone.
 */
const takeDue = (db: Db) =>
  db
    .updateTable('mail')
    .set({
      attempts: sql<number>`attempts + 1`,
      next_at: sql<string>`now() + make_interval(mins => ${LEASE_MINUTES}::int)`,
      error: null,
    })
    .where('id', '=', (query) =>
      query
        .selectFrom('mail')
        .select('id')
        .where('state', '=', 'waiting')
        .where('next_at', '<=', sql<string>`now()`)
        // Whoever asked for a link waits for it; the morning's digests do not.
        .orderBy(sql`kind in ('notice', 'digest')`)
        .orderBy('next_at')
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'user_id', 'recipient', 'created_by', 'attempts', 'digest_day'])
    .returning(sql<MailKind>`kind`.as('kind'))
    .returning(sql<boolean>`created_at < now() - make_interval(mins => ${RESET_MINUTES}::int)`.as('is_old'))
    .executeTakeFirst()

/** Nothing when nobody is to get it. A link is made with each attempt: none is kept. */
const write = (post: Post, due: Due): Promise<Letter | undefined> =>
  post.db
    .transaction()
    .execute(async (tx) => {
      const user = await findAddressee(tx, due)
      if (!user || (due.kind === 'reset' && due.is_old)) {
        await drop(tx, due, user)
        return undefined
      }
      const letter = await draw(tx, post, due, user)
      if (!letter) await tx.deleteFrom('mail').where('id', '=', due.id).execute()
      return letter
    })
    .catch((error: unknown) => {
      throw new Error('Afluente no pudo escribir este correo; el motivo está en su registro', { cause: error })
    })

type Addressee = NonNullable<Awaited<ReturnType<typeof findAddressee>>>

async function draw(tx: Tx, post: Post, mail: Due, user: Addressee): Promise<Letter | undefined> {
  const { id, kind, created_by } = mail
  if (kind === 'notice' || kind === 'digest') return drawNotices(tx, mail, user, post)
  // Who asks without signing in may be anybody: an invitation that waits is repeated, not cut short.
  const purpose = created_by === null && (await isInvited(tx, user)) ? 'invite' : kind
  const { token } = await makeLink(tx, { userId: user.id, purpose, delivered: 'mail', createdBy: created_by })
  if (created_by === null) await noteLink(tx, id, user, purpose)
  const { publicUrl } = post
  return drawLetter(purpose, { firstName: user.first_name, link: addressOfLink(publicUrl, token), publicUrl })
}

/** Was never here and has an invitation that still opens the account. */
async function isInvited(tx: Tx, { id, last_login }: Addressee): Promise<boolean> {
  if (last_login !== null) return false
  const invitation = await openLinks(tx)
    .select('id')
    .where('user_id', '=', id)
    .where('purpose', '=', 'invite')
    .executeTakeFirst()
  return invitation !== undefined
}

/** Nobody is told which addresses asked in vain: of a stranger's nothing stays. */
async function drop(tx: Tx, mail: Due, user: object | undefined): Promise<void> {
  if (!user && mail.user_id === null) {
    await tx.deleteFrom('mail').where('id', '=', mail.id).execute()
    return
  }
  const error = user ? 'Pasó más de una hora desde que se pidió' : 'El usuario ya no usa este correo o no está activo'
  await tx
    .updateTable('mail')
    .set({ state: 'failed', attempts: mail.attempts - 1, settled_at: sql<string>`now()`, error })
    .where('id', '=', mail.id)
    .execute()
}

/** The person of the letter, while the address is theirs and they may come in. */
const findAddressee = (tx: Tx, { user_id, recipient }: { user_id: number | null; recipient: string }) =>
  tx
    .selectFrom('user')
    .select(['id', 'first_name', 'last_name', 'role', 'affiliate_id', 'issuer_id', 'last_login'])
    .where('email', '=', recipient)
    .where('user_status', '=', 'active')
    .where('archived_at', 'is', null)
    .$if(user_id !== null, (query) => query.where('id', '=', user_id))
    .forNoKeyUpdate()
    .executeTakeFirst()

/** That somebody who did not sign in asked for it; a link that a person gave is noted when it is given. */
async function noteLink(tx: Tx, mailId: number, user: Addressee, purpose: LinkPurpose) {
  const actor = { role: 'system', name: 'Afluente', requestId: `mail-${mailId}`, address: '' } as const
  const label = `${user.first_name} ${user.last_name}`
  const after = { purpose, delivered: 'mail' }
  await audit(tx, actor, { action: 'give_link', entity: 'user', entityId: user.id, label, after })
}
