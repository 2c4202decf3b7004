import { expect, test } from 'vitest'
import { auth } from './auth.ts'
import { commissions } from './commissions.ts'
import { type Duty, needOf, type ReadsOnly, readsOnlyRefusal, refusalOf } from './duties.ts'
import type { Endpoint } from './endpoint.ts'
import { notices } from './notices.ts'
import { payments } from './payments.ts'
import { products } from './products.ts'
import { receivers } from './receivers.ts'
import { users } from './users.ts'

const READS = 'Tu perfil es de consulta'
const NOT = 'Tu perfil no incluye esta acción'

test.each<[Duty, Endpoint, string | undefined]>([
  ['reader', payments.create, READS],
  ['reader', products.update, READS],
  ['reader', receivers.secret, READS],
  ['reader', notices.read, undefined],
  ['reader', products.list, undefined],
  ['finance', payments.create, undefined],
  ['finance', commissions.remove, undefined],
  ['finance', products.create, NOT],
  ['finance', users.create, NOT],
  ['operator', products.create, undefined],
  ['operator', payments.create, NOT],
  ['operator', receivers.secret, undefined],
  ['operator', receivers.rotateSecret, NOT],
  ['owner', receivers.rotateSecret, undefined],
  ['owner', users.create, undefined],
])('a %s reads of a call why it is not for them: %#', (duty, endpoint, text) => {
  expect(refusalOf(duty, needOf(endpoint))).toBe(text)
})

test.each<[ReadsOnly | null, Endpoint, string | undefined]>([
  [null, commissions.create, undefined],
  ['view', commissions.create, 'Ves Afluente como otra persona: solo puedes consultar'],
  ['view', auth.changePassword, 'Ves Afluente como otra persona: solo puedes consultar'],
  ['view', products.list, undefined],
  ['company', commissions.create, 'La empresa está inactiva: solo es posible consultar'],
  ['company', notices.read, undefined],
  ['company', products.list, undefined],
])(
  'nothing is changed in a view, and but for what is one’s own in an inactive company: %#',
  (reads, endpoint, text) => {
    expect(readsOnlyRefusal(reads, endpoint)).toBe(text)
  },
)
