import { expect, test } from 'vitest'
import { Login } from '#contract/auth.ts'
import { InlineLogin } from './login-rules.ts'

const email = (text: string) => InlineLogin.safeParse({ email: text, password: '123456' }).error?.issues[0]?.message
const password = (text: string) => InlineLogin.safeParse({ email: 'a@b.mx', password: text }).error?.issues[0]?.message

test.each(['ana.b-c_1@mi-dominio.mx', 'ana@mail.com', ' ana@mail.com '])('%j is a valid address', (text) => {
  expect(email(text)).toBeUndefined()
})

test.each(['ana', 'ana@', 'ana@x', 'ana@x.c', 'ana+1@mail.com', '@x.mx'])(
  '%j is refused while typing and on submit',
  (text) => {
    expect(email(text)).toBe('Formato de email inválido')
    expect(Login.shape.email.safeParse(text).error?.issues[0]?.message).toMatch(
      /^El formato del correo electrónico no es válido.*@/,
    )
  },
)

test('an empty field is required', () => {
  expect([email(''), password('')]).toEqual(['Este campo es requerido', 'Este campo es requerido'])
})

test('a password has at least six characters', () => {
  expect(password('12345')).toBe('La contraseña debe tener al menos 6 caracteres')
  expect(password('123456')).toBeUndefined()
})
