import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'

interface Props {
  title: ReactNode
  initiallyOpen?: boolean
  children: ReactNode
}

export function Collapsible({ title, initiallyOpen = true, children }: Props) {
  const id = useId()
  const [open, setOpen] = useState(initiallyOpen)
  return (
    <div className="border-b last:border-b-0">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        className="group flex w-full items-center justify-between gap-2 rounded py-2.5 text-left font-semibold max-sm:min-h-11"
      >
        {title}
        <ChevronDown aria-hidden className="size-4 text-faint transition-transform group-aria-expanded:rotate-180" />
      </button>
      {open && (
        <div id={id} className="pb-4">
          {children}
        </div>
      )}
    </div>
  )
}
