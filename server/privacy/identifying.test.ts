import { expect, test } from 'vitest'
import { isIdentifying } from './identifying.ts'

test.for([
  'marta@correo.mx',
  'alta-marta%40correo.mx-2',
  '5512345678',
  'tel 55 1234 5678',
  '+52 (55) 1234-5678',
  '5215512345678',
  'GODE561231GR8',
  'folio-gode561231gr8',
  'GODE561231HDFRRN04',
  '4111111111111111',
  '002010077777777771',
  'solicitud REF-77 de hoy',
])('%s tells who the person is', (id) => {
  expect(isIdentifying(id, 'ref-77')).toBe(true)
})

test.for([
  'folio-8841',
  '1735689600',
  '1735689600000',
  '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b',
  'alta@2',
  'SOL-2026-000123',
  '',
])('%s does not', (id) => {
  for (const reference of ['', 'ref-77']) expect(isIdentifying(id, reference)).toBe(false)
})
