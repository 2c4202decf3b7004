import { expect, test } from 'vitest'
import { PrivacyCorrection, PrivacyGrounds, PrivacySearch } from './privacy.ts'

const grounds = { folio: 'ARCO-7', reason: 'Solicitud de acceso' }

test.each([
  ['folio', ' ', 'Indica el folio de la solicitud'],
  ['folio', 'x'.repeat(51), 'No puede exceder 50 caracteres'],
  ['reason', 'no', 'Indica el motivo en al menos 5 caracteres'],
  ['reason', 'x'.repeat(201), 'No puede exceder 200 caracteres'],
])('a request whose %s is %j is refused', (name, text, message) => {
  for (const schema of [PrivacyGrounds, PrivacyCorrection]) {
    const { error } = schema.safeParse({ ...grounds, utm_term: '', [name]: text })
    expect(error?.issues.map((issue) => [issue.path, issue.message])).toEqual([[[name], message]])
  }
})

test('a correction says what it corrects, also that it takes a text away', () => {
  const messages = PrivacyCorrection.safeParse(grounds).error?.issues.map(({ message }) => message)
  expect(messages).toEqual(['Indica al menos un dato que corregir'])
  expect(PrivacyCorrection.safeParse({ ...grounds, external_id: '' }).success).toBe(true)
})

test('a search needs a text', () => {
  const messages = PrivacySearch.safeParse({ text: ' ' }).error?.issues.map(({ message }) => message)
  expect(messages).toEqual(['Escribe un tracking ID o una referencia'])
})
