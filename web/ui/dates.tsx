import { createContext, type ReactNode, use } from 'react'
import { type DateStyle, daysText, formatDate, formatPeriod, formatRelative, INVALID_DATE, MISSING } from './format.ts'
import { Tooltip } from './Tooltip.tsx'

const ListDates = createContext(false)

/** Within a list an unreadable date shows as it came; elsewhere it says 'Fecha no disponible'. */
export const InList = ({ children }: { children: ReactNode }) => <ListDates value={true}>{children}</ListDates>

interface DateProps {
  value: string | null | undefined
  /** What a missing date reads. */
  missing?: string
  /** What an unreadable date reads, where the default does not fit. */
  invalid?: string
}

function Formatted({ value, missing = MISSING, invalid, style }: DateProps & { style: DateStyle }) {
  const inList = use(ListDates)
  if (value === null || value === undefined || value === '')
    return <span className="whitespace-nowrap text-muted">{missing}</span>
  const text = formatDate(value, style)
  if (text === undefined) return invalid ?? (inList ? value : INVALID_DATE)
  return (
    <time dateTime={value} className="whitespace-nowrap tabular-nums">
      {text}
    </time>
  )
}

/** 04/03/2025 */
export const Day = (props: DateProps) => <Formatted {...props} style="day" />
/** 04/03/2025 22:30 */
export const DayTime = (props: DateProps) => <Formatted {...props} style="dayTime" />
/** 4 de marzo de 2025 */
export const LongDay = (props: DateProps) => <Formatted {...props} style="longDay" />
/** 4 de marzo de 2025 a las 22:30 */
export const LongDayTime = (props: DateProps) => <Formatted {...props} style="longDayTime" />
/** 22:30 */
export const Time = (props: DateProps) => <Formatted {...props} style="time" />

interface DayRangeProps {
  from: string
  to: string
  days: number
}

/** 01/10/2026 - 31/10/2026 (31 días) */
export const DayRange = ({ from, to, days }: DayRangeProps) => (
  <span className="whitespace-nowrap">
    <Day value={from} /> - <Day value={to} /> <span className="text-muted">({daysText(days)})</span>
  </span>
)

/** '1–31 oct 2026 31 días' to the eye; on hover, to a screen reader and to a search it reads as `DayRange` does. */
export function ShortDayRange({ from, to, days }: DayRangeProps) {
  const short = formatPeriod(from, to)
  if (!short) return <DayRange from={from} to={to} days={days} />
  const full = `${formatDate(from, 'day')} - ${formatDate(to, 'day')} (${daysText(days)})`
  return (
    <Tooltip text={full}>
      <span className="relative whitespace-nowrap">
        <span aria-hidden className="tabular-nums">
          {short} <span className="text-muted middling:hidden">{daysText(days)}</span>
        </span>
        <span className="sr-only">{full}</span>
      </span>
    </Tooltip>
  )
}

/** 'hace 3 horas', meant to stand beside the exact time. */
export function RelativeTime({ value }: { value: string | null | undefined }) {
  const text = value ? formatRelative(value) : undefined
  return text ? <span className="text-muted">{text}</span> : null
}
