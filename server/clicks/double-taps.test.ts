import { randomUUIDv7 } from 'node:crypto'
import { expect, test } from 'vitest'
import { idOfClick } from '../spool/records.testing.ts'
import { DoubleTaps } from './double-taps.ts'

const others = (taps: DoubleTaps, mark: string, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => taps.once(`${mark} ${index}`, async () => randomUUIDv7())))

test('a second tap is the same lead among a hundred thousand clicks, and forgotten among many more', async () => {
  const taps = new DoubleTaps()
  const [first, second] = [randomUUIDv7(), randomUUIDv7()]
  expect(await taps.once('link', async () => first)).toBe(first)
  await others(taps, 'a', 100_000)
  expect(await taps.once('link', async () => second)).toBe(first)
  await others(taps, 'b', 100_000)
  expect(await taps.once('link', async () => second)).toBe(second)
})

test('a tap that was not stored is forgotten, however many clicks come between', async () => {
  const taps = new DoubleTaps()
  const storing = Promise.withResolvers<string>()
  const [first, second] = [1, 2].map(() => taps.once('link', () => storing.promise))
  await others(taps, 'a', 100_000)
  storing.reject(new Error('no disk'))
  await expect(first).rejects.toThrow('no disk')
  await expect(second).rejects.toThrow('no disk')
  const third = randomUUIDv7()
  expect(await taps.once('link', async () => third)).toBe(third)
})

test('a tap ten seconds later is another click', async () => {
  const taps = new DoubleTaps()
  const [long, lately] = [idOfClick(Date.now() - 10_001), idOfClick(Date.now() - 5_000)]
  for (const [key, id] of [
    ['long ago', long],
    ['lately', lately],
  ] as const)
    expect(await taps.once(key, async () => id)).toBe(id)
  const next = randomUUIDv7()
  expect(await taps.once('long ago', async () => next)).toBe(next)
  expect(await taps.once('lately', async () => next)).toBe(lately)
})
