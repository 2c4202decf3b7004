import { expect, test } from 'vitest'
import { toldOf } from './told.testing.ts'
import { ASSOCIATION_REQUIRED, UserCreateForm, UserEditForm, UserUpdate } from './users.ts'

const nobody = { email: '', first_name: '', last_name: '', role: null, affiliate_id: null, issuer_id: null }
const ana = { email: 'ana@empresa.mx', first_name: 'Ana', last_name: 'Ávila' }

const short = 'Debe tener al menos 2 caracteres'
const email = 'El correo electrónico es requerido'
const unnamed = { email, first_name: short, last_name: short }

test('an empty form says at once what each field lacks', () => {
  const password = 'La contraseña debe tener al menos 8 caracteres'
  const form = { ...nobody, password: '', user_status: 'active' }
  expect(toldOf(UserCreateForm, form)).toEqual({ ...unnamed, password, role: 'Rol es requerido' })
  expect(toldOf(UserEditForm, form)).toEqual({ ...unnamed, role: 'Rol es requerido' })
})

test.each(['affiliate', 'issuer'] as const)(
  'an %s of none is told so, even while other fields are still wrong',
  (role) => {
    const missing = { [`${role}_id`]: ASSOCIATION_REQUIRED }
    const other = role === 'affiliate' ? 'issuer' : 'affiliate'
    const form = { ...nobody, role, [`${other}_id`]: 7, invite: true, user_status: 'active' }
    for (const schema of [UserCreateForm, UserEditForm]) {
      expect(toldOf(schema, form)).toEqual({ ...unnamed, ...missing })
      expect(toldOf(schema, { ...form, ...ana })).toEqual(missing)
      expect(toldOf(schema, { ...form, ...ana, [`${role}_id`]: 7 })).toEqual({})
    }
  },
)

test('an administrator needs no company, and who is invited no password', () => {
  const form = { ...nobody, ...ana, role: 'admin', user_status: 'active' }
  expect(toldOf(UserCreateForm, { ...form, invite: true })).toEqual({})
  expect(toldOf(UserCreateForm, form)).toEqual({ password: 'Este campo es requerido' })
  expect(toldOf(UserEditForm, form)).toEqual({})
})

test.each(['active', 'inactive', 'suspended'])('a user can be %s', (user_status) => {
  expect(toldOf(UserUpdate, { user_status })).toEqual({})
})
