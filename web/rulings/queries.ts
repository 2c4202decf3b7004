import { queryOptions } from '@tanstack/react-query'
import { type ListedReason, type ReasonArchive, type ReasonCreate, rulings } from '#contract/rulings.ts'
import { call } from '#web/api/client.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'

export const reasonsQuery = () =>
  queryOptions({ queryKey: keys.reasons, queryFn: ({ signal }) => call(rulings.allReasons, { signal }) })

export const useCreateReason = () =>
  useSave({
    save: (body: ReasonCreate) => call(rulings.createReason, { body }),
    success: 'Motivo creado exitosamente',
    refreshes: refreshedBy.reason,
  })

export const useArchiveReason = () =>
  useSave({
    save: (body: ReasonArchive) => call(rulings.archiveReason, { body }),
    success: ({ archived_at }: ListedReason) => (archived_at ? 'Motivo archivado' : 'Motivo recuperado'),
    refreshes: refreshedBy.reason,
  })
