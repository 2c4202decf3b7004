import { expect, test, vi } from 'vitest'
import { Readiness } from './readiness.ts'
import { Recurring } from './recurring.ts'

test('begins when the server is ready, reports each outage once, goes on after it, and ends when closed', async () => {
  const [readiness, reported, done] = [new Readiness(), [] as unknown[], [] as string[]]
  let fault = ''
  const task = new Recurring({
    readiness,
    run: async () => {
      done.push(fault || 'done')
      if (fault) throw fault
      return 1
    },
    pauseMs: 1,
    report: (error) => reported.push(error),
  })
  const untilTwice = async (what: string) => {
    const before = done.length
    await expect.poll(() => done.slice(before).filter((each) => each === what).length).toBeGreaterThan(1)
  }
  expect(done).toEqual([])
  readiness.declareReady()
  await task.tried
  for (fault of ['first', '', 'second']) await untilTwice(fault || 'done')
  expect(reported).toEqual(['first', 'second'])
  await task.close()
  const ended = [...done]
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(done).toEqual(ended)
})

test('what fails while the rest goes on is told once, and the next part is due as it says', async () => {
  const [reported, failures] = [[] as unknown[], ['first', 'first', undefined, 'first']]
  const task = new Recurring({
    readiness: Readiness.ready(),
    run: async (failed) => {
      const code = failures.shift()
      if (code) failed(Object.assign(new Error(code), { code }))
      return 1
    },
    pauseMs: 3_600_000,
    report: (error) => reported.push(error),
  })
  await expect.poll(() => failures).toEqual([])
  await task.close()
  expect(reported).toMatchObject([{ code: 'first' }, { code: 'first' }])
})

test('after a failure of a part nothing rests longer than after one of all', async () => {
  const run = vi.fn(async (failed: (error: unknown) => void) => {
    failed('of a part')
    return 3_600_000
  })
  const task = new Recurring({ readiness: Readiness.ready(), run, pauseMs: 1, report: () => undefined })
  await expect.poll(() => run.mock.calls.length).toBeGreaterThan(1)
  await task.close()
})

test('what fails besides what already failed is told as well', async () => {
  const [reported, rounds] = [[] as unknown[], [false, false, true, true]]
  const task = new Recurring({
    readiness: Readiness.ready(),
    run: async (failed) => {
      failed('of a part')
      if (rounds.shift()) throw Object.assign(new Error('of all'), { code: '42501' })
      return 1
    },
    pauseMs: 1,
    report: (error) => reported.push(error),
  })
  await expect.poll(() => reported.length).toBeGreaterThan(1)
  await expect.poll(() => rounds).toEqual([])
  await task.close()
  expect(reported).toMatchObject(['of a part', { code: '42501' }])
})

test('one that is closed before the server is ready never begins', async () => {
  const [readiness, run] = [new Readiness(), vi.fn(async () => 1)]
  const task = new Recurring({ readiness, run, pauseMs: 1, report: (error) => expect.unreachable(String(error)) })
  await task.close()
  readiness.declareReady()
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(run).not.toHaveBeenCalled()
})
