import { queryOptions } from '@tanstack/react-query'
import { type NoticeChoice, notices } from '#contract/notices.ts'
import { call } from '#web/api/client.ts'
import { useSave } from '#web/api/query-client.ts'

const choices = ['notice-choices'] as const

export const noticeChoicesQuery = queryOptions({
  queryKey: choices,
  queryFn: ({ signal }) => call(notices.choices, { signal }),
  staleTime: 0,
  meta: { quiet: true },
})

export const useChoose = () =>
  useSave({
    save: ({ is_fixed: _, ...body }: NoticeChoice) => call(notices.choose, { body }),
    success: 'Preferencia guardada',
    refreshes: [choices],
  })
