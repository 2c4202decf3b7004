import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { addDays } from '#contract/time.ts'
import { addMonths, inMonth, monthOf, weeksOf } from './calendar-days.ts'
import { cx } from './cx.ts'
import { formatDate } from './format.ts'
import { IconButton } from './IconButton.tsx'

interface Props {
  /** yyyy-MM-dd, or nothing chosen yet. */
  value: string | undefined
  /** The last day, where `value` is the first of a range. */
  end?: string
  today: string
  min?: string | undefined
  max?: string | undefined
  onPick: (date: string) => void
}

const WEEKDAYS = ['domingo', 'lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado']
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }
const PAGES: Record<string, number> = { PageUp: -1, PageDown: 1 }

/** A month to pick a day from; arrows move by days and weeks, PageUp and PageDown by months. */
export function Calendar({ value, end, today, min = '0000', max = '9999', onPick }: Props) {
  const titleId = useId()
  const grid = useRef<HTMLTableElement>(null)
  const [active, setActive] = useState(end ?? value ?? (today > max ? max : today))
  const month = monthOf(active)
  const allowed = (date: string) => date >= min && date <= max
  const turn = (months: number) => inMonth(active, addMonths(month, months))

  function move(event: KeyboardEvent) {
    const [step, page] = [STEPS[event.key], PAGES[event.key]]
    if (step === undefined && page === undefined) return
    event.preventDefault()
    const target = step === undefined ? turn(page ?? 0) : addDays(active, step)
    flushSync(() => setActive(target))
    grid.current?.querySelector<HTMLElement>(`[data-date="${target}"]`)?.focus()
  }

  return (
    <div className="p-3">
      <div className="mb-2 flex items-center justify-between">
        <IconButton
          label="Mes anterior"
          icon={ChevronLeft}
          disabled={`${month}-01` <= min}
          onClick={() => setActive(turn(-1))}
        />
        <span id={titleId} aria-live="polite" className="inline-block font-medium first-letter:uppercase">
          {formatDate(active, 'month')}
        </span>
        <IconButton
          label="Mes siguiente"
          icon={ChevronRight}
          disabled={`${addMonths(month, 1)}-01` > max}
          onClick={() => setActive(turn(1))}
        />
      </div>
      <table ref={grid} aria-labelledby={titleId} onKeyDown={move} className="border-collapse">
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col" abbr={name} className="size-9 text-xs font-normal text-muted">
                {name.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week[0]}>
              {week.map((date) => (
                <td key={date} className="p-0">
                  {monthOf(date) === month && (
                    <button
                      type="button"
                      data-date={date}
                      tabIndex={date === active ? 0 : -1}
                      aria-label={formatDate(date, 'longDay')}
                      aria-pressed={date === value || date === end}
                      data-between={isBetween(date, value, end) || undefined}
                      aria-current={date === today ? 'date' : undefined}
                      disabled={!allowed(date) && date !== active}
                      aria-disabled={!allowed(date) || undefined}
                      onClick={() => allowed(date) && onPick(date)}
                      className={cx(
                        'size-9 rounded-md tabular-nums hover:not-aria-disabled:bg-hover aria-disabled:text-faint aria-disabled:line-through',
                        'data-between:rounded-none data-between:bg-brand-soft aria-[current=date]:font-semibold aria-[current=date]:text-brand-ink',
                        'aria-pressed:bg-brand! aria-pressed:text-on-brand!',
                      )}
                    >
                      {Number(date.slice(8))}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const isBetween = (date: string, first = '9999', last = '0000'): boolean => first < date && date < last
