import { useId } from 'react'
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  Rectangle,
  type RectangleProps,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import type { ChartProps, Series } from './series.ts'

const TICK = { fill: 'var(--color-muted)', fontSize: 13 }

/** Lines and bars over a row of days or weeks. Only `Chart` loads this file, and the library with it. */
export default function SeriesChart<Row>({ rows, tick, title, series, axis, rightAxis }: ChartProps<Row>) {
  const data = rows as Row[]
  const id = useId()
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart data={data} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <defs>
          {series.map(
            ({ name, color, hatched }, index) => hatched && <Hatching key={name} id={`${id}${index}`} color={color} />,
          )}
        </defs>
        <CartesianGrid vertical={false} yAxisId="left" stroke="var(--color-line)" />
        <XAxis
          dataKey={tick}
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: 'var(--color-line-strong)' }}
          minTickGap={24}
          allowDuplicatedCategory
        />
        <YAxis
          yAxisId="left"
          tick={TICK}
          tickLine={false}
          axisLine={false}
          tickFormatter={axis}
          width={60}
          allowDecimals={false}
        />
        {rightAxis && (
          <YAxis
            yAxisId="right"
            orientation="right"
            tick={TICK}
            tickLine={false}
            axisLine={false}
            tickFormatter={rightAxis}
            width={52}
            domain={[0, 'auto']}
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
        {series.map((each, index) => draw(each, `${id}${index}`))}
      </ComposedChart>
    </ResponsiveContainer>
  )
}

/** Told apart from a plain colour in grey print, too. */
const Hatching = ({ id, color }: { id: string; color: string }) => (
  <pattern id={id} width={4} height={4} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect width={4} height={4} fill={color} fillOpacity={0.25} />
    <rect width={2} height={4} fill={color} />
  </pattern>
)

const sharedBy = <Row,>({ name, value, onRight }: Series<Row>) =>
  ({ name, dataKey: value, yAxisId: onRight ? 'right' : 'left', isAnimationActive: false }) as const

const draw = <Row,>(series: Series<Row>, patternId: string) =>
  series.kind === 'bar' ? drawBars(series, patternId) : drawLine(series)

function drawBars<Row>(series: Series<Row>, patternId: string) {
  const { name, stack, color, hatched, hollow, faint } = series
  return (
    <Bar
      key={name}
      {...sharedBy(series)}
      fill={hatched ? `url(#${patternId})` : color}
      maxBarSize={36}
      {...(stack !== undefined && { stackId: stack })}
      shape={(props: RectangleProps & { payload?: Row }) => (
        <Rectangle
          {...props}
          {...(props.payload &&
            (hollow || faint?.(props.payload)) && { fillOpacity: 0.25, stroke: color, strokeDasharray: '4 3' })}
        />
      )}
    />
  )
}

function drawLine<Row>(series: Series<Row>) {
  const { name, color, dashed, hollow } = series
  return (
    <Line
      key={name}
      {...sharedBy(series)}
      type="linear"
      stroke={color}
      strokeWidth={2}
      dot={hollow ? { r: 4, fill: 'var(--color-surface)', strokeWidth: 2, strokeDasharray: '3 2' } : false}
      activeDot={{ r: 4 }}
      {...(dashed && { strokeDasharray: '5 4' })}
    />
  )
}

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
