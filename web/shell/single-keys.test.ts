import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { singleKeys } from './single-keys.ts'

let kept: Map<string, string>
beforeEach(() => {
  kept = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('single keys are on until they are turned off, which the browser keeps for the next visit', () => {
  const told = vi.fn()
  const leave = singleKeys.subscribe(told)
  expect(singleKeys.areOn()).toBe(true)
  singleKeys.turn(false)
  expect([singleKeys.areOn(), kept.size]).toEqual([false, 1])
  singleKeys.turn(true)
  expect([singleKeys.areOn(), kept.size]).toEqual([true, 0])
  leave()
  singleKeys.turn(false)
  expect(told).toHaveBeenCalledTimes(2)
})
