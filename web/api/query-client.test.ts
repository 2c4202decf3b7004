import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { queryClient as client, reload } from './query-client.ts'

test('a list that is loading for the first time while something is saved is asked for anew', async () => {
  const answers: ((rows: string[]) => void)[] = []
  const queryFn = () => new Promise<string[]>((resolve) => void answers.push(resolve))
  const list = new QueryObserver(client, { queryKey: ['payments'], queryFn })
  const leave = list.subscribe(() => undefined)
  const reloading = reload(client, ['payments'])
  answers[0]?.(['before the save'])
  await expect.poll(() => answers).toHaveLength(2)
  answers[1]?.(['after the save'])
  await reloading
  expect(list.getCurrentResult().data).toEqual(['after the save'])
  leave()
})
