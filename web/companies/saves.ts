import { rfcWarningTexts } from '#contract/companies.ts'
import { type CreatedUser, type FirstPerson, users } from '#contract/users.ts'
import { call, type Outcome } from '#web/api/client.ts'
import { ApiError } from '#web/api/errors.ts'
import { toast } from '#web/ui/toast.ts'
import { orRefusal } from '#web/users/refusal.ts'

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

/**
 * Creates the user after the company; if the user is refused, the company stays. `company` is one that is being created, or
 * the id of one that was and still lacks its user.
 */
export async function withUser(
  company: number | Promise<Outcome<{ id: number }>>,
  user: FirstPerson,
  role: Association['role'],
  requestKey: string,
): Promise<CompanyWithUser> {
  const id = typeof company === 'number' ? company : await idOf(company)
  const association: Association = {
    role,
    affiliate_id: role === 'affiliate' ? id : null,
    issuer_id: role === 'issuer' ? id : null,
  }
  // The company was made with the key itself.
  const ofItsUser = { body: { ...user, ...association }, requestKey: `${requestKey}-user` }
  return orRefusal(call(users.create, ofItsUser)).then(
    (created) => ({ id, user: created, userError: undefined }),
    (error: Error) => ({ id, user: undefined, userError: ofUser(error) }),
  )
}

async function idOf(saving: Promise<Outcome<{ id: number }>>): Promise<number> {
  const { data, warnings } = await saving
  warnOfRfc(warnings)
  return data.id
}

/** In the form of the company the fields of its user stand below `user`. */
function ofUser(error: Error): Error {
  if (!(error instanceof ApiError)) return error
  const fields = Object.entries(error.fieldErrors).map(([name, texts]) => [`user.${name}`, texts] as const)
  return new ApiError(error.status, error.message, Object.fromEntries(fields), error.code)
}

/** The toast of a creation: one text when both calls succeeded, else what is missing and why. */
export function createdText({ userError }: CompanyWithUser, created: string, isRetry: boolean): string | undefined {
  if (!userError) return isRetry ? 'Usuario creado exitosamente' : created
  console.error('user of the company not created', userError)
  if (isRetry) {
    toast.error('Error', { id: userError.message, description: userError.message, duration: SHOWN_MS })
    return undefined
  }
  toast.error(`${created}, pero falló la creación del usuario. Contacta al administrador.`, {
    description: `${userError.message.replace(/\.$/, '')}. Corrígelo en el formulario, o créalo después desde la lista.`,
    duration: SHOWN_MS,
  })
  return undefined
}
