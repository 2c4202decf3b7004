import { sql } from 'kysely'
import { NOTICE_FIXED, type NoticeChoice, type NoticeChoices, NoticeType } from '#contract/notices.ts'
import type { Db, Tx } from '#db/connect.ts'
import { invalid } from '../http/errors.ts'
import type { Viewer } from '../viewer.ts'

/** In the order in which the contract names them. */
async function choicesOf(db: Db | Tx, userId: number): Promise<NoticeChoice[]> {
  const { rows } = await sql<NoticeChoice>`select * from notice_choices(${userId})`.execute(db)
  return NoticeType.options.flatMap((type) => rows.filter((row) => row.type === type))
}

export const readChoices = async (db: Db, { userId }: Viewer, mails: boolean): Promise<NoticeChoices> => ({
  mails,
  // Who asks for a link gets it by mail, where there is mail.
  choices: (await choicesOf(db, userId)).filter(({ type }) => !mails || type !== 'access.asked'),
})

export async function choose(
  db: Db,
  { userId }: Viewer,
  { type, in_product, mail }: Omit<NoticeChoice, 'is_fixed'>,
): Promise<NoticeChoice> {
  const known = (await choicesOf(db, userId)).find((each) => each.type === type)
  if (!known) throw invalid('type', 'Este aviso no es para ti')
  if (known.is_fixed) throw invalid('type', NOTICE_FIXED)
  await db
    .insertInto('notice_choice')
    .values({ user_id: userId, type, in_product, mail })
    .onConflict((conflict) => conflict.columns(['user_id', 'type']).doUpdateSet({ in_product, mail }))
    .execute()
  return { ...known, in_product, mail }
}

/** No mail but that which cannot be switched off; in the product all stays as it was. */
export async function stopMail(db: Db, userId: number): Promise<void> {
  await sql`insert into notice_choice (user_id, type, in_product, mail)
    select ${userId}, type, in_product, 'off' from notice_choices(${userId}) where not is_fixed
    on conflict (user_id, type) do update set mail = 'off'`.execute(db)
}
