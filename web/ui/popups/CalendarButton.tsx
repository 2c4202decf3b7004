import { Popover } from '@base-ui/react/popover'
import { useRef, useState } from 'react'
import { dateInMexico } from '#contract/time.ts'
import { Calendar } from '#web/ui/Calendar.tsx'
import { CalendarIcon, type CalendarProps } from '#web/ui/CalendarButton.tsx'
import { formatDate } from '#web/ui/format.ts'

export function CalendarButton({ label, value, min, max, disabled = false, anchor, onPick }: CalendarProps) {
  const [open, setOpen] = useState(true)
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger disabled={disabled} render={<CalendarIcon label={label} />} />
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
