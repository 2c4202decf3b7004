import { lazy, type ReactNode, Suspense } from 'react'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import type { ChartProps, Series } from './series.ts'

const SeriesChart = lazy(() => import('./SeriesChart.tsx')) as <Row>(props: ChartProps<Row>) => ReactNode

/**
 * A picture of figures that also stand in a table, so that screen readers are told what it shows and nothing of its lines.
 * The library that draws it loads when the first one is shown.
 */
export function Chart<Row>(props: ChartProps<Row>) {
  const { rows, series } = props
  // Axes around nothing would look like a picture that failed.
  if (!rows.some((row) => series.some(({ value }) => value(row))))
    return <p className="flex h-66 items-center justify-center text-muted">Sin cifras en el periodo</p>
  return (
    <figure>
      <figcaption className="sr-only">{props.label}</figcaption>
      <div aria-hidden className="h-66">
        <Suspense fallback={<Skeleton className="h-66 rounded-lg" />}>
          <SeriesChart {...props} />
        </Suspense>
      </div>
      <ul aria-label="Leyenda" className="mt-3 flex flex-wrap justify-center gap-x-5 gap-y-1 text-xs text-muted">
        {entriesOf(props).map(({ name, mark }) => (
          <li key={name} className="flex items-center gap-2">
            <span aria-hidden {...mark} />
            {name}
          </li>
        ))}
      </ul>
    </figure>
  )
}

/** The series, and what stands for rows that are not final, once for all series. */
function entriesOf<Row>({ rows, series }: ChartProps<Row>) {
  const unfinished = new Map(
    series.flatMap(({ color, kind, unfinished: some }) =>
      some && rows.some(some.is) ? [[some.name, hollowMark(kind, color)]] : [],
    ),
  )
  return [
    ...series.map((each) => ({ name: each.name, mark: markOf(each) })),
    ...[...unfinished].map(([name, mark]) => ({ name, mark })),
  ]
}

/** As `Hatching` draws it in a chart. */
const hatch = (color: string): string =>
  `repeating-linear-gradient(135deg, ${color} 0 2px, color-mix(in oklab, ${color} 25%, transparent) 2px 4px)`

const hollowMark = (kind: string, borderColor: string) => ({
  className: `size-3 border-2 border-dashed ${kind === 'bar' ? 'rounded-xs' : 'rounded-full'}`,
  style: { borderColor },
})

function markOf<Row>({ kind, color, dashed, hatched }: Series<Row>) {
  if (kind === 'bar') return { className: 'size-3 rounded-xs', style: { background: hatched ? hatch(color) : color } }
  return { className: `w-5 border-t-2 ${dashed ? 'border-dashed' : ''}`, style: { borderColor: color } }
}
