import { randomUUIDv7 } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DoubleTaps } from './double-taps.ts'

const other = randomUUIDv7()
const others = (taps: DoubleTaps, mark: string, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => taps.once(`${mark} ${index}`, async () => other)))

test('a second tap is the same lead among a hundred thousand clicks, and forgotten among many more, at once if it was not stored', async () => {
  vi.useFakeTimers({ toFake: ['performance'] }) // however long so many take
  onTestFinished(() => void vi.useRealTimers())
  const taps = new DoubleTaps()
  const [first, second] = [randomUUIDv7(), randomUUIDv7()]
  const storing = Promise.withResolvers<string>()
  const waiting = [1, 2].map(() => taps.once('waits', () => storing.promise))
  expect(await taps.once('link', async () => first)).toBe(first)
  await others(taps, 'a', 100_000)
  expect(await taps.once('link', async () => second)).toBe(first)
  await others(taps, 'b', 100_000)
  expect(await taps.once('link', async () => second)).toBe(second)

  storing.reject(new Error('no disk'))
  for (const each of waiting) await expect(each).rejects.toThrow('no disk')
  const third = randomUUIDv7()
  expect(await taps.once('waits', async () => third)).toBe(third)
})

const HOUR = 3_600_000

test('a tap three seconds later is another click, whatever the clock was set to', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const taps = new DoubleTaps()
  const [first, second] = [randomUUIDv7(), randomUUIDv7()]
  for (const step of [0, HOUR, -HOUR, -90 * 24 * HOUR]) {
    const link = `link ${step}`
    expect(await taps.once(link, async () => first)).toBe(first)
    vi.setSystemTime(Date.now() + step)
    vi.advanceTimersByTime(2_999)
    expect(await taps.once(link, async () => second)).toBe(first)
    vi.advanceTimersByTime(2)
    expect(await taps.once(link, async () => second)).toBe(second)
  }
})

test('a tap long ago is not taken for one of a moment ago, although its time begins again after 49 days', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const taps = new DoubleTaps()
  vi.advanceTimersByTime(2 ** 32 - 1_000)
  const [first, second] = [randomUUIDv7(), randomUUIDv7()]
  expect(await taps.once('link', async () => first)).toBe(first)
  vi.advanceTimersByTime(2_500)
  expect(await taps.once('link', async () => second)).toBe(first)
  vi.advanceTimersByTime(600)
  expect(await taps.once('link', async () => second)).toBe(second)
})
