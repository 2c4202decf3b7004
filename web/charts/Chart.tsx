import { lazy, type ReactNode, Suspense } from 'react'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import type { ChartProps, Series } from './series.ts'

const SeriesChart = lazy(() => import('./SeriesChart.tsx')) as <Row>(props: ChartProps<Row>) => ReactNode

/** A picture of figures that also stand in a table. The library that draws it loads when the first one is shown. */
export function Chart<Row>(props: ChartProps<Row>) {
  const { label, series } = props
  return (
    <figure>
      <div role="img" aria-label={label} className="h-72">
        <Suspense fallback={<Skeleton className="h-72 rounded-lg" />}>
          <SeriesChart {...props} />
        </Suspense>
      </div>
      <figcaption>
        <ul aria-label="Leyenda" className="mt-3 flex flex-wrap justify-center gap-x-5 gap-y-1 text-xs text-muted">
          {series.map((each) => (
            <li key={each.name} className="flex items-center gap-2">
              <span aria-hidden {...markOf(each)} />
              {each.name}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  )
}

/** As `Hatching` draws it in a chart. */
const hatch = (color: string): string =>
  `repeating-linear-gradient(135deg, ${color} 0 2px, color-mix(in oklab, ${color} 25%, transparent) 2px 4px)`

function markOf<Row>(series: Series<Row>) {
  const { kind, color, dashed, hollow, hatched } = series
  if (hollow)
    return {
      className: `size-3 border-2 border-dashed ${kind === 'bar' ? 'rounded-xs' : 'rounded-full'}`,
      style: { borderColor: color },
    }
  if (kind === 'bar') return { className: 'size-3 rounded-xs', style: { background: hatched ? hatch(color) : color } }
  return { className: `w-5 border-t-2 ${dashed ? 'border-dashed' : ''}`, style: { borderColor: color } }
}
