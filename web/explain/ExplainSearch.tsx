import { CircleHelp } from 'lucide-react'
import { useState } from 'react'
import type { Role } from '#contract/roles.ts'
import { Button } from '#web/ui/Button.tsx'
import { laterDialog } from '#web/ui/later.tsx'

const ExplainSearchDialog = laterDialog(async () => (await import('./ExplainSearchDialog.tsx')).default)

/** Above a list, for who has the number of an amount or the id of a lead. */
export function ExplainSearch({ viewer }: { viewer: Role }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={CircleHelp} onClick={() => setOpen(true)}>
        Explicar un monto
      </Button>
      {open && <ExplainSearchDialog viewer={viewer} onClose={() => setOpen(false)} />}
    </>
  )
}
