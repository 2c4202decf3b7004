import { Area, Bar, Line, Rectangle, type RectangleProps } from 'recharts'
import type { Series } from './series.ts'

/** What fills a series: hatches, told apart from a plain colour in grey print, too, or an area that fades to its foot. */
export function Fill<Row>({ series: { kind, color, hatched }, id }: { series: Series<Row>; id: string }) {
  if (kind === 'area')
    return (
      <linearGradient id={id} x1={0} y1={0} x2={0} y2={1}>
        <stop offset={0} stopColor={color} stopOpacity={0.18} />
        <stop offset={1} stopColor={color} stopOpacity={0} />
      </linearGradient>
    )
  if (!hatched) return null
  return (
    <pattern id={id} width={4} height={4} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width={4} height={4} fill={color} fillOpacity={0.25} />
      <rect width={2} height={4} fill={color} />
    </pattern>
  )
}

const sharedBy = <Row,>({ onRight }: Series<Row>) =>
  ({ yAxisId: onRight ? 'right' : 'left', isAnimationActive: false }) as const

export function drawBars<Row>(series: Series<Row>, fillId: string) {
  const { name, value, stack, color, hatched, unfinished } = series
  return (
    <Bar
      key={name}
      {...sharedBy(series)}
      name={name}
      dataKey={value}
      fill={hatched ? `url(#${fillId})` : color}
      maxBarSize={36}
      {...(stack !== undefined && { stackId: stack })}
      shape={(props: RectangleProps & { payload?: Row }) => (
        <Rectangle
          {...props}
          {...(props.payload &&
            unfinished?.is(props.payload) && { fillOpacity: 0.25, stroke: color, strokeDasharray: '4 3' })}
        />
      )}
    />
  )
}

/** A line or area up to the last final row, and from there a dashed line through the others. */
export function drawLine<Row>(series: Series<Row>, rows: readonly Row[], fillId: string, dotted: boolean) {
  const { name, kind, value, color, dashed, unfinished } = series
  const isFinal = (row: Row | undefined) => row === undefined || !unfinished?.is(row)
  const line = { ...sharedBy(series), type: 'linear', stroke: color, strokeWidth: 2, activeDot: { r: 4 } } as const
  const final = {
    ...line,
    name,
    dataKey: (row: Row) => (isFinal(row) ? value(row) : undefined),
    dot: dotted ? { r: 2.5, fill: color, strokeWidth: 0 } : false,
    ...(dashed && { strokeDasharray: '5 4' }),
  }
  const dashedRows = new Set(rows.filter((row, index) => !isFinal(row) || !isFinal(rows[index + 1])))
  return [
    kind === 'area' ? (
      <Area key={name} {...final} fill={`url(#${fillId})`} fillOpacity={1} />
    ) : (
      <Line key={name} {...final} />
    ),
    rows.some((row) => !isFinal(row)) && (
      <Line
        key={`${name} (${unfinished?.name})`}
        {...line}
        dataKey={(row: Row) => (dashedRows.has(row) ? value(row) : undefined)}
        strokeDasharray="5 4"
        activeDot={false}
        dot={({ payload, ...place }: Place & { payload?: Row }) => (
          <HollowDot key={place.cx} {...place} r={isFinal(payload) ? 0 : 4} color={color} />
        )}
      />
    ),
  ]
}

interface Place {
  cx?: number
  cy?: number | null
}

/** None on a day without a value, which has no height. */
const HollowDot = ({ cx, cy, r, color }: Place & { r: number; color: string }) =>
  cy == null ? null : (
    <circle cx={cx} cy={cy} r={r} fill="var(--color-surface)" stroke={color} strokeWidth={2} strokeDasharray="3 2" />
  )
