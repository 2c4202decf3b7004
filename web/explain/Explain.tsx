import { lazy, Suspense, useState } from 'react'
import type { CommissionEntry } from '#contract/commission-entries.ts'
import type { Role } from '#contract/roles.ts'
import { LINK } from '#web/ui/links.tsx'

const ExplainDialog = lazy(() => import('./ExplainDialog.tsx'))

/** '¿De dónde sale?', beside an amount. */
export function Explain({ entry, viewer }: { entry: Pick<CommissionEntry, 'id' | 'lead_id'>; viewer: Role }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)} className={`${LINK} text-xs whitespace-nowrap`}>
        ¿De dónde sale?<span className="sr-only">{` Comisión ${entry.id} del lead ${entry.lead_id}`}</span>
      </button>
      {open && (
        <Suspense>
          <ExplainDialog id={entry.id} viewer={viewer} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
