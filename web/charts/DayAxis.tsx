import { DefaultZIndexes, useChartWidth, usePlotArea, XAxis, ZIndexLayer } from 'recharts'
import { rangeText } from './comparison.ts'
import { ticksOf, weekendsOf } from './days.ts'

const mostTicks = (width: number): number => (width >= 720 ? 8 : width >= 480 ? 6 : 4)

/** How axes write a figure or a day. */
export const TICK = { fill: 'var(--color-muted)', fontSize: 13 }

interface Props<Row> {
  days: readonly string[]
  day: (row: Row) => string
}

/** The days below the chart, as many as there is room for. */
export function DayAxis<Row>({ days, day }: Props<Row>) {
  const ticks = ticksOf(days, mostTicks(useChartWidth() ?? 0))
  return (
    <XAxis
      dataKey={day}
      ticks={ticks}
      interval={0}
      tick={TICK}
      tickFormatter={(tick: string) => rangeText({ from: tick, to: tick }, tick)}
      tickLine={false}
      axisLine={{ stroke: 'var(--color-line-strong)' }}
    />
  )
}

/** Behind the grid and the figures, since people apply less on them. `banded`: each day has a width, as bars need it. */
export function Weekends({ days, banded }: { days: readonly string[]; banded: boolean }) {
  const plot = usePlotArea()
  if (!plot || days.length === 0) return null
  const step = plot.width / (banded ? days.length : Math.max(1, days.length - 1))
  const before = banded ? 0 : step / 2
  const within = (x: number) => Math.min(Math.max(x, 0), plot.width)
  return (
    <ZIndexLayer zIndex={DefaultZIndexes.grid - 1}>
      {weekendsOf(days).map(([first, last]) => {
        const [left, right] = [within(first * step - before), within((last + 1) * step - before)]
        return (
          <rect
            key={first}
            x={plot.x + left}
            y={plot.y}
            width={right - left}
            height={plot.height}
            fill="var(--color-sunken)"
          />
        )
      })}
    </ZIndexLayer>
  )
}
