import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type NoticeChoice, type NoticeType, notices } from '#contract/notices.ts'
import { call } from '#web/api/client.ts'
import { useSave } from '#web/api/query-client.ts'

const choices = ['notice-choices'] as const

export const noticeChoicesQuery = queryOptions({
  queryKey: choices,
  queryFn: ({ signal }) => call(notices.choices, { signal }),
  staleTime: 0,
  meta: { quiet: true },
})

export function useChoose(type: NoticeType) {
  const client = useQueryClient()
  return useSave({
    save: async ({ is_fixed: _, ...body }: NoticeChoice) => {
      const saved = await call(notices.choose, { body })
      // What was chosen stays while the list loads anew, and a second choice builds on it.
      await client.cancelQueries({ queryKey: choices })
      client.setQueryData(
        noticeChoicesQuery.queryKey,
        (known) =>
          known && { ...known, choices: known.choices.map((each) => (each.type === saved.type ? saved : each)) },
      )
      return saved
    },
    success: 'Preferencia guardada',
    refreshes: [choices],
    scope: `notice-choice-${type}`,
  })
}
