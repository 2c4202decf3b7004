import { type TermCreate, terms } from '#contract/terms.ts'
import { call } from '#web/api/client.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'
import { wholeListQuery } from '#web/api/whole-list.ts'

export const termsQuery = () => wholeListQuery(keys.terms, terms.list)

export const useCreateTerm = () =>
  useSave({
    save: (body: TermCreate) => call(terms.create, { body }),
    success: 'Condición creada exitosamente',
    // Refused where the relationship is another pair's by now.
    refreshes: [...refreshedBy.term, keys.relationships],
  })

export const useCancelTerm = () =>
  useSave({
    save: (id: number) => call(terms.cancel, { params: { id } }),
    success: 'Condición cancelada exitosamente',
    refreshes: refreshedBy.term,
  })
