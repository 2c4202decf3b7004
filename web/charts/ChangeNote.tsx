import { TrendingDown, TrendingUp } from 'lucide-react'
import type { Change } from './change.ts'

const looks = { up: 'text-success-ink', down: 'text-danger-ink', same: '' }

/** '+12.5% desde el mes pasado', with an arrow. */
export function ChangeNote({ change: { direction, text }, since }: { change: Change; since: string }) {
  const Icon = direction === 'down' ? TrendingDown : TrendingUp
  return (
    <span className="flex flex-wrap gap-x-1.5">
      <span className={`inline-flex items-center gap-1 font-medium tabular-nums ${looks[direction]}`}>
        {direction !== 'same' && <Icon aria-hidden className="size-4" />}
        {text}
      </span>
      {since}
    </span>
  )
}
