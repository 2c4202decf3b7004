import { useId } from 'react'
import { CartesianGrid, ComposedChart, ReferenceLine, ResponsiveContainer, Tooltip, YAxis } from 'recharts'
import { axisOf } from './axis.ts'
import { DayAxis, TICK, Weekends } from './DayAxis.tsx'
import { kindFor } from './days.ts'
import { drawBars, drawLine, Fill } from './draw.tsx'
import type { ChartProps } from './series.ts'

/** Lines, areas and bars over a row of days or weeks. Only `Chart` loads this file, and the library with it. */
export default function SeriesChart<Row>({ rows, day, title, series, axis, rightAxis }: ChartProps<Row>) {
  const id = useId()
  const days = rows.map(day)
  const banded = series.some(({ kind }) => kind === 'bar')
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart
        data={rows as Row[]}
        margin={{ top: 8, right: 28, bottom: 0, left: 0 }}
        // What is less than zero hangs below it, instead of covering what it stands on.
        stackOffset="sign"
        accessibilityLayer={false}
      >
        <defs>
          {series.map((each, index) => (
            <Fill key={each.name} series={each} id={`${id}${index}`} />
          ))}
        </defs>
        <Weekends days={days} banded={banded} />
        <CartesianGrid vertical={false} syncWithTicks yAxisId="left" stroke="var(--color-line)" />
        <ReferenceLine y={0} yAxisId="left" stroke="var(--color-line-strong)" />
        <DayAxis days={days} day={day} />
        <YAxis yAxisId="left" {...VERTICAL} {...axisOf(rows, series)} tickFormatter={axis} width={60} />
        {rightAxis && (
          <YAxis
            yAxisId="right"
            orientation="right"
            {...VERTICAL}
            {...FROM_ZERO}
            tickFormatter={rightAxis}
            width={52}
          />
        )}
        <Tooltip
          cursor={{ fill: 'var(--color-hover)', stroke: 'var(--color-line-strong)' }}
          isAnimationActive={false}
          content={({ active, payload }) => {
            const row = payload?.[0]?.payload as Row | undefined
            return active && row ? <Figures row={row} title={title} series={series} /> : null
          }}
        />
        {series.map((each, index) =>
          each.kind === 'bar'
            ? drawBars(each, `${id}${index}`)
            : drawLine(each, rows, `${id}${index}`, kindFor(rows.length) === 'bar'),
        )}
      </ComposedChart>
    </ResponsiveContainer>
  )
}

const VERTICAL = { tick: TICK, tickLine: false, axisLine: false } as const
const FROM_ZERO = { tickCount: 4, domain: [0, 'auto'] } as const

type FigureProps<Row> = Pick<ChartProps<Row>, 'title' | 'series'> & { row: Row }

const Figures = <Row,>({ row, title, series }: FigureProps<Row>) => (
  <div className="rounded-md border bg-surface px-3 py-2 text-xs shadow-popup">
    <p className="font-medium text-ink">{title(row)}</p>
    <dl className="mt-1 grid grid-cols-[auto_auto_1fr] items-center gap-x-2">
      {series
        .filter(({ value }) => value(row) !== undefined)
        .map((each) => (
          <div key={each.name} className="contents">
            <span aria-hidden className="size-2.5 rounded-xs" style={{ background: each.color }} />
            <dt className="text-muted">{each.name}</dt>
            <dd className="text-right text-ink tabular-nums">{each.text(row)}</dd>
          </div>
        ))}
    </dl>
  </div>
)
