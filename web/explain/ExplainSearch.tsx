import { CircleHelp } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Role } from '#contract/roles.ts'
import { Button } from '#web/ui/Button.tsx'

const ExplainSearchDialog = lazy(() => import('./ExplainSearchDialog.tsx'))

/** Above a list, for who has the number of an amount or the id of a lead. */
export function ExplainSearch({ viewer }: { viewer: Role }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={CircleHelp} onClick={() => setOpen(true)}>
        Explicar un monto
      </Button>
      {open && (
        <Suspense>
          <ExplainSearchDialog viewer={viewer} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
