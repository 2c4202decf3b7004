import { cx } from '#web/ui/cx.ts'
import { InList } from '#web/ui/dates.tsx'
import type { Column, RowAction } from './column.ts'
import { BodyRow, type Opens, SkeletonRow } from './Row.tsx'
import { TableHead } from './TableHead.tsx'
import type { Choosing } from './use-choosing.ts'
import type { RowTable } from './use-rows.ts'

interface Props<Row extends object> {
  table: RowTable<Row>
  /** Those that are shown. */
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  label: string | undefined
  actions: ((row: Row) => RowAction[]) | undefined
  actionsOf: ((row: Row) => string) | undefined
  choosing: Choosing<Row> | undefined
  opens: Opens<Row> | undefined
  keyOf: (row: Row) => string | number
  savedKey: string | number | undefined
  waiting: boolean
  outdated: boolean
  skeletonRows: number
}

/** A list where there is room for rows. */
export function Rows<Row extends object>({
  table,
  rows,
  columns,
  label,
  actions,
  actionsOf,
  choosing,
  opens,
  keyOf,
  savedKey,
  waiting,
  outdated,
  skeletonRows,
}: Props<Row>) {
  const parts = { columns, withBox: choosing !== undefined, withActions: actions !== undefined }
  return (
    // Between cards and full width the table scrolls within its own box; the page never does.
    <div className="@max-[60rem]:overflow-x-auto in-data-aside:overflow-x-auto print:overflow-visible">
      {/* Another `display` removes the roles of table elements, so they are written out. */}
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
      <table role="table" aria-label={label} aria-busy={waiting || outdated} className="w-full narrow:block">
        <TableHead table={table} columns={columns} choosing={choosing} withActions={parts.withActions} />
        {/* Not for quick answers, which would flicker. */}
        <tbody role="rowgroup" className={cx('transition-opacity narrow:block', outdated && 'opacity-50 delay-200')}>
          <InList>
            {waiting
              ? Array.from({ length: skeletonRows }, (_, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: skeletons are all the same
                  <SkeletonRow key={index} {...parts} />
                ))
              : rows.map((row) => (
                  <BodyRow
                    key={keyOf(row)}
                    row={row}
                    columns={columns}
                    actions={actions?.(row)}
                    actionsOf={actionsOf?.(row)}
                    choosing={choosing}
                    opens={opens}
                    isSaved={keyOf(row) === savedKey}
                  />
                ))}
          </InList>
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
    </div>
  )
}
