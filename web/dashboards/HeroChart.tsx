import { useId, useState } from 'react'
import type { SummaryDay } from '#contract/summary.ts'
import { dateInMexico } from '#contract/time.ts'
import { longDay, measures, RUNNING } from '#web/boards/words.ts'
import { Running } from '#web/charts/ChangeNote.tsx'
import { Chart } from '#web/charts/Chart.tsx'
import { FIGURE } from '#web/charts/series.ts'
import { entryLooks } from '#web/states/looks.ts'
import type { Column } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Day } from '#web/ui/dates.tsx'
import { formatNumber } from '#web/ui/format.ts'
import { Money } from '#web/ui/Money.tsx'

const NO_FIGURE = { grafica: 'commission' }

const words = { commission: 'Ganado', leads: 'Leads', conversions: 'Conversiones' }
const figures = (['commission', 'leads', 'conversions'] as const).flatMap((value) =>
  measures.filter((measure) => measure.value === value).map((measure) => ({ ...measure, label: words[value] })),
)

/** One figure of each of ninety days and of today, which is not over. */
export function HeroChart({ days }: { days: readonly SummaryDay[] }) {
  const { filters, change } = useUrlFilters(NO_FIGURE)
  const [open, setOpen] = useState(false)
  const table = useId()
  const chosen = figures.find(({ value }) => value === filters.grafica) ?? figures[0]
  if (!chosen) return null
  return (
    <div className="min-w-0">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <fieldset className="flex min-w-0 flex-wrap gap-1">
          <legend className="sr-only">Cifra de los últimos 90 días</legend>
          {figures.map(({ value, label }) => (
            <button
              key={value}
              type="button"
              aria-pressed={value === chosen.value}
              onClick={() => change({ grafica: value })}
              className={cx(
                'h-11 rounded-lg px-3 font-medium text-muted hover:bg-hover hover:text-ink sm:h-8',
                'aria-pressed:bg-brand-soft aria-pressed:text-brand-ink',
              )}
            >
              {label}
            </button>
          ))}
        </fieldset>
        <Button size="sm" aria-expanded={open} aria-controls={table} onClick={() => setOpen(!open)}>
          {open ? 'Ocultar tabla' : 'Ver tabla'}
        </Button>
      </div>
      <Chart
        label={`${chosen.label} por día en los últimos 90 días; las cifras están en la tabla.`}
        rows={days}
        day={({ day }) => day}
        title={({ day }) => (isToday(day) ? `${longDay(day)} · en curso` : longDay(day))}
        series={[
          {
            ...{ name: chosen.label, kind: 'area' },
            color: chosen.value === 'commission' ? entryLooks.accrued.mark : FIGURE,
            value: (row) => Number(row[chosen.value]),
            text: (row) => chosen.text(row[chosen.value]),
            unfinished: { name: RUNNING, is: ({ day }) => isToday(day) },
          },
        ]}
        axis={chosen.axis}
      />
      <div id={table} hidden={!open} className="mt-4">
        {open && <DaysTable days={days} />}
      </div>
    </div>
  )
}

const isToday = (day: string): boolean => day === dateInMexico()

const DaysTable = ({ days }: { days: readonly SummaryDay[] }) => (
  <DataTable
    query={{ data: days, isError: false, isFetching: false, error: null, refetch: () => undefined }}
    columns={columns}
    rowKey={({ day }) => day}
    label="Últimos 90 días"
    empty="Sin movimientos"
    initialSort={{ header: 'Día', desc: true }}
  />
)

const columns: Column<SummaryDay>[] = [
  {
    header: 'Día',
    cell: ({ day }) => (
      <span className="inline-flex flex-wrap items-center gap-x-1.5">
        <Day value={day} />
        {isToday(day) && <Running />}
      </span>
    ),
    sort: ({ day }) => day,
  },
  {
    header: 'Ganado',
    cell: ({ commission }) => <Money value={commission} />,
    sort: ({ commission }) => Number(commission),
    align: 'right',
  },
  { header: 'Leads', cell: ({ leads }) => formatNumber(leads), sort: ({ leads }) => leads, align: 'right' },
  {
    header: 'Conversiones',
    cell: ({ conversions }) => formatNumber(conversions),
    sort: ({ conversions }) => conversions,
    align: 'right',
  },
]
