import { X } from 'lucide-react'
import { useRef } from 'react'
import { dateInMexico } from '#contract/time.ts'
import { CalendarButton } from '#web/ui/CalendarButton.tsx'
import { formatDate } from '#web/ui/format.ts'
import { IconButton } from '#web/ui/IconButton.tsx'

interface RangeProps {
  /** yyyy-MM-dd, or nothing. */
  from: string
  to: string
  onFrom: (day: string) => void
  onTo: (day: string) => void
}

/** A range of days up to today, whose ends stay beside each other. */
export function DayRangeFilter({ from, to, onFrom, onTo }: RangeProps) {
  const today = dateInMexico()
  return (
    <span className="contents sm:inline-flex sm:gap-2">
      <DayFilter label="Desde" value={from} max={to || today} onChange={onFrom} />
      <DayFilter label="Hasta" value={to} min={from || undefined} max={today} onChange={onTo} />
    </span>
  )
}

interface Props {
  label: string
  value: string
  min?: string | undefined
  max: string
  onChange: (day: string) => void
}

function DayFilter({ label, value, min, max, onChange }: Props) {
  const box = useRef<HTMLFieldSetElement>(null)
  return (
    <fieldset ref={box} aria-label={label} className="field-box w-full sm:w-44">
      <span className="min-w-0 flex-1 truncate pl-3 tabular-nums">
        {value ? `${label} ${formatDate(value, 'day') ?? value}` : <span className="text-muted">{label}</span>}
      </span>
      {value && <IconButton label={`Quitar ${label}`} icon={X} className="size-7" onClick={() => onChange('')} />}
      <CalendarButton label={label} value={value} min={min} max={max} anchor={box} onPick={onChange} />
    </fieldset>
  )
}
