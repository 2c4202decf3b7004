import type { ComparedRow, Figures, States } from '#contract/boards.ts'
import { Share } from '#web/charts/Share.tsx'
import type { Column } from '#web/table/column.ts'
import { formatNumber } from '#web/ui/format.ts'
import { Money } from '#web/ui/Money.tsx'
import { percent } from './words.ts'

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

/** The figures and the leads of the period before. */
export const comparedColumns = (name: string, rows: readonly ComparedRow[]): Column<ComparedRow>[] => [
  { header: name, cell: (row) => row.name, sort: (row) => row.name },
  ...figureColumns(rows),
  {
    header: 'Leads antes',
    cell: ({ previous }) => formatNumber(previous.leads),
    sort: ({ previous }) => previous.leads,
    align: 'right',
    secondary: true,
  },
]

const amount = <Row extends States>(header: string, of: keyof States): Column<Row> => ({
  header,
  cell: (row) => <Money value={row[of]} />,
  sort: (row) => Number(row[of]),
  align: 'right',
})

export const stateColumns = <Row extends States>(): Column<Row>[] => [
  amount('Devengada', 'accrued'),
  amount('En pago', 'in_payment'),
  amount('Pagada', 'paid'),
  amount('Total ganado', 'earned'),
  amount('Revertida', 'reversed'),
]
