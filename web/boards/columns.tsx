import type { ComparedRow, Figures, States } from '#contract/boards.ts'
import { entryStateLabels } from '#contract/commission-entries.ts'
import type { Comparison } from '#contract/periods.ts'
import { ChangeNote } from '#web/charts/ChangeNote.tsx'
import { changeOf } from '#web/charts/change.ts'
import { comparisonText } from '#web/charts/comparison.ts'
import { Share } from '#web/charts/Share.tsx'
import type { Column } from '#web/table/column.ts'
import { formatNumber } from '#web/ui/format.ts'
import { Money } from '#web/ui/Money.tsx'
import { changeBetween, percent } from './words.ts'

const largest = (rows: readonly { leads: number }[]): number => Math.max(1, ...rows.map(({ leads }) => leads))

export const figureColumns = <Row extends Figures>(rows: readonly Row[]): Column<Row>[] => {
  const most = largest(rows)
  return [
    {
      header: 'Leads',
      cell: ({ leads }) => <Share part={leads / most}>{formatNumber(leads)}</Share>,
      sort: ({ leads }) => leads,
      align: 'right',
    },
    {
      header: 'Conversiones',
      cell: ({ conversions }) => formatNumber(conversions),
      sort: ({ conversions }) => conversions,
      align: 'right',
    },
    {
      header: 'Tasa',
      cell: ({ conversion_rate }) => percent(conversion_rate),
      sort: ({ conversion_rate }) => conversion_rate,
      align: 'right',
    },
    {
      header: 'Comisión',
      cell: ({ commission }) => <Money value={commission} />,
      sort: ({ commission }) => Number(commission),
      align: 'right',
    },
  ]
}

/** The figures, and how the leads of the complete days changed. */
export const comparedColumns =
  (comparison: Comparison | null) =>
  (name: string, rows: readonly ComparedRow[]): Column<ComparedRow>[] => [
    { header: name, cell: (row) => row.name, sort: (row) => row.name },
    ...figureColumns(rows),
    ...(comparison ? [changeColumn(comparison)] : []),
  ]

const leadsChange = ({ compared, previous }: ComparedRow): number | null =>
  changeBetween(compared.leads, previous.leads)

const changeColumn = (comparison: Comparison): Column<ComparedRow> => ({
  header: 'Cambio en leads',
  cell: (row) => (
    <span className="inline-flex justify-end">
      <ChangeNote
        change={changeOf({ value: row.compared.leads, previous: row.previous.leads, change: leadsChange(row) })}
        compared={comparisonText(comparison, formatNumber(row.previous.leads))}
      />
    </span>
  ),
  sort: (row) => leadsChange(row) ?? (row.compared.leads > 0 ? Number.MAX_VALUE : 0),
  align: 'right',
  secondary: true,
})

const amount = <Row extends States>(header: string, of: keyof States): Column<Row> => ({
  header,
  cell: (row) => <Money value={row[of]} />,
  sort: (row) => Number(row[of]),
  align: 'right',
})

export const stateColumns = <Row extends States>(): Column<Row>[] => [
  amount(entryStateLabels.accrued, 'accrued'),
  amount(entryStateLabels.in_payment, 'in_payment'),
  amount(entryStateLabels.paid, 'paid'),
  amount('Total ganado', 'earned'),
  amount(entryStateLabels.reversed, 'reversed'),
]
