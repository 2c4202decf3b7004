export interface LiftedRow {
  /** Where the row was taken from, among the rows of its table. */
  from: number
  /** Where it would land if dropped now. */
  to: () => number
  last: number
  /** Moves it to this place. */
  moveTo: (place: number) => void
  /** Moves it by so many pixels from its origin, within the list. */
  follow: (distance: number) => void
  letGo: () => void
}

const SLIDE = 'transform 150ms'

/**
 * Shows where a dragged row and its neighbours would land, with transforms only: nothing moves in the document until the
 * row is dropped, so the handle keeps its focus and its pointer.
 */
export function liftRow(row: HTMLElement): LiftedRow {
  const rows = [...(row.parentElement?.children ?? [])] as HTMLElement[]
  const boxes = rows.map((each) => each.getBoundingClientRect())
  const from = rows.indexOf(row)
  const [first, own, end] = [boxes.at(0), boxes.at(from), boxes.at(-1)]
  if (!first || !own || !end) throw new Error('Only a row of a table can be lifted')
  let to = from
  for (const each of rows) each.style.transition = SLIDE
  row.dataset.lifted = ''

  const paint = (distance: number) => {
    for (const [index, each] of rows.entries())
      each.style.transform = `translateY(${index === from ? distance : shiftOf(index, from, to) * own.height}px)`
  }
  return {
    from,
    to: () => to,
    last: rows.length - 1,
    moveTo(place) {
      to = Math.max(0, Math.min(rows.length - 1, place))
      const there = boxes[to] ?? own
      rows[to]?.scrollIntoView({ block: 'nearest' })
      paint(to > from ? there.bottom - own.bottom : there.top - own.top)
    },
    follow(distance) {
      const limited = Math.max(first.top - own.top, Math.min(end.bottom - own.bottom, distance))
      to = placeOf(boxes, from, limited)
      row.style.transition = 'none' // it would lag behind the pointer
      paint(limited)
    },
    letGo() {
      for (const each of rows) {
        each.style.transition = ''
        each.style.transform = ''
      }
      delete row.dataset.lifted
    },
  }
}

/** The neighbours between make room for the row. */
const shiftOf = (index: number, from: number, to: number): -1 | 0 | 1 => {
  if (index > from && index <= to) return -1
  return index < from && index >= to ? 1 : 0
}

/** A neighbour moves once the row has passed its middle. */
function placeOf(boxes: readonly DOMRect[], from: number, distance: number): number {
  const own = boxes[from] ?? new DOMRect()
  const middles = boxes.map((box) => (box.top + box.bottom) / 2)
  const below = middles.filter((middle, index) => index > from && own.bottom + distance > middle).length
  const above = middles.filter((middle, index) => index < from && own.top + distance < middle).length
  return from + below - above
}
