import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { cx } from '#web/ui/cx.ts'
import { PageBox } from './ChooseBox.tsx'
import type { Column } from './column.ts'
import { PINNED, side } from './Row.tsx'
import type { Choosing } from './use-choosing.ts'
import type { RowTable } from './use-rows.ts'

interface Props<Row extends object> {
  table: RowTable<Row>
  columns: readonly Column<Row>[]
  choosing: Choosing<Row> | undefined
}

// Not sticky in a table that scrolls in its own box: the offset would push the heads over the rows.
const PLACE = 'sticky @max-[60rem]:static in-data-aside:static top-(--table-top,3.5rem) z-10'
/** Stays on the bar of what is chosen, which lies over the other heads. */
const OVER_BAR = 'relative z-21 @min-[60rem]:sticky @min-[60rem]:top-(--table-top,3.5rem)'
const LOOK =
  'h-9 border-b px-2.5 text-xs font-medium text-muted middling:px-2 roomy:px-3 middling:whitespace-nowrap roomy:whitespace-nowrap first:rounded-tl-xl last:rounded-tr-xl'

export function TableHead<Row extends object>({
  table,
  columns,
  choosing,
  withActions,
}: Props<Row> & { withActions: boolean }) {
  return (
    <thead className="narrow:hidden">
      <tr>
        {choosing && (
          <th
            scope="col"
            className={cx(
              OVER_BAR,
              LOOK,
              'w-9 text-left print:hidden',
              choosing.chosen.length > 0 ? 'bg-brand-soft' : 'bg-sunken',
            )}
          >
            <PageBox choosing={choosing} />
          </th>
        )}
        {columns.map((column) => {
          const sorted = table.getColumn(column.header)?.getIsSorted() ?? false
          return (
            <th
              key={column.header}
              scope="col"
              aria-sort={sorted ? (sorted === 'asc' ? 'ascending' : 'descending') : undefined}
              className={cx(
                PLACE,
                LOOK,
                'bg-sunken',
                side[column.align ?? 'left'],
                (column.secondary || column.wideOnly) && 'hidden @4xl:table-cell',
                column.secondary && 'print:table-cell',
              )}
            >
              {column.sort ? (
                <button
                  type="button"
                  onClick={() => table.getColumn(column.header)?.toggleSorting()}
                  className="group relative -mx-1 rounded px-1 py-0.5 [text-align:inherit] hover:text-ink"
                >
                  {column.header}
                  <SortIcon sorted={sorted} before={column.align === 'right'} />
                </button>
              ) : (
                column.header
              )}
            </th>
          )
        })}
        {withActions && (
          <th scope="col" className={cx(PLACE, LOOK, PINNED, 'bg-sunken text-right middling:top-auto print:hidden')}>
            Acciones
          </th>
        )}
      </tr>
    </thead>
  )
}

/** Out of the flow, so that a head stands exactly over what it heads; before the words where figures end below them. */
function SortIcon({ sorted, before }: { sorted: false | 'asc' | 'desc'; before: boolean }) {
  const Icon = sorted === 'asc' ? ArrowUp : sorted === 'desc' ? ArrowDown : ChevronsUpDown
  return (
    <Icon
      aria-hidden
      className={cx(
        'absolute top-1/2 size-3.5 -translate-y-1/2',
        before ? 'right-full' : 'left-full',
        sorted ? 'text-brand' : 'opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100',
      )}
    />
  )
}
