import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import { cx } from '#web/ui/cx.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { RowBox } from './ChooseBox.tsx'
import type { Column, RowAction } from './column.ts'
import { RowActions } from './RowActions.tsx'
import type { Choosing } from './use-choosing.ts'
import { type RowPanel, rowLinkId } from './use-panel.ts'

export const side = { left: 'text-left', center: 'text-center', right: 'text-right tabular-nums' }

/** Where a table scrolls within its box the actions stay in sight; what passes below them must not show through. */
export const PINNED = 'middling:sticky middling:right-0 middling:z-1 middling:shadow-[-1px_0_var(--color-line)]'

const ROW = cx(
  'group/row border-b last:border-b-0 not-data-marked:hover:bg-hover/60 narrow:grid narrow:grid-cols-1 narrow:gap-2 narrow:px-4 narrow:py-3.5',
  // Open or chosen.
  'data-marked:bg-brand-soft',
  // A dragged row lies over its neighbours and below the heads.
  'data-lifted:relative data-lifted:z-5 data-lifted:bg-brand-soft data-lifted:shadow-popup',
  'scroll-my-24',
)
// In a card the column's head stands before the value.
const CELL = cx(
  'h-(--row) px-2.5 py-1 middling:px-2 roomy:px-3',
  'narrow:flex narrow:h-auto narrow:max-w-none narrow:items-baseline narrow:justify-between narrow:gap-4 narrow:p-0 narrow:text-right',
  'narrow:before:shrink-0 narrow:before:text-xs narrow:before:text-muted narrow:before:content-[attr(data-label)]',
)

/** Where a row opens its details, and what its link is called. */
export interface Opens<Row> {
  panel: RowPanel
  name: (row: Row) => string
}

interface RowProps<Row> {
  row: Row
  columns: readonly Column<Row>[]
  actions: RowAction[] | undefined
  /** Whose they are, where the rarer ones are in a menu. */
  actionsOf: string | undefined
  choosing?: Choosing<Row> | undefined
  /** It was saved just now. */
  isSaved: boolean
  opens?: Opens<Row> | undefined
}

const OPEN_ROW = 'shadow-[inset_2px_0_0_var(--color-brand)]'

// biome-ignore-start lint/a11y/noRedundantRoles: as cards these elements have another display and would lose their roles
export function BodyRow<Row>({ row, columns, actions, actionsOf, choosing, opens, isSaved }: RowProps<Row>) {
  const { id } = row as { id: number }
  const isOpen = opens !== undefined && opens.panel.id === id
  return (
    // The keys have the link in the first cell.
    <tr
      role="row"
      data-saved={isSaved || undefined}
      onClick={opens && ((event) => isMeantForRow(event) && opens.panel.open(id))}
      aria-selected={choosing?.has(row)}
      data-marked={isOpen || choosing?.has(row) || undefined}
      className={cx(ROW, opens && 'cursor-pointer', isOpen && OPEN_ROW)}
    >
      {choosing && (
        <td role="cell" className={cx(CELL, 'w-9 print:hidden')}>
          <RowBox row={row} choosing={choosing} />
        </td>
      )}
      {columns.map((column, index) => (
        <td key={column.header} role="cell" data-label={column.header} className={cellLook(column)}>
          <Cell column={column} row={row} {...(index === 0 && { opens, choosing })} />
        </td>
      ))}
      {actions && (
        <td
          role="cell"
          className={cx(
            PINNED,
            'middling:bg-surface middling:group-hover/row:bg-hover middling:group-data-marked/row:bg-brand-soft',
            'h-(--row) px-2 py-1 text-right whitespace-nowrap roomy:px-3 narrow:h-auto narrow:p-0 narrow:pt-1 print:hidden',
          )}
        >
          <RowActions actions={actions} of={actionsOf} />
        </td>
      )}
    </tr>
  )
}

const cellLook = <Row,>(column: Column<Row>): string =>
  cx(
    CELL,
    side[column.align ?? 'left'],
    column.width ?? (column.wrap ? 'max-w-md' : 'max-w-96'),
    column.secondary && 'hidden @4xl:table-cell narrow:flex print:table-cell',
    column.wideOnly && 'hidden @4xl:table-cell narrow:hidden!',
  )

/** A plain click that is for nothing else in the row and does not end the choice of a text. */
function isMeantForRow({ target, currentTarget, ...event }: MouseEvent): boolean {
  const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.defaultPrevented)
  const isOnRow = currentTarget.contains(target as Node) && !(target as Element).closest(CLICKABLE)
  return isPlain && isOnRow && (getSelection()?.isCollapsed ?? true)
}

const CLICKABLE = 'a, button, input, label, select, textarea, summary'

interface CellProps<Row> {
  column: Column<Row>
  row: Row
  /** In the first cell, which is the link to the row. */
  opens?: Opens<Row> | undefined
  choosing?: Choosing<Row> | undefined
}

function Cell<Row>({ column, row, opens, choosing }: CellProps<Row>) {
  const content: ReactNode = column.cell(row)
  const title = column.title?.(row) ?? (typeof content === 'string' ? content : undefined)
  return (
    // On a tablet a name wraps; elsewhere it is cut, and whole on hover.
    <div
      title={title}
      className="line-clamp-1 min-w-0 break-all middling:line-clamp-3 middling:[word-break:normal] middling:wrap-break-word narrow:line-clamp-3 narrow:[word-break:normal] narrow:wrap-anywhere"
    >
      {opens ? <RowLink row={row} opens={opens} choosing={choosing} content={content} /> : content}
    </div>
  )
}

interface LinkProps<Row> {
  row: Row
  opens: Opens<Row>
  choosing: Choosing<Row> | undefined
  content: ReactNode
}

function RowLink<Row>({ row, opens: { panel, name }, choosing, content }: LinkProps<Row>) {
  const { id } = row as { id: number }
  return (
    <Link
      id={rowLinkId(panel.param, id)}
      data-row-link
      {...panel.linkTo(id)}
      preventScrollReset
      aria-current={panel.id === id || undefined}
      onKeyDown={(event) => {
        if (event.key === ' ' && choosing) choosing.touch(row, event.shiftKey)
        else if (!goOn(event)) return
        event.preventDefault()
      }}
      className="relative rounded font-medium hover:underline"
    >
      <span className="sr-only">{name(row)}, </span>
      {content}
    </Link>
  )
}

const STEPS: Record<string, 'nextElementSibling' | 'previousElementSibling'> = {
  ArrowDown: 'nextElementSibling',
  ArrowUp: 'previousElementSibling',
}

/** ↑ and ↓ go to the link of the neighbour, if there is one. */
function goOn({ key, currentTarget, ...event }: KeyboardEvent<HTMLAnchorElement>): boolean {
  const step = STEPS[key]
  if (!step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false
  const link = currentTarget.closest('tr')?.[step]?.querySelector<HTMLAnchorElement>('[data-row-link]')
  link?.focus()
  return link !== undefined && link !== null
}

interface SkeletonProps<Row> {
  columns: readonly Column<Row>[]
  withBox: boolean
  withActions: boolean
}

export function SkeletonRow<Row>({ columns, withBox, withActions }: SkeletonProps<Row>) {
  return (
    <tr role="row" className={ROW}>
      {withBox && <td role="cell" className={cx(CELL, 'w-9')} />}
      {columns.map((column) => (
        <td key={column.header} role="cell" data-label={column.header} className={cellLook(column)}>
          {/* No wider than its column, so that a list of many columns does not scroll while it loads. */}
          <Skeleton className={cx('w-full max-w-24', column.align === 'right' && 'ml-auto')} />
        </td>
      ))}
      {withActions && (
        <td role="cell" className="px-2 roomy:px-3">
          <Skeleton className="ml-auto w-14" />
        </td>
      )}
    </tr>
  )
}
// biome-ignore-end lint/a11y/noRedundantRoles: as above
