import { CalendarDays } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { Period } from '#contract/periods.ts'
import { rangeText } from '#web/charts/comparison.ts'
import { cx } from '#web/ui/cx.ts'
import { useLaterPopup } from '#web/ui/later.tsx'
import { later } from '#web/ui/later-part.ts'
import { CUSTOM, periodOptions } from './period.ts'

export interface PeriodProps {
  /** The choice in force, and the days that it means. */
  value: string
  days: Period
  onPreset: (value: string) => void
  onRange: (days: Period) => void
  className?: string | undefined
}

const popup = later(async () => (await import('./PeriodPopup.tsx')).PeriodPopup)

/** Some days up to today: by a name that people use, or the first and the last one in the calendar. */
export function PeriodPicker(props: PeriodProps) {
  const { Popup, button } = useLaterPopup(popup)
  const { value, days, className } = props
  return Popup ? (
    <Popup {...props} />
  ) : (
    <PeriodButton {...{ value, days, className }} aria-haspopup="dialog" {...button} />
  )
}

type ButtonProps = Pick<PeriodProps, 'value' | 'days'> & Omit<ComponentProps<'button'>, 'value'>

export function PeriodButton({ value, days, className, ...rest }: ButtonProps) {
  const name = periodOptions().find((option) => option.value === value && value !== CUSTOM)?.label
  return (
    <button
      type="button"
      aria-expanded={false}
      {...rest}
      role="combobox"
      aria-label="Periodo"
      className={cx('field-box justify-between pr-2 pl-3 text-left', className)}
    >
      <span className="truncate">{name ?? rangeText(days)}</span>
      <CalendarDays aria-hidden className="size-4 shrink-0 text-faint" />
    </button>
  )
}
