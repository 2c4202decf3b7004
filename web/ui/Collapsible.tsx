import { Collapsible as Base } from '@base-ui/react/collapsible'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'

interface Props {
  title: ReactNode
  initiallyOpen?: boolean
  children: ReactNode
}

export function Collapsible({ title, initiallyOpen = true, children }: Props) {
  return (
    <Base.Root defaultOpen={initiallyOpen} className="border-b last:border-b-0">
      <Base.Trigger className="group flex w-full items-center justify-between gap-2 rounded py-2.5 text-left font-semibold">
        {title}
        <ChevronDown aria-hidden className="size-4 text-faint transition-transform group-data-panel-open:rotate-180" />
      </Base.Trigger>
      <Base.Panel className="pb-4">{children}</Base.Panel>
    </Base.Root>
  )
}
