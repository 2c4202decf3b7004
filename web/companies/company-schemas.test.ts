import { expect, test } from 'vitest'
import { toldOf } from '#contract/told.testing.ts'
import { schemas } from './company-schemas.ts'

const user = { email: 'ana@empresa.mx', first_name: 'Ana', last_name: 'Ávila', password: 'Cauce-Profundo-26' }
const filled = {
  company_name: 'Crédito Fácil',
  rfc: 'CRE010101AB1',
  address: 'Av. Juárez 10, Puebla',
  contact_name: 'José Ñúñez',
  contact_phone: '+525512345678',
  contact_email: 'hola@empresa.mx',
  url: '',
  user_status: 'active',
  user,
}
const nothing = {
  company_name: '',
  rfc: '',
  address: '',
  contact_name: '',
  contact_phone: '',
  contact_email: '',
  url: '',
  user_status: 'active',
  user: { email: '', first_name: '', last_name: '', password: '', invite: undefined },
}

test.each([
  ['affiliate', { address: 'Dirección es requerida' }],
  ['issuer', {}],
] as const)('an empty form of an %s says at once what each field lacks', (role, address) => {
  const short = 'Debe tener al menos 2 caracteres'
  const email = 'El correo electrónico es requerido'
  const company = { company_name: short, rfc: 'RFC debe tener entre 12 y 13 caracteres', contact_name: short }
  expect(toldOf(schemas[role].edit, nothing)).toEqual({ ...company, ...address, contact_email: email })
  expect(toldOf(schemas[role].create, nothing)).toEqual({
    ...company,
    ...address,
    contact_email: email,
    'user.email': email,
    'user.first_name': short,
    'user.last_name': short,
    'user.password': 'La contraseña debe tener al menos 8 caracteres',
  })
})

test.each([
  ['rfc', 'ABC010101AB', 'RFC debe tener entre 12 y 13 caracteres'],
  ['rfc', '1BC010101AB1', 'RFC debe tener 12 o 13 caracteres en formato válido'],
  ['contact_email', 'ana@', 'Formato de email inválido. Ejemplo: usuario@empresa.com'],
  ['contact_phone', '+52abc1234567', 'Solo se permiten números después de +52'],
  ['contact_phone', '+5255123456789', 'Teléfono debe tener el formato +525512345678'],
  ['contact_phone', '+52551234567', 'Teléfono debe tener el formato +525512345678'],
  ['url', 'http://localhost', 'Debe ser una URL válida (http o https)'],
  ['contact_name', 'Ana-Lu', 'Solo se permiten letras, espacios y acentos'],
  ['company_name', 'x'.repeat(101), 'No puede exceder 100 caracteres'],
  ['address', 'x'.repeat(501), 'No puede exceder 500 caracteres'],
])('%s %j is told beside its field: %s', (field, value, text) => {
  for (const { create, edit } of Object.values(schemas))
    for (const schema of [create, edit])
      expect(toldOf(schema, { ...filled, [field]: value })).toEqual({ [field]: text })
})

test('what a form may leave empty is no mistake, and who is invited needs no password', () => {
  const sparse = { ...filled, contact_phone: '+52', user: { ...user, password: undefined, invite: true } }
  for (const { create, edit } of Object.values(schemas))
    for (const schema of [create, edit]) expect(toldOf(schema, sparse)).toEqual({})
  expect(toldOf(schemas.issuer.create, { ...filled, address: '' })).toEqual({})
})
