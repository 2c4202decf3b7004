import { rfcWarningTexts } from '#contract/companies.ts'
import { type CreatedUser, type FirstPerson, users } from '#contract/users.ts'
import { call, type Outcome } from '#web/api/client.ts'
import { toast } from '#web/ui/toast.ts'

const SHOWN_MS = 12_000

/** Says what is odd about the RFC of a company that was saved all the same. */
export function warnOfRfc(warnings: readonly string[]): void {
  const texts = warnings.filter((code) => code in rfcWarningTexts).map((code) => rfcWarningTexts[code as 'RFC_DATE'])
  if (texts.length === 0) return
  toast.warning('Revisa el RFC', { description: `Se guardó. ${texts.join('. ')}.`, duration: SHOWN_MS })
}

export interface CompanyWithUser {
  id: number
  user: CreatedUser | undefined
  /** Why the user was not created; the company was. */
  userError: Error | undefined
}

type Association = { role: 'affiliate' | 'issuer'; affiliate_id: number | null; issuer_id: number | null }

/** Creates the user after the company; if the user is refused, the company stays. */
export async function withUser(
  saving: Promise<Outcome<{ id: number }>>,
  user: FirstPerson,
  role: Association['role'],
): Promise<CompanyWithUser> {
  const { data: company, warnings } = await saving
  warnOfRfc(warnings)
  const association: Association = {
    role,
    affiliate_id: role === 'affiliate' ? company.id : null,
    issuer_id: role === 'issuer' ? company.id : null,
  }
  return call(users.create, { body: { ...user, ...association } }).then(
    (created) => ({ id: company.id, user: created, userError: undefined }),
    (error: Error) => ({ id: company.id, user: undefined, userError: error }),
  )
}

/** The toast of a creation: one text when both calls succeeded, else what is missing and why. */
export function createdText({ userError }: CompanyWithUser, created: string): string | undefined {
  if (!userError) return created
  console.error('user of the company not created', userError)
  toast.error(`${created}, pero falló la creación del usuario. Contacta al administrador.`, {
    description: `${userError.message}. Puedes crear el usuario desde la lista.`,
    duration: SHOWN_MS,
  })
  return undefined
}
