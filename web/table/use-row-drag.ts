import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type LiftedRow, liftRow } from './lift-row.ts'

interface Options<Row> {
  /** Every row of the list in its order; the table may show a page of them. */
  rows: readonly Row[]
  nameOf: (row: Row) => string
  /** Why nothing can be moved at this moment. */
  disabledReason: string | undefined
  onDrop: (row: Row, place: number) => void
}

interface Held<Row> {
  row: Row
  lifted: LiftedRow
  /** Stops following the pointer; a row held by the keyboard has none. */
  release: (() => void) | undefined
}

export type RowDrag<Row> = ReturnType<typeof useRowDrag<Row & { id: number }>>

/** The row being dragged, if any, and the text of the live region. Its handle is DragHandle. */
export function useRowDrag<Row extends { id: number }>({ rows, nameOf, disabledReason, onDrop }: Options<Row>) {
  const held = useRef<Held<Row>>(undefined)
  const [heldId, setHeldId] = useState<number>()
  const [announcement, announce] = useState('')

  const placeOf = ({ row, lifted }: Held<Row>): number =>
    rows.findIndex(({ id }) => id === row.id) + lifted.to() - lifted.from
  const tell = (said: (name: string, place: string) => string, holding: Held<Row>) =>
    announce(said(`«${nameOf(holding.row)}»`, `posición ${placeOf(holding) + 1} de ${rows.length}`))

  const take = (row: Row, handle: Element, release?: () => void) => {
    const element = handle.closest<HTMLElement>('tr, li')
    if (!element || held.current) return
    held.current = { row, lifted: liftRow(element), release }
    setHeldId(row.id)
    const keys = release ? '' : ' Flechas para mover, Espacio para soltar, Escape para cancelar.'
    tell((name, place) => `Moviendo ${name}: ${place}.${keys}`, held.current)
  }
  const shift = (change: (lifted: LiftedRow) => void) => {
    if (!held.current) return
    const before = held.current.lifted.to()
    change(held.current.lifted)
    if (held.current.lifted.to() !== before) tell((name, place) => `${name}: ${place}.`, held.current)
  }
  const letGo = (drop: boolean) => {
    const holding = held.current
    if (!holding) return
    held.current = undefined
    setHeldId(undefined)
    const moved = drop && holding.lifted.to() !== holding.lifted.from
    if (moved) tell((name, place) => `${name} quedó en la ${place}.`, holding)
    else tell((name) => `${drop ? '' : 'Movimiento cancelado: '}${name} se queda donde estaba.`, holding)
    holding.lifted.letGo()
    holding.release?.()
    if (moved) onDrop(holding.row, placeOf(holding))
  }

  useWhenChanged(rows.map(({ id }) => id).join(), () => letGo(false))
  return { nameOf, disabledReason, announcement, heldId, held: () => held.current, take, shift, letGo }
}

/** Cancels the drag when the list changes or unmounts: the row would land elsewhere than shown. */
function useWhenChanged(order: string, cancel: () => void) {
  const onChange = useEffectEvent(cancel)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the order is what it watches
  useEffect(() => () => onChange(), [order])
}
