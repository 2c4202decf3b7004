import { useQuery } from '@tanstack/react-query'
import { counted } from '#web/ui/format.ts'
import { Board, useBoardFilters } from './Board.tsx'
import { comparedColumns } from './columns.tsx'
import { DailyFigures } from './DailyFigures.tsx'
import { KeyFigures } from './KeyFigures.tsx'
import { hasNoFigures, NoData } from './NoData.tsx'
import { performanceQuery } from './queries.ts'
import { Rankings } from './Rankings.tsx'
import { Unready } from './Section.tsx'

export default function PerformanceBoard() {
  const asked = useBoardFilters()
  const query = useQuery(performanceQuery(asked))
  const { data, isError, isPlaceholderData } = query
  const empty = data !== undefined && hasNoFigures(data)
  return (
    <Board asked={asked} busy={isPlaceholderData}>
      {data && !isError ? (
        <>
          <KeyFigures report={data} />
          {(!empty || data.previews > 0) && <Previews count={data.previews} />}
          {empty ? (
            <NoData of="figures" />
          ) : (
            <>
              <DailyFigures days={data.days} asked={asked} />
              <Rankings rows={data} asked={asked} columns={comparedColumns(data.comparison)} table="rendimiento" />
            </>
          )}
        </>
      ) : (
        <Unready query={query} />
      )}
    </Board>
  )
}

/** They do not count as leads, but explain differences to other counters. */
export const Previews = ({ count }: { count: number }) => (
  <p className="text-muted">
    {count === 0
      ? 'Sin vistas previas ni bots en el periodo.'
      : `Además, ${counted(count, 'vista previa o bot, que no cuenta', 'vistas previas y bots, que no cuentan')} como leads.`}
  </p>
)
