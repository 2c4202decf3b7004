import { expect, test } from 'vitest'
import { compare, grouped, knownOf } from './check.ts'
import type { Entry } from './journal.ts'

const attempts = (...ids: string[]): Entry[] => ids.map((id) => ({ what: 'attempt', kind: 'click', id }))
const answer = (id: string, outcome: string, trackingId?: string): Entry => ({
  ...{ what: 'answer', kind: 'click', id, outcome },
  ...(trackingId && { trackingId }),
})

test('the comparison finds what is lost, doubled, changed or was never sent', () => {
  const journal = [
    ...attempts('kept', 'lost', 'twice', 'changed', 'reset', 'refused'),
    ...['kept', 'lost', 'twice', 'changed'].map((id) => answer(id, '302', `t-${id}`)),
    ...[answer('reset', 'reset'), answer('refused', '503')],
  ]
  const rows = [
    ...[
      { id: 'kept', value: 't-kept' },
      { id: 'twice', value: 't-twice' },
      { id: 'twice', value: 'another' },
    ],
    ...[
      { id: 'changed', value: 'another' },
      { id: 'reset', value: 'any' },
      { id: 'nobody sent it', value: 'any' },
    ],
  ]
  const compared = compare('click', knownOf(journal, 'click'), grouped(rows))
  expect(compared).toEqual({ lost: 1, doubled: 1, wrong: 2, unanswered: 2 })
})
