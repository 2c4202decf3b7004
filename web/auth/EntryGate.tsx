import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { rightsQuery } from './rights.ts'

const FirstThings = lazy(() => import('./FirstThings.tsx'))

/** In place of every screen while somebody must do something else first; a second factor until they have seen its codes. */
export function EntryGate({ children }: { children: ReactNode }) {
  const { data } = useQuery(rightsQuery())
  const [held, setHeld] = useState(false)
  if (data?.factor === 'due' && !held) setHeld(true)
  if (!data || !(held || data.must_choose_password)) return children
  return (
    <Suspense>
      <FirstThings rights={data} onDone={() => setHeld(false)} />
    </Suspense>
  )
}
