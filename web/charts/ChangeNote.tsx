import { TrendingDown, TrendingUp } from 'lucide-react'
import { Badge } from '#web/ui/Badge.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import type { Change } from './change.ts'

const looks = { up: 'text-success-ink', down: 'text-danger-ink', same: '' }

interface Props {
  change: Change
  since?: string
  /** What stands beside what: '1–22 nov frente a 1–22 oct: $73,190.00'. */
  compared: string
  /** The figure counts a day that is not over. */
  running?: boolean
}

/** '+12.5% desde el mes pasado', with an arrow. */
export function ChangeNote({ change: { direction, text }, since, compared, running = false }: Props) {
  const Icon = direction === 'down' ? TrendingDown : TrendingUp
  return (
    <Tooltip text={compared}>
      <span className="flex flex-wrap gap-x-1.5">
        <span className={`inline-flex items-center gap-1 font-medium tabular-nums ${looks[direction]}`}>
          {direction !== 'same' && <Icon aria-hidden className="size-4" />}
          {text}
        </span>
        {since}
        {running && <Running />}
        <span className="sr-only">({compared})</span>
      </span>
    </Tooltip>
  )
}

export const Running = () => <Badge className="border border-dashed border-line-strong">en curso</Badge>
