import { expect, test } from 'vitest'
import { EMAIL_IN_USE, EMAIL_TAKEN, USER_SAVE_FAILED } from '#contract/users.ts'
import { ApiError, CONNECTION_ERROR } from '#web/api/errors.ts'
import { orRefusal } from './refusal.ts'

const NAME = 'Solo se permiten letras, espacios y acentos'

test.each<[string, ApiError, Partial<ApiError>]>([
  [
    'an address in use is refused beside its field',
    new ApiError(409, EMAIL_IN_USE, {}, 'DUPLICATE_EMAIL'),
    { message: EMAIL_TAKEN, fieldErrors: { email: [EMAIL_TAKEN] } },
  ],
  [
    'a malformed address has a text of its own',
    new ApiError(422, 'Formato de email inválido', { email: ['Formato de email inválido'] }, 'VALIDATION_ERROR'),
    { fieldErrors: { email: ['Formato de email inválido'] } },
  ],
  [
    'any other refusal says its reason behind the words of the screen',
    new ApiError(422, NAME, { first_name: [NAME] }, 'VALIDATION_ERROR'),
    { message: `${USER_SAVE_FAILED}. ${NAME}`, fieldErrors: { first_name: [NAME] } },
  ],
  ['a failure is in the words of the screen', new ApiError(500, 'kaput'), { message: USER_SAVE_FAILED }],
  ['a lost connection says so', new ApiError(0, CONNECTION_ERROR), { message: CONNECTION_ERROR }],
])('%s', async (_, error, told) => {
  const shown = await orRefusal(Promise.reject(error)).catch((reason: unknown) => reason)
  expect(shown).toBeInstanceOf(ApiError)
  expect(shown).toMatchObject(told)
})
