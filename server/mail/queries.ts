import { sql } from 'kysely'
import type { ListQuery } from '#contract/fields.ts'
import type { Mail, MailKind, MailState } from '#contract/mail.ts'
import type { Db } from '#db/connect.ts'
import type { Answer } from '../http/http.ts'
import { answerList, everyWord } from '../http/lists.ts'

export function listMail(db: Db, filters: ListQuery): Promise<Mail[] | Answer<Mail[]>> {
  let rows = db
    .selectFrom('mail')
    .select(['id', 'kind', 'recipient', 'state', 'attempts', 'error', 'created_at', 'next_at', 'settled_at'])
    .where('created_at', '>', sql<string>`now() - interval '30 days'`)
    // Anybody may ask for a link with any address; one that nobody has waits only to be forgotten.
    .where((eb) =>
      eb.or([
        eb('state', '<>', 'waiting'),
        eb('user_id', 'is not', null),
        eb.exists(
          eb
            .selectFrom('user')
            .select('user.id')
            .whereRef('user.email', '=', 'mail.recipient')
            .where('user.archived_at', 'is', null),
        ),
      ]),
    )
  if (filters.search) rows = rows.where(everyWord(filters.search, [sql.ref('recipient')]))
  return answerList(rows.orderBy('id', 'desc'), filters, ({ next_at, ...row }) => ({
    ...row,
    kind: row.kind as MailKind,
    state: row.state as MailState,
    next_at: row.state === 'waiting' ? next_at : null,
  }))
}
