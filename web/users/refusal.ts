import { EMAIL_TAKEN, USER_SAVE_FAILED } from '#contract/users.ts'
import { ApiError, inWords } from '#web/api/errors.ts'

const IN_USE = /email|duplicate|already exists/i

/** An email that is taken is shown at its field (specification section 5); a malformed one has another text. */
function refusal(error: unknown): unknown {
  if (error instanceof ApiError && error.code !== 'VALIDATION_ERROR' && IN_USE.test(error.message))
    return new ApiError(error.status, EMAIL_TAKEN, { email: [EMAIL_TAKEN] }, error.code)
  return inWords(error, USER_SAVE_FAILED)
}

/** The save of a user, whose refusal is in words that the form can show. */
export const orRefusal = <T>(save: Promise<T>): Promise<T> =>
  save.catch((error: unknown) => {
    throw refusal(error)
  })
