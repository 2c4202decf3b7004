import type { Cohort, Funnel } from '#contract/boards.ts'
import { Chart } from '#web/charts/Chart.tsx'
import { BEFORE, FIGURE, type Series } from '#web/charts/series.ts'
import type { Column } from '#web/table/column.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Card } from '#web/ui/Card.tsx'
import { counted, formatDate, formatNumber } from '#web/ui/format.ts'
import type { Asked } from './queries.ts'
import { Section } from './Section.tsx'
import { longDay, percent, shortNumber, shortPercent } from './words.ts'

/** How many of each day's leads were approved; recent days are marked as not final. */
export function Cohorts({ funnel, asked }: { funnel: Funnel; asked: Asked }) {
  const { approval_step, maturity_days, cohorts } = funnel
  if (approval_step === null)
    return (
      <Card title="Aprobación por día del clic">
        <p className="text-muted">El producto no tiene un paso de aprobación, así que no hay tasa que mostrar.</p>
      </Card>
    )
  return (
    <Section
      title="Aprobación por día del clic"
      description={`De los leads de cada día, cuántos han llegado a «${approval_step}», también los que se rechazaron después. Nueve de cada diez aprobaciones llegan en ${counted(maturity_days, 'día', 'días')} o menos: los días recientes todavía pueden subir.`}
      table="embudo-cosechas"
      asked={asked}
      rows={cohorts}
      columns={columns}
      rowKey={({ from }) => from}
      chart={
        <Chart
          label="Leads por día del clic y su tasa de aprobación; las cifras están en la tabla."
          rows={cohorts}
          day={({ from }) => from}
          title={titleOf}
          series={series}
          axis={shortNumber}
          rightAxis={shortPercent}
        />
      }
    />
  )
}

const titleOf = ({ from, to, is_young }: Cohort): string =>
  `${from === to ? longDay(from) : `${formatDate(from, 'day')} a ${formatDate(to, 'day')}`}${is_young ? ' · aún puede subir' : ''}`

const rate = ({ approval_rate }: Cohort): string => percent(approval_rate)

const unfinished = { name: 'Aún puede subir', is: ({ is_young }: Cohort) => is_young }

const series: Series<Cohort>[] = [
  {
    ...{ name: 'Leads', kind: 'bar', color: BEFORE, unfinished },
    value: ({ leads }) => leads,
    text: ({ leads }) => formatNumber(leads),
  },
  {
    ...{ name: 'Tasa de aprobación', kind: 'line', color: FIGURE, onRight: true, unfinished },
    value: ({ leads, approval_rate }) => (leads === 0 ? undefined : approval_rate),
    text: rate,
  },
]

const columns: Column<Cohort>[] = [
  { header: 'Clics', cell: ({ from, to }) => rangeOf(from, to), sort: ({ from }) => from },
  { header: 'Leads', cell: ({ leads }) => formatNumber(leads), sort: ({ leads }) => leads, align: 'right' },
  {
    header: 'Llegaron',
    cell: ({ approved }) => formatNumber(approved),
    sort: ({ approved }) => approved,
    align: 'right',
  },
  {
    header: 'Tasa de aprobación',
    cell: (cohort) => (cohort.leads === 0 ? '-' : rate(cohort)),
    sort: ({ approval_rate }) => approval_rate,
    align: 'right',
  },
  {
    header: 'Madurez',
    cell: ({ is_young }) => (is_young ? <Badge tone="money">Aún puede subir</Badge> : 'Madura'),
    sort: ({ is_young }) => Number(is_young),
  },
]

const rangeOf = (from: string, to: string): string =>
  from === to ? (formatDate(from, 'day') ?? from) : `${formatDate(from, 'day')} a ${formatDate(to, 'day')}`
