import { Ellipsis } from 'lucide-react'
import { Fragment, type ReactNode, useId } from 'react'
import { cx } from '#web/ui/cx.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { RowBox } from './ChooseBox.tsx'
import type { CardParts } from './card-parts.ts'
import type { Column, RowAction } from './column.ts'
import type { Choosing } from './use-choosing.ts'

interface Props<Row> {
  row: Row
  parts: CardParts<Row>
  actions: RowAction[]
  choosing: Choosing<Row> | undefined
  /** It was saved just now. */
  isSaved: boolean
}

const shown = <Row,>({ brief, cell }: Column<Row>, row: Row): ReactNode => (brief ?? cell)(row)
const LINE = 'flex items-center justify-between gap-3'

/** A row on a phone: all of it opens what the row opens, the other actions are behind '⋯'. */
export function Card<Row>({ row, parts, actions, choosing, isSaved }: Props<Row>) {
  const titleId = useId()
  const { start, title, amount, meta, lines, chip } = parts
  const main = actions.find(({ opens, disabled, disabledReason }) => opens && !disabled && !disabledReason)
  const others = actions.filter((action) => action !== main)
  return (
    <li
      data-saved={isSaved || undefined}
      data-more={others.length > 0 || undefined}
      className={cx(
        'relative flex min-h-18 items-center border-b last:border-b-0 hover:bg-hover/60 data-lifted:z-5 data-lifted:bg-brand-soft data-lifted:shadow-popup',
        choosing?.has(row) && 'bg-brand-soft',
      )}
    >
      {choosing && (
        <span className="relative z-1">
          <RowBox row={row} choosing={choosing} />
        </span>
      )}
      {start && <span className="relative z-1 pl-2">{shown(start, row)}</span>}
      <div
        className={cx(
          'grid min-w-0 flex-1 grid-cols-1 gap-0.5 py-3 [&_:is(a,button):not([data-opener])]:relative [&_:is(a,button):not([data-opener])]:z-1',
          choosing ? 'pl-0' : 'pl-4',
          // Amounts stand below each other, whether or not a card has '⋯'.
          others.length > 0 ? 'pr-1' : 'pr-4 group-has-data-more/cards:pr-13.5',
        )}
      >
        <div className={LINE}>
          <Opener action={main}>
            <span id={titleId}>{shown(title, row)}</span>
          </Opener>
          {amount && <span className="shrink-0 font-medium tabular-nums">{shown(amount, row)}</span>}
        </div>
        {(meta.length > 0 || chip) && (
          <div className={cx(LINE, 'text-xs text-muted')}>
            <Meta columns={meta} row={row} />
            {chip && <span className="shrink-0">{shown(chip, row)}</span>}
          </div>
        )}
        {lines.length > 0 && <Lines columns={lines} row={row} />}
      </div>
      {others.length > 0 && (
        <Menu
          trigger={
            <IconButton
              label="Más acciones"
              icon={Ellipsis}
              aria-describedby={titleId}
              className="relative z-1 mr-1.5 size-11"
            />
          }
          items={others}
        />
      )}
    </li>
  )
}

// Nothing hovers on a phone: what were cut could not be read.
const TITLE = 'block min-w-0 text-left font-medium wrap-anywhere'

/** Its reach is the whole card. The visible title begins its name, and what it does ends it. */
const Opener = ({ action, children }: { action: RowAction | undefined; children: ReactNode }) =>
  action ? (
    <button
      type="button"
      data-opener
      onClick={action.onClick}
      className="min-w-0 text-left outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
    >
      <span className={TITLE}>{children}</span>
      <span className="sr-only">. {action.label}</span>
    </button>
  ) : (
    <span className={TITLE}>{children}</span>
  )

const Meta = <Row,>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) => (
  <span className="min-w-0 wrap-anywhere">
    {columns
      .map((column) => ({ key: column.header, part: shown(column, row) }))
      .filter(({ part }) => part)
      .map(({ key, part }, index) => (
        <Fragment key={key}>
          {index > 0 && ' · '}
          {part}
        </Fragment>
      ))}
  </span>
)

const Lines = <Row,>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) => (
  <dl className="mt-0.5 flex flex-wrap gap-x-4 gap-y-1">
    {columns
      .map((column) => ({ header: column.header, part: shown(column, row) }))
      .filter(({ part }) => part !== null && part !== '')
      .map(({ header, part }) => (
        <div key={header} className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
          <dt className="shrink-0 text-xs text-muted">{header}</dt>
          <dd className="min-w-0 wrap-anywhere">{part}</dd>
        </div>
      ))}
  </dl>
)

export const CardSkeleton = () => (
  <li className="grid min-h-18 content-center gap-2.5 border-b px-4 last:border-b-0">
    <span className={LINE}>
      <Skeleton className="w-40" />
      <Skeleton className="w-20" />
    </span>
    <span className={LINE}>
      <Skeleton className="w-28" />
      <Skeleton className="w-16" />
    </span>
  </li>
)
