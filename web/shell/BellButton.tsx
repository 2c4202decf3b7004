import { Bell as BellIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Role } from '#contract/roles.ts'
import { later } from '#web/ui/later.tsx'
import { Progress } from '#web/ui/Spinner.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'

const bell = later(() => import('./Bell.tsx'))

/** What the person was told of. The button is there at once and stays; its count and its list come later. */
export function BellButton({ role }: { role: Role }) {
  const part = bell.usePart()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const press = () => {
    setOpen(!open)
    if (!part) bell.ask(close)
  }
  return (
    <>
      <Tooltip text="Avisos">
        <button
          ref={button}
          type="button"
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={press}
          className="relative inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-ink"
        >
          <BellIcon aria-hidden className="size-4" />
          {part ? <part.Unread /> : <span className="sr-only">Avisos</span>}
        </button>
      </Tooltip>
      {open &&
        (part ? (
          <part.Bell role={role} anchor={button} onClose={close} />
        ) : (
          <Progress label="Abriendo" className="fixed inset-x-0 top-14 z-50" />
        ))}
    </>
  )
}
