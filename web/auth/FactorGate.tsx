import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { rightsQuery } from './rights.ts'

const Enrolment = lazy(() => import('./Enrolment.tsx'))

/** In place of every screen while somebody must register a second factor first; it stays until they have seen their codes. */
export function FactorGate({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const rights = useQuery(rightsQuery())
  const [held, setHeld] = useState(false)
  if (rights.data?.factor === 'due' && !held) setHeld(true)
  if (!held) return children
  return (
    <Suspense>
      <Enrolment
        done={rights.data?.factor !== 'due'}
        onDone={() => {
          setHeld(false)
          void client.invalidateQueries()
        }}
      />
    </Suspense>
  )
}
