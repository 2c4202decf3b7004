import { CircleCheck, CircleX, Footprints, HelpCircle, type LucideIcon, PackageCheck, Route } from 'lucide-react'
import type { eventTypeNames } from '#contract/event-steps.ts'

const icons: Record<(typeof eventTypeNames)[number], LucideIcon> = {
  step_1: Footprints,
  step_2: Route,
  aprobado: CircleCheck,
  rechazado: CircleX,
  entregado: PackageCheck,
}

const UNKNOWN_TYPE = 'Tipo desconocido'

export function EventTypeLabel({ name }: { name: string | undefined }) {
  const Icon = name && name in icons ? icons[name as keyof typeof icons] : HelpCircle
  return (
    <span className="inline-flex items-center gap-1.5 align-middle whitespace-nowrap">
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      {name ?? UNKNOWN_TYPE}
    </span>
  )
}
