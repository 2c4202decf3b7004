import { useQueryClient } from '@tanstack/react-query'
import type { Rights } from '#contract/auth.ts'
import { Enrolment } from './Enrolment.tsx'
import { OwnPassword } from './OwnPassword.tsx'
import { rightsQuery } from './rights.ts'

/** A password that nobody else knows, then the second factor beside it. */
export default function FirstThings({ rights, onDone }: { rights: Rights; onDone: () => void }) {
  const client = useQueryClient()
  // What was refused until now.
  const loadAll = () => void client.invalidateQueries()
  if (rights.must_choose_password)
    return (
      <OwnPassword
        onDone={() => {
          client.setQueryData(rightsQuery().queryKey, { ...rights, must_choose_password: false })
          loadAll()
        }}
      />
    )
  return (
    <Enrolment
      done={rights.factor !== 'due'}
      onDone={() => {
        onDone()
        loadAll()
      }}
    />
  )
}
