import { z } from 'zod'
import { Login } from '#contract/auth.ts'
import { EMAIL_PATTERN, REQUIRED } from '#contract/fields.ts'
import { cleanEmail } from '#contract/typed.ts'

const { email, password } = Login.shape

const inlineEmail = z
  .string()
  .transform(cleanEmail)
  .pipe(
    z
      .string()
      .min(1, REQUIRED)
      .refine((text) => text === '' || EMAIL_PATTERN.test(text), 'Formato de email inválido'),
  )
const inlinePassword = z
  .string()
  .min(1, REQUIRED)
  .refine((text) => text === '' || password.safeParse(text).success, 'La contraseña debe tener al menos 6 caracteres')

/** The inline messages; submitting shows the longer ones of Login. */
export const InlineLogin = z.object({ email: inlineEmail.pipe(email), password: inlinePassword })
