import { expect, test } from 'vitest'
import { probeDelay, verdictOf } from './schedule.ts'

const bad = { status: 500, retryAfter: null }

test('twelve attempts in some 72 hours, the last of which ends it', () => {
  const delays = Array.from({ length: 11 }, (_, index) => verdictOf(index + 1, bad, 0.5))
  const seconds = delays.map((verdict) => (verdict.state === 'waiting' ? verdict.delaySeconds : 0))
  expect(seconds.slice(0, 4)).toEqual([5, 60, 300, 1800])
  expect(seconds.reduce((sum, each) => sum + each, 0) / 3600).toBeCloseTo(71.6, 0)
  expect(verdictOf(12, bad)).toEqual({ state: 'failed', reason: 'attempts' })
})

test('a fifth more or less, so that many do not come back at once', () => {
  expect([0, 1].map((chance) => verdictOf(2, bad, chance))).toEqual([
    { state: 'waiting', delaySeconds: 48 },
    { state: 'waiting', delaySeconds: 72 },
  ])
})

test('what the receiver asks for counts when it is longer', () => {
  const asked = (retryAfter: number) => verdictOf(2, { status: 429, retryAfter }, 0.5)
  expect([asked(10), asked(600)]).toEqual([
    { state: 'waiting', delaySeconds: 60 },
    { state: 'waiting', delaySeconds: 600 },
  ])
})

test.for([400, 401, 403, 404, 405])('%s is given up after the fourth attempt', (status) => {
  const verdict = (number: number) => verdictOf(number, { status, retryAfter: null }).state
  expect([verdict(3), verdict(4)]).toEqual(['waiting', 'failed'])
})

test.for([
  [200, 'delivered'],
  [204, 'delivered'],
  [299, 'delivered'],
  [301, 'waiting'],
  [422, 'waiting'],
  [null, 'waiting'],
] as const)('%s: %s', ([status, state]) => {
  expect(verdictOf(1, { status, retryAfter: null }).state).toBe(state)
})

test('a failing receiver is tried more and more rarely', () => {
  expect([5, 6, 7, 30].map(probeDelay)).toEqual([30, 60, 120, 1800])
})
