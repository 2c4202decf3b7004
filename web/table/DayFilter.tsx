import { X } from 'lucide-react'
import { useRef } from 'react'
import { CalendarButton } from '#web/ui/CalendarButton.tsx'
import { formatDate } from '#web/ui/format.ts'
import { IconButton } from '#web/ui/IconButton.tsx'

interface Props {
  label: string
  /** yyyy-MM-dd, or nothing. */
  value: string
  min?: string | undefined
  max?: string | undefined
  onChange: (day: string) => void
}

/** One end of a range of days. */
export function DayFilter({ label, value, min, max, onChange }: Props) {
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
