import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { rightsQuery } from './rights.ts'

const OwnPassword = lazy(() => import('./OwnPassword.tsx'))
const Enrolment = lazy(() => import('./Enrolment.tsx'))

/**
 * In place of every screen while somebody must choose their own password first, then a second factor; that one stays
 * until they have seen their codes.
 */
export function EntryGate({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const { queryKey } = rightsQuery()
  const rights = useQuery(rightsQuery())
  const [held, setHeld] = useState(false)
  if (rights.data?.factor === 'due' && !held) setHeld(true)
  const mustChoose = rights.data?.must_choose_password
  if (!mustChoose && !held) return children
  return (
    <Suspense>
      {mustChoose ? (
        <OwnPassword
          onDone={() => {
            client.setQueryData(queryKey, (known) => known && { ...known, must_choose_password: false })
            void client.invalidateQueries()
          }}
        />
      ) : (
        <Enrolment
          done={rights.data?.factor !== 'due'}
          onDone={() => {
            setHeld(false)
            void client.invalidateQueries()
          }}
        />
      )}
    </Suspense>
  )
}
