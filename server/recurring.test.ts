import { expect, test, vi } from 'vitest'
import { Recurring } from './recurring.ts'
import { Gate } from './start/gate.ts'

test('begins with the gate, reports each outage once, goes on after it, and ends with what is due in the end', async () => {
  const [gate, reported, done] = [new Gate(), [] as unknown[], [] as string[]]
  let fault = ''
  const task = new Recurring({
    gate,
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
    await vi.waitFor(() => expect(done.slice(before).filter((each) => each === what).length).toBeGreaterThan(1))
  }
  expect(done).toEqual([])
  gate.open()
  await task.tried
  for (fault of ['first', '', 'second']) await untilTwice(fault || 'done')
  expect(reported).toEqual(['first', 'second'])
  await task.close(async () => void done.push('last'))
  const ended = [...done]
  expect(ended.at(-1)).toBe('last')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(done).toEqual(ended)
})

test('one that is closed before the gate opens never begins', async () => {
  const [gate, run] = [new Gate(), vi.fn(async () => 1)]
  const task = new Recurring({ gate, run, pauseMs: 1, report: (error) => expect.unreachable(String(error)) })
  await task.close(async () => expect.unreachable())
  gate.open()
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(run).not.toHaveBeenCalled()
})
