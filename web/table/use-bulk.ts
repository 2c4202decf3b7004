import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import type { BulkOutcome } from '#contract/bulk.ts'
import { useSave } from '#web/api/query-client.ts'
import { type Nouns, updatedText } from './nouns.ts'
import type { Selection } from './use-selection.ts'

interface Options<Form> {
  save: (form: Form) => Promise<BulkOutcome[]>
  refreshes: readonly QueryKey[]
  nouns: Nouns
  selection: Selection
  /** All rows are as asked. */
  onDone: () => void
}

const isDone = ({ outcome }: BulkOutcome) => outcome === 'updated' || outcome === 'already'

/** Of a change of many rows: how many of how many it reached, and what kept back the others. */
export interface BulkResult {
  done: number
  of: number
  failed: BulkOutcome[]
}

/** Changes the chosen rows; those that could not be changed stay chosen. */
export function useBulk<Form extends { ids: number[] }>({ save, refreshes, nouns, selection, onDone }: Options<Form>) {
  const [result, setResult] = useState<BulkResult>()
  const { mutate, isPending, error } = useSave({
    save,
    success: (outcomes) => (outcomes.every(isDone) ? updatedText(outcomes.length, nouns) : undefined),
    refreshes,
  })
  const run = (form: Form) =>
    mutate(form, {
      onSuccess: (outcomes) => {
        const failed = outcomes.filter((outcome) => !isDone(outcome))
        selection.toggle(
          outcomes.filter(isDone).map(({ id }) => id),
          false,
        )
        setResult({ done: outcomes.length - failed.length, of: outcomes.length, failed })
        if (failed.length === 0) onDone()
      },
    })
  return { run, isPending, error, result }
}
