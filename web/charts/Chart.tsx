import { lazy, type ReactNode, Suspense } from 'react'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import type { ChartProps } from './series.ts'
import { colorOf } from './series.ts'

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
              <span
                aria-hidden
                className={
                  each.kind === 'bar' ? 'size-3 rounded-xs' : `w-5 border-t-2 ${each.dashed ? 'border-dashed' : ''}`
                }
                style={each.kind === 'bar' ? { background: colorOf(each) } : { borderColor: colorOf(each) }}
              />
              {each.name}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  )
}
