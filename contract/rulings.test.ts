import { expect, test } from 'vitest'
import { ReasonCreate, RejectForm, RestoreForm } from './rulings.ts'

const LENGTH = 'Explica por qué (de 10 a 500 caracteres)'
const CODE = 'De 2 a 40 letras minúsculas o guiones bajos, empezando por letra'
const long = (length: number) => 'x'.repeat(length)

test.each([
  [{ reason_code: '' }, 'Selecciona un motivo de rechazo'],
  [{}, 'Selecciona un motivo de rechazo'],
  [{ reason_code: null }, 'Selecciona un motivo de rechazo'],
  [{ reason_code: 'buro', note: long(501) }, 'No puede exceder 500 caracteres'],
  [{ reason_code: 'buro', note: long(500) }, undefined],
  [{ reason_code: 'buro', note: '' }, undefined],
  [{ reason_code: 'buro' }, undefined],
])('a rejection with %j: %s', (form, message) => {
  expect(RejectForm.safeParse(form).error?.issues.map((issue) => issue.message)).toEqual(message && [message])
})

test.each([
  [{}, LENGTH],
  [{ note: 'corta' }, LENGTH],
  [{ note: `${long(9)}   ` }, LENGTH],
  [{ note: long(501) }, LENGTH],
  [{ note: long(10) }, undefined],
  [{ note: long(500) }, undefined],
])('what takes a rejection back with %j: %s', (form, message) => {
  expect(RestoreForm.safeParse(form).error?.issues.map((issue) => issue.message)).toEqual(message && [message])
})

const reason = { code: 'sin_firma', label: 'Sin firma', group_label: 'Proceso' }

test.each([
  ['code', '', CODE],
  ['code', 'a', CODE],
  ['code', 'Sin firma', CODE],
  ['code', '_firma', CODE],
  ['code', `a${long(40)}`, CODE],
  ['label', ' ', 'El motivo es requerido'],
  ['label', long(81), 'No puede exceder 80 caracteres'],
  ['group_label', '', 'El grupo es requerido'],
  ['group_label', long(81), 'No puede exceder 80 caracteres'],
  ['advice', long(201), 'No puede exceder 200 caracteres'],
])('a reason whose %s is %j is refused', (name, text, message) => {
  const { error } = ReasonCreate.safeParse({ ...reason, [name]: text })
  expect(error?.issues.map((issue) => [issue.path, issue.message])).toEqual([[[name], message]])
})

test('a reason is of one person’s finances and has an advice only where that is said', () => {
  expect(ReasonCreate.parse(reason)).toEqual({ ...reason, advice: '', is_financial: false })
})
