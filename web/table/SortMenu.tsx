import { cx } from '#web/ui/cx.ts'
import { Select } from '#web/ui/Select.tsx'
import type { Column } from './column.ts'
import type { RowTable } from './use-rows.ts'

interface Props<Row extends object> {
  table: RowTable<Row>
  columns: readonly Column<Row>[]
  className?: string
}

/** Cards have no heads to click on; they are sorted here. */
export function SortMenu<Row extends object>({ table, columns, className }: Props<Row>) {
  const sortable = columns.filter((column) => column.sort && !column.wideOnly)
  if (sortable.length === 0) return null
  const sorted = table.state.sorting[0]
  const options = sortable.flatMap(({ header }) => [
    { value: `asc:${header}`, label: `${header}, ascendente` },
    { value: `desc:${header}`, label: `${header}, descendente` },
  ])
  return (
    <div className={cx('border-b p-3', className)}>
      <Select
        aria-label="Ordenar por"
        placeholder="Ordenar por..."
        options={options}
        value={sorted ? `${sorted.desc ? 'desc' : 'asc'}:${sorted.id}` : null}
        onChange={(choice) => {
          const [direction = 'asc', ...header] = choice.split(':')
          table.setSorting([{ id: header.join(':'), desc: direction === 'desc' }])
        }}
      />
    </div>
  )
}
