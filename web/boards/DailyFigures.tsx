import type { ReportDay } from '#contract/boards.ts'
import { Chart } from '#web/charts/Chart.tsx'
import type { Series } from '#web/charts/series.ts'
import type { Column } from '#web/table/column.ts'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Day } from '#web/ui/dates.tsx'
import { formatNumber } from '#web/ui/format.ts'
import { Money } from '#web/ui/Money.tsx'
import { Select } from '#web/ui/Select.tsx'
import type { Asked } from './queries.ts'
import { Section } from './Section.tsx'
import { longDay, type Measure, measures, shortDay } from './words.ts'

const NO_MEASURE = { medida: 'leads' }

/** One figure by day over the same of the period before. */
export function DailyFigures({ days, asked }: { days: readonly ReportDay[]; asked: Asked }) {
  const { filters, change } = useUrlFilters(NO_MEASURE)
  const measure = measures.find(({ value }) => value === filters.medida) ?? (measures[0] as Measure)
  return (
    <Section
      title="Por día"
      description="Cada día junto al que ocupa su lugar en el periodo anterior."
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
            tick={({ day }) => shortDay(day)}
            title={({ day }) => longDay(day)}
            series={seriesOf(measure)}
            axis={measure.axis}
          />
        </>
      }
    />
  )
}

const seriesOf = ({ value, label, text }: Measure): Series<ReportDay>[] => [
  { name: label, kind: 'line', color: 1, value: (row) => Number(row[value]), text: (row) => text(row[value]) },
  {
    name: 'Periodo anterior',
    kind: 'line',
    color: 6,
    dashed: true,
    value: ({ previous }) => Number(previous[value]),
    text: ({ previous }) => `${text(previous[value])} (${shortDay(previous.day)})`,
  },
]

const columns: Column<ReportDay>[] = [
  { header: 'Día', cell: ({ day }) => <Day value={day} />, sort: ({ day }) => day },
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
  { header: 'Día anterior', cell: ({ previous }) => <Day value={previous.day} />, secondary: true },
  {
    header: 'Leads antes',
    cell: ({ previous }) => formatNumber(previous.leads),
    sort: ({ previous }) => previous.leads,
    align: 'right',
    secondary: true,
  },
  {
    header: 'Comisión antes',
    cell: ({ previous }) => <Money value={previous.commission} />,
    sort: ({ previous }) => Number(previous.commission),
    align: 'right',
    secondary: true,
  },
]
