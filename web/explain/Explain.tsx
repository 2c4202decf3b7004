import { useState } from 'react'
import type { Role } from '#contract/roles.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { LINK } from '#web/ui/links.tsx'
import type { Explained } from './ExplainDialog.tsx'

const ExplainDialog = laterDialog(async () => (await import('./ExplainDialog.tsx')).default)

interface Props {
  of: Explained
  /** Of what the amount is, for who does not see where the link stands. */
  name: string
  viewer: Role
}

/** '¿De dónde sale?', beside an amount. */
export function Explain({ of, name, viewer }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className={`${LINK} text-xs whitespace-nowrap max-sm:-my-3 max-sm:py-3 print:hidden`}
      >
        ¿De dónde sale?<span className="sr-only">{` ${name}`}</span>
      </button>
      {open && <ExplainDialog of={of} viewer={viewer} onClose={() => setOpen(false)} />}
    </>
  )
}
