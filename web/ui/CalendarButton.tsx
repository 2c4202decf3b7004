import { Popover } from '@base-ui/react/popover'
import { CalendarDays } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { dateInMexico } from '#contract/time.ts'
import { Calendar } from './Calendar.tsx'
import { formatDate } from './format.ts'
import { IconButton } from './IconButton.tsx'

interface Props {
  /** What the date is for. */
  label: string
  value: string
  min?: string | undefined
  max?: string | undefined
  disabled?: boolean
  /** What the popup is aligned with. */
  anchor: RefObject<HTMLElement | null>
  onPick: (date: string) => void
}

/** Opens a month to pick a day from. */
export function CalendarButton({ label, value, min, max, disabled = false, anchor, onPick }: Props) {
  const [open, setOpen] = useState(false)
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        disabled={disabled}
        render={<IconButton label={`Elegir fecha: ${label}`} icon={CalendarDays} className="mr-0.5" />}
      />
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} align="end" sideOffset={4} className="z-50">
          <Popover.Popup
            ref={popup}
            aria-label={label}
            className="popup"
            initialFocus={() => popup.current?.querySelector<HTMLElement>('[data-date][tabindex="0"]') ?? true}
          >
            <Calendar
              value={formatDate(value, 'day') ? value : undefined}
              today={dateInMexico()}
              min={min}
              max={max}
              onPick={(date) => {
                onPick(date)
                setOpen(false)
              }}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
