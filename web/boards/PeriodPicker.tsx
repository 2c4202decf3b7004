import { Popover } from '@base-ui/react/popover'
import { CalendarDays } from 'lucide-react'
import { useRef, useState } from 'react'
import { type Period, periodProblem } from '#contract/periods.ts'
import { dateInMexico } from '#contract/time.ts'
import { rangeText } from '#web/charts/comparison.ts'
import { Calendar } from '#web/ui/Calendar.tsx'
import { cx } from '#web/ui/cx.ts'
import { PresetList } from './PresetList.tsx'
import { CUSTOM, periodOptions } from './period.ts'

interface Props {
  /** The choice in force, and the days that it means. */
  value: string
  days: Period
  onPreset: (value: string) => void
  onRange: (days: Period) => void
  className?: string
}

/** Some days up to today: by a name that people use, or the first and the last one in the calendar. */
export function PeriodPicker({ value, days, onPreset, onRange, className }: Props) {
  const [open, setOpen] = useState(false)
  const popup = useRef<HTMLDivElement>(null)
  const name = periodOptions().find((option) => option.value === value && value !== CUSTOM)?.label
  const close =
    <Chosen,>(take: (chosen: Chosen) => void) =>
    (chosen: Chosen) => {
      take(chosen)
      setOpen(false)
    }
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        role="combobox"
        aria-label="Periodo"
        className={cx('field-box justify-between pr-2 pl-3 text-left', className)}
      >
        <span className="truncate">{name ?? rangeText(days)}</span>
        <CalendarDays aria-hidden className="size-4 shrink-0 text-faint" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="start" sideOffset={4} className="z-50">
          <Popover.Popup
            ref={popup}
            aria-label="Periodo"
            className="popup max-h-(--available-height) w-(--anchor-width) max-w-(--available-width) overflow-y-auto sm:flex sm:w-auto"
            initialFocus={() => popup.current?.querySelector<HTMLElement>('[role="option"][tabindex="0"]') ?? true}
          >
            <PresetList
              value={value}
              onChoose={close(onPreset)}
              onOther={() => popup.current?.querySelector<HTMLElement>('[data-date][tabindex="0"]')?.focus()}
            />
            <Range days={days} onRange={close(onRange)} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

/** Two days picked one after the other, in whichever order. */
function Range({ days, onRange }: Pick<Props, 'days' | 'onRange'>) {
  const [start, setStart] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const today = dateInMexico()

  function pick(day: string) {
    if (start === undefined) return setStart(day)
    const [from, to] = start < day ? [start, day] : [day, start]
    const found = periodProblem({ from, to })
    if (found) return setProblem(found)
    onRange({ from, to })
  }

  return (
    <div className="border-t max-sm:justify-items-center max-sm:grid sm:border-t-0 sm:border-l">
      <Calendar value={start ?? days.from} end={start ?? days.to} today={today} max={today} onPick={pick} />
      <p aria-live="polite" className={cx('max-w-70 px-4 pb-3 text-xs', problem ? 'text-danger-ink' : 'text-muted')}>
        {problem ??
          (start ? `Desde el ${rangeText({ from: start, to: start })}: elige el último día` : 'O elige el primer día')}
      </p>
    </div>
  )
}
