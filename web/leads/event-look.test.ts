import { Zap } from 'lucide-react'
import { expect, test } from 'vitest'
import { lookOf } from './event-look.ts'

test.each([
  ['rechazado', 'danger'],
  ['REJECT', 'danger'],
  ['reject_step_1', 'danger'],
  ['aprobado', 'success'],
  ['entregado', 'success'],
  ['apply_submit', 'success'],
  ['reactivado', 'info'],
  ['click', 'brand'],
  ['sms', 'info'],
  ['email', 'info'],
  ['phone_call', 'info'],
  ['landing_view', 'neutral'],
  ['step_9', 'brand'],
  ['otro', 'neutral'],
  ['', 'neutral'],
])('an event of the type %j looks %s', (type, tone) => {
  expect(lookOf(type).tone).toBe(tone)
})

test('types are told apart by their icons, and one that nobody knows has one too', () => {
  const types = ['click', 'sms', 'phone_call', 'landing_view', 'apply_submit', 'reject', 'reactivado', 'step_9', 'otro']
  expect(new Set(types.map((type) => lookOf(type).icon)).size).toBe(types.length)
  expect(lookOf('otro').icon).toBe(Zap)
})
