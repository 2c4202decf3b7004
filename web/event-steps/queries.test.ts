import { expect, test } from 'vitest'
import { queryClient } from '#web/api/query-client.ts'
import { eventStepsQuery } from './queries.ts'

test('what was loaded is known for five minutes, the steps of flows for two', () => {
  const { queries } = queryClient.getDefaultOptions()
  expect([queries?.staleTime, eventStepsQuery().staleTime]).toEqual([300_000, 120_000])
})
