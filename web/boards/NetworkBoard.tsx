import { useQuery } from '@tanstack/react-query'
import type { Network, Pair } from '#contract/boards.ts'
import type { Column } from '#web/table/column.ts'
import { Board, useBoardFilters } from './Board.tsx'
import { comparedColumns, figureColumns } from './columns.tsx'
import { DailyFigures } from './DailyFigures.tsx'
import { KeyFigures } from './KeyFigures.tsx'
import { hasNoFigures, NoData } from './NoData.tsx'
import { Previews } from './PerformanceBoard.tsx'
import { type Asked, networkQuery } from './queries.ts'
import { Rankings } from './Rankings.tsx'
import { Section, Unready } from './Section.tsx'
import { StateCards } from './StateCards.tsx'

export default function NetworkBoard() {
  const asked = useBoardFilters()
  const query = useQuery(networkQuery(asked))
  const { data, isError, isPlaceholderData } = query
  const empty = data !== undefined && hasNoFigures(data) && data.pairs.length === 0
  return (
    <Board asked={asked} busy={isPlaceholderData}>
      {data && !isError ? (
        <>
          <KeyFigures report={data} />
          {(!empty || data.previews > 0) && <Previews count={data.previews} />}
          <StateCards states={data.states} />
          {empty ? <NoData of="figures" /> : <Sections data={data} asked={asked} />}
        </>
      ) : (
        <Unready query={query} />
      )}
    </Board>
  )
}

const Sections = ({ data, asked }: { data: Network; asked: Asked }) => (
  <>
    <DailyFigures days={data.days} asked={asked} />
    <Rankings rows={data} asked={asked} columns={comparedColumns(data.comparison)} table="rendimiento" />
    <Section
      ranked
      title="Por relación"
      description="Qué afiliado lleva leads a qué emisor."
      table="red-parejas"
      asked={asked}
      rows={data.pairs}
      columns={pairColumns(data.pairs)}
      rowKey={({ issuer_id, affiliate_id }) => `${issuer_id} ${affiliate_id}`}
    />
  </>
)

const pairColumns = (pairs: readonly Pair[]): Column<Pair>[] => [
  { header: 'Emisor', cell: (pair) => pair.issuer_name, sort: (pair) => pair.issuer_name },
  { header: 'Afiliado', cell: (pair) => pair.affiliate_name, sort: (pair) => pair.affiliate_name },
  ...figureColumns(pairs),
]
