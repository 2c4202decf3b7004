import { expect, test } from 'vitest'
import { DoubleTaps } from './double-taps.ts'

const others = (taps: DoubleTaps, mark: string, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => taps.once(`${mark} ${index}`, async () => 'another')))

test('a second tap is the same lead among a hundred thousand clicks, and forgotten among many more', async () => {
  const taps = new DoubleTaps()
  expect(await taps.once('link', async () => 'first')).toBe('first')
  await others(taps, 'a', 100_000)
  expect(await taps.once('link', async () => 'second')).toBe('first')
  await others(taps, 'b', 100_000)
  expect(await taps.once('link', async () => 'second')).toBe('second')
})

test('a tap that was not stored is no lead of the next one, however many clicks came between', async () => {
  const taps = new DoubleTaps()
  const storing = Promise.withResolvers<string>()
  const [first, second] = [1, 2].map(() => taps.once('link', () => storing.promise))
  await others(taps, 'a', 100_000)
  storing.reject(new Error('no disk'))
  await expect(first).rejects.toThrow('no disk')
  await expect(second).rejects.toThrow('no disk')
  expect(await taps.once('link', async () => 'third')).toBe('third')
})
