import type { ReportDay } from '#contract/boards.ts'
import { Running } from '#web/charts/ChangeNote.tsx'
import { Chart } from '#web/charts/Chart.tsx'
import { kindFor } from '#web/charts/days.ts'
import { BEFORE, FIGURE, type Series } from '#web/charts/series.ts'
import type { Column } from '#web/table/column.ts'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Day } from '#web/ui/dates.tsx'
import { formatNumber } from '#web/ui/format.ts'
import { Money } from '#web/ui/Money.tsx'
import { Select } from '#web/ui/Select.tsx'
import type { Asked } from './queries.ts'
import { Section } from './Section.tsx'
import { longDay, type Measure, measures, RUNNING, shortDay } from './words.ts'

const NO_MEASURE = { medida: 'leads' }

/** One figure by day over the same of the period before. */
export function DailyFigures({ days, asked }: { days: readonly ReportDay[]; asked: Asked }) {
  const { filters, change } = useUrlFilters(NO_MEASURE)
  const measure = measures.find(({ value }) => value === filters.medida) ?? (measures[0] as Measure)
  return (
    <Section
      title="Por día"
      description="Cada día comparado con el mismo día del periodo anterior."
      table="rendimiento-dias"
      asked={asked}
      rows={days}
      columns={columns}
      rowKey={({ day }) => day}
      chart={
        <>
          <Select
            aria-label="Cifra de la gráfica"
            options={measures}
            value={measure.value}
            onChange={(medida) => change({ medida })}
            className="mb-3 w-full sm:w-48"
          />
          <Chart
            label={`${measure.label} por día y en el periodo anterior; las cifras están en la tabla.`}
            rows={days}
            day={({ day }) => day}
            title={(row) => (isRunning(row) ? `${longDay(row.day)} · en curso` : longDay(row.day))}
            series={seriesOf(measure, days)}
            axis={measure.axis}
          />
        </>
      }
    />
  )
}

const isRunning = ({ previous }: ReportDay): boolean => previous === null

/** Today stands apart: a day that is not over would look like a fall. */
const seriesOf = ({ value, label, text }: Measure, days: readonly ReportDay[]): Series<ReportDay>[] => [
  {
    ...{ name: label, kind: kindFor(days.length), color: FIGURE },
    value: (row) => Number(row[value]),
    text: (row) => text(row[value]),
    unfinished: { name: RUNNING, is: isRunning },
  },
  {
    ...{ name: 'Periodo anterior', kind: 'line', color: BEFORE, dashed: true },
    value: ({ previous }) => (previous ? Number(previous[value]) : undefined),
    text: ({ previous }) => (previous ? `${text(previous[value])} (${shortDay(previous.day)})` : ''),
  },
]

const columns: Column<ReportDay>[] = [
  {
    header: 'Día',
    cell: ({ day, previous }) => (
      <span className="inline-flex flex-wrap items-center gap-x-1.5">
        <Day value={day} />
        {!previous && <Running />}
      </span>
    ),
    sort: ({ day }) => day,
  },
  { header: 'Leads', cell: ({ leads }) => formatNumber(leads), sort: ({ leads }) => leads, align: 'right' },
  {
    header: 'Conversiones',
    cell: ({ conversions }) => formatNumber(conversions),
    sort: ({ conversions }) => conversions,
    align: 'right',
  },
  {
    header: 'Comisión',
    cell: ({ commission }) => <Money value={commission} />,
    sort: ({ commission }) => Number(commission),
    align: 'right',
  },
  { header: 'Día anterior', cell: ({ previous }) => <Day value={previous?.day} missing="-" />, secondary: true },
  {
    header: 'Leads, periodo anterior',
    cell: ({ previous }) => (previous ? formatNumber(previous.leads) : '-'),
    sort: ({ previous }) => previous?.leads ?? -1,
    align: 'right',
    secondary: true,
  },
  {
    header: 'Comisión antes',
    cell: ({ previous }) => <Money value={previous?.commission} />,
    sort: ({ previous }) => Number(previous?.commission ?? 0),
    align: 'right',
    secondary: true,
  },
]
