import { expect, test } from 'vitest'
import type { AccessRecord } from '#contract/companies.ts'
import { actorOf, deedOf } from './access-sentence.ts'

const record: AccessRecord = {
  id: 1,
  created_at: '2026-03-01T10:00:00.000Z',
  action: 'reveal_key',
  entity: 'issuer',
  times: 1,
  kind: null,
  revoked_old: false,
  signature_required: null,
  person: null,
  actor_name: '',
  actor_role: 'admin',
}

test.each<[Partial<AccessRecord>, string]>([
  [{}, 'vio las claves'],
  [{ times: 3 }, 'vio las claves 3 veces ese día'],
  [{ action: 'rotate_key', kind: 'api' }, 'cambió la API key'],
  [
    { action: 'rotate_key', kind: 'signing', revoked_old: true },
    'cambió el secreto de firma y revocó el anterior de inmediato',
  ],
  [{ action: 'revoke_key', kind: 'postback' }, 'revocó el token de postback anterior'],
  [{ action: 'update', signature_required: true }, 'exigió que los eventos vengan firmados'],
  [{ action: 'update', signature_required: false }, 'dejó de exigir la firma de los eventos'],
  [{ action: 'create', entity: 'user', person: 'Ana López' }, 'creó la cuenta de Ana López'],
  [{ action: 'delete', entity: 'user', person: 'Ana López' }, 'eliminó la cuenta de Ana López'],
  [{ action: 'reset_password', entity: 'user', person: 'Ana López' }, 'restableció la contraseña de Ana López'],
])('%j reads %j', (changes, sentence) => {
  expect(deedOf({ ...record, ...changes })).toBe(sentence)
})

test('an administrator without a name is called by the role', () => {
  expect(actorOf(record)).toBe('Un administrador')
  expect(actorOf({ ...record, actor_name: 'Luz Mora' })).toBe('Luz Mora')
})
