import { sql } from 'kysely'
import type { MailKind } from '#contract/mail.ts'
import type { Role } from '#contract/roles.ts'
import type { Db, Tx } from '#db/connect.ts'
import { drawSentences, type Letter } from '../mail/letters.ts'
import { ownParties } from '../parties.ts'
import { sideOf } from '../viewer.ts'
import { type Bundle, bundled, sentenceOf } from './sentences.ts'
import { UNSUBSCRIBE_PATH, type UnsubscribeTokens } from './unsubscribe.ts'
import { sentenceOfWeek } from './week.ts'

/** What happens within this comes in one letter. */
const TOGETHER_SECONDS = 30
/** Nobody gets two letters closer together. */
const BETWEEN_MINUTES = 10
const REST_MS = 5_000
const SENTENCES = 50

/** Letters for what is to be mailed; returns the pause before the next call. */
export async function writeAndRest(db: Db): Promise<number> {
  await writeLetters(db)
  await writeDigests(db)
  return REST_MS
}

/** One waits for a person at a time: what comes until it is sent is said in it. */
export async function writeLetters(db: Db): Promise<void> {
  await sql`insert into mail (kind, user_id, recipient, next_at)
    select distinct 'notice', user_id, email, greatest(now() + make_interval(secs => ${TOGETHER_SECONDS}), (
      select max(settled_at) + make_interval(mins => ${BETWEEN_MINUTES}) from mail
      where mail.user_id = due.user_id and kind = 'notice' and state = 'sent'))
    from notices_due('notice', null) as due on conflict do nothing`.execute(db)
}

/** One a person and day, and none where there is nothing to say. */
export async function writeDigests(db: Db, moment: string = new Date().toISOString()): Promise<void> {
  await sql`insert into mail (kind, user_id, recipient, digest_day)
    select distinct 'digest', user_id, email, day
    from digest_day_of(${moment}) as day cross join lateral notices_due('digest', day) on conflict do nothing`.execute(
    db,
  )
}

interface Addressee {
  id: number
  role: string
  affiliate_id: number | null
  issuer_id: number | null
  first_name: string
}

interface Waiting {
  id: number
  kind: MailKind
  digest_day: string | null
}

/** A name with a line of its own would look like something that we say. */
const LINE_ENDS = /[\t\r\n\u0085\u2028\u2029]+/g

/**
 * What a letter says: it takes what is due and keeps it, also for a later attempt, but for what was switched off since.
 * Nothing when it has nothing to say.
 */
export async function drawNotices(
  tx: Tx,
  { id, kind, digest_day }: Waiting,
  user: Addressee,
  { publicUrl, tokens }: { publicUrl: string; tokens: UnsubscribeTokens },
): Promise<Letter | undefined> {
  await sql`update notice set mail_id = ${id}
    where id in (select due.id from notices_due(${kind}, ${digest_day}) as due where due.user_id = ${user.id})`.execute(
    tx,
  )
  const kept = sql`(select * from notice where id in (
    select wanted.id from notices_wanted() as wanted where wanted.mail_id = ${id} and wanted.user_id = ${user.id}))`
  const { rows } = await sql<Bundle>`
    ${bundled(kept, sql`max(notice.id) as id`, sql`()`)} order by id`.execute(tx)
  if (!rows.length) return undefined
  const side = sideOf(user)
  const week =
    side && kind === 'digest' && digest_day !== null && (await sentenceOfWeek(tx, ownParties(side), digest_day))
  const sentences = [
    ...(week ? [week] : []),
    ...rows.map((row) => sentenceOf(row, user.role as Role).replace(LINE_ENDS, ' ')),
  ]
  const stop = `${publicUrl}${UNSUBSCRIBE_PATH}?t=${tokens.sign(user.id)}`
  return drawSentences({
    subject: subjectOf(kind, sentences),
    firstName: user.first_name,
    sentences: sentences.slice(0, SENTENCES),
    more: Math.max(0, sentences.length - SENTENCES),
    publicUrl,
    settings: `${publicUrl}/app/${user.role}/settings`,
    stop,
  })
}

const subjectOf = (kind: MailKind, [first = '', ...rest]: string[]): string =>
  kind === 'digest' ? 'Tu resumen de Afluente' : rest.length ? `${rest.length + 1} avisos de Afluente` : first
