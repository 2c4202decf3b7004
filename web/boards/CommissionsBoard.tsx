import { useQuery } from '@tanstack/react-query'
import type { CommissionReport, StatesRow } from '#contract/boards.ts'
import { type EntryState, entryStateLabels } from '#contract/commission-entries.ts'
import { dateInMexico } from '#contract/time.ts'
import { Chart } from '#web/charts/Chart.tsx'
import type { Series } from '#web/charts/series.ts'
import { entryLooks } from '#web/states/looks.ts'
import type { Column } from '#web/table/column.ts'
import { Day } from '#web/ui/dates.tsx'
import { formatMoney } from '#web/ui/format.ts'
import { Board, useBoardFilters } from './Board.tsx'
import { stateColumns } from './columns.tsx'
import { hasNoCommissions, NoData } from './NoData.tsx'
import { commissionsBoardQuery } from './queries.ts'
import { Rankings } from './Rankings.tsx'
import { Section, Unready } from './Section.tsx'
import { StateCards } from './StateCards.tsx'
import { longDay, RUNNING, shortMoney } from './words.ts'

export default function CommissionsBoard() {
  const asked = useBoardFilters()
  const query = useQuery(commissionsBoardQuery(asked))
  const { data, isError, isPlaceholderData } = query
  return (
    <Board asked={asked} busy={isPlaceholderData}>
      {data && !isError ? (
        <>
          <StateCards states={data.totals} />
          <p className="text-muted">Según el día en que se ganaron. Montos antes de IVA y retenciones.</p>
          {hasNoCommissions(data) ? (
            <NoData of="commissions" />
          ) : (
            <>
              <Section
                title="Por día"
                table="comisiones-dias"
                asked={asked}
                rows={data.days}
                columns={dayColumns}
                rowKey={({ day }) => day}
                chart={<Days days={data.days} />}
              />
              <Rankings rows={data} asked={asked} columns={rowColumns} table="comisiones" />
            </>
          )}
        </>
      ) : (
        <Unready query={query} />
      )}
    </Board>
  )
}

type StatesDay = CommissionReport['days'][number]

const Days = ({ days }: { days: readonly StatesDay[] }) => (
  <Chart
    label="Comisión ganada por día según su estado de hoy; las cifras están en la tabla."
    rows={days}
    day={({ day }) => day}
    title={({ day }) => (isRunning({ day }) ? `${longDay(day)} · en curso` : longDay(day))}
    series={series}
    axis={shortMoney}
  />
)

const isRunning = ({ day }: { day: string }): boolean => day >= dateInMexico()

const seriesOf = (state: EntryState): Series<StatesDay> => ({
  ...{ name: entryStateLabels[state], kind: 'bar', stack: 'estado' },
  ...{ color: entryLooks[state].mark, hatched: entryLooks[state].hatched ?? false },
  value: (row) => Number(row[state]),
  text: (row) => formatMoney(row[state]),
  unfinished: { name: RUNNING, is: isRunning },
})

/** Paid stands at the bottom, as what moves least. */
const series = (['paid', 'in_payment', 'accrued', 'reversed'] as const).map(seriesOf)

const dayColumns: Column<StatesDay>[] = [
  { header: 'Día', cell: ({ day }) => <Day value={day} />, sort: ({ day }) => day },
  ...stateColumns<StatesDay>(),
]

const rowColumns = (name: string): Column<StatesRow>[] => [
  { header: name, cell: (row) => row.name, sort: (row) => row.name },
  ...stateColumns<StatesRow>(),
]
