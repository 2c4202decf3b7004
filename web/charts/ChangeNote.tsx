import { Badge } from '#web/ui/Badge.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import type { Change } from './change.ts'

const arrows = { up: '▲', down: '▼', same: '' }
const looks = { up: 'text-success-ink', down: 'text-danger-ink', same: '' }

interface Props {
  change: Change
  since?: string
  /** What stands beside what: '1–22 nov frente a 1–22 oct: $73,190.00'. */
  compared: string
}

/** '▲ +12.5% desde el mes pasado', and which days stand beside which. */
export function ChangeNote({ change: { direction, text }, since, compared }: Props) {
  return (
    <Tooltip text={compared}>
      <span className="flex flex-wrap gap-x-1.5">
        <span className={`inline-flex items-center gap-1 font-medium tabular-nums ${looks[direction]}`}>
          <span aria-hidden className="text-[0.625rem] empty:hidden">
            {arrows[direction]}
          </span>
          {text}
        </span>
        {since}
        <span className="sr-only">({compared})</span>
      </span>
    </Tooltip>
  )
}

/** Beside a figure that counts a day that is not over. */
export const Running = () => <Badge className="border border-dashed border-line-strong">en curso</Badge>
