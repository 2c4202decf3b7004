import { mail } from '#contract/mail.ts'
import { keys } from '#web/api/queries.ts'
import { wholeListQuery } from '#web/api/whole-list.ts'

export const mailQuery = () => ({ ...wholeListQuery(keys.mail, mail.list), staleTime: 0 })
