import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { formatNumber } from '#web/ui/format.ts'
import { Card, CardSkeleton } from './Card.tsx'
import { cardParts } from './card-parts.ts'
import type { Column, RowAction } from './column.ts'
import { FooterBar } from './TableFooter.tsx'
import type { Choosing } from './use-choosing.ts'

const STEP = 10

interface Props<Row> {
  /** In their order, all that are here. */
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  label: string | undefined
  actions: ((row: Row) => RowAction[]) | undefined
  choosing: Choosing<Row> | undefined
  keyOf: (row: Row) => string | number
  /** How many are shown at first. */
  begin: number | undefined
  savedKey: string | number | undefined
  waiting: boolean
  outdated: boolean
  /** What leads to the rows that are not here; after the last card. */
  footer: ReactNode
}

/** A list on a phone. */
export function Cards<Row>({
  rows,
  columns,
  label,
  actions,
  choosing,
  keyOf,
  begin = STEP,
  savedKey,
  waiting,
  outdated,
  footer,
}: Props<Row>) {
  const list = useRef<HTMLUListElement>(null)
  const first = rows[0] && keyOf(rows[0])
  const { count, showMore } = useShown(first, begin, list)
  const parts = cardParts(columns)
  const left = rows.length - count
  return (
    <>
      <ul
        ref={list}
        // biome-ignore lint/a11y/noRedundantRoles: without bullets a list is none to VoiceOver, unless it says so
        role="list"
        aria-label={label}
        aria-busy={waiting || outdated}
        className={cx('group/cards transition-opacity', outdated && 'opacity-50 delay-200')}
      >
        {waiting
          ? ['a', 'b', 'c', 'd', 'e'].map((key) => <CardSkeleton key={key} />)
          : rows
              .slice(0, count)
              .map((row) => (
                <Card
                  key={keyOf(row)}
                  row={row}
                  parts={parts}
                  actions={actions?.(row) ?? []}
                  choosing={choosing}
                  isSaved={keyOf(row) === savedKey}
                />
              ))}
      </ul>
      {rows.length > begin && (
        <FooterBar>
          {left > 0 && <Button onClick={showMore}>Ver {Math.min(STEP, left)} más</Button>}
          <span role="status" className="text-muted tabular-nums">
            {formatNumber(Math.min(count, rows.length))} de {formatNumber(rows.length)}
          </span>
        </FooterBar>
      )}
      {left <= 0 && footer}
    </>
  )
}

/** A few, and ten more each time; a list that begins with another row begins again. */
function useShown(first: string | number | undefined, begin: number, list: { current: HTMLElement | null }) {
  const [shown, setShown] = useState({ first, count: begin, focused: 0 })
  const { count, focused } = shown.first === first ? shown : { count: begin, focused: 0 }
  // Where reading goes on; the button may be gone.
  useEffect(() => {
    if (focused) list.current?.children[focused]?.querySelector<HTMLElement>('button, a')?.focus()
  }, [focused, list])
  return { count, showMore: () => setShown({ first, count: count + STEP, focused: count }) }
}
