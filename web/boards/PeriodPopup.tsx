import { Popover } from '@base-ui/react/popover'
import { useRef, useState } from 'react'
import { periodProblem } from '#contract/periods.ts'
import { dateInMexico } from '#contract/time.ts'
import { rangeText } from '#web/charts/comparison.ts'
import { Calendar } from '#web/ui/Calendar.tsx'
import { cx } from '#web/ui/cx.ts'
import { PeriodButton, type PeriodProps } from './PeriodPicker.tsx'
import { PresetList } from './PresetList.tsx'

export function PeriodPopup({ value, days, onPreset, onRange, className }: PeriodProps) {
  const [open, setOpen] = useState(true)
  const popup = useRef<HTMLDivElement>(null)
  const close =
    <Chosen,>(take: (chosen: Chosen) => void) =>
    (chosen: Chosen) => {
      take(chosen)
      setOpen(false)
    }
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger render={<PeriodButton value={value} days={days} className={className} />} />
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
function Range({ days, onRange }: Pick<PeriodProps, 'days' | 'onRange'>) {
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
