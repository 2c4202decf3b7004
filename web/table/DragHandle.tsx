import { GripVertical } from 'lucide-react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { IconButton } from '#web/ui/IconButton.tsx'
import type { LiftedRow } from './lift-row.ts'
import { trackPointer } from './track-pointer.ts'
import type { RowDrag } from './use-row-drag.ts'

interface Props<Row extends { id: number }> {
  row: Row
  drag: RowDrag<Row>
}

/**
 * Drags a row with mouse, pen or finger, or by keyboard: Space to lift and drop it, arrows to move it, Escape to cancel.
 */
export function DragHandle<Row extends { id: number }>({ row, drag }: Props<Row>) {
  const { held, take, shift, letGo } = drag

  const pull = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || !event.isPrimary || drag.disabledReason || held()) return
    const handle = event.currentTarget
    const release = trackPointer(handle, event, {
      onMove: (distance) => {
        take(row, handle, release)
        shift((lifted) => lifted.follow(distance))
      },
      onEnd: letGo,
    })
  }
  const steer = (event: KeyboardEvent) => {
    // A key held down would lift and drop again and again.
    if (event.repeat && (event.key === ' ' || event.key === 'Enter')) event.preventDefault()
    const move = moves[event.key]
    const holding = held()
    if (!holding || holding.release || !(move || event.key === 'Escape')) return
    event.preventDefault()
    if (move) shift((lifted) => lifted.moveTo(move(lifted)))
    else letGo(false)
  }
  return (
    <IconButton
      label={`Mover ${drag.nameOf(row)}`}
      icon={GripVertical}
      disabledReason={drag.disabledReason}
      aria-pressed={drag.heldId === row.id}
      // A finger on the handle drags; anywhere else it scrolls.
      className="touch-none select-none -outline-offset-2 not-aria-disabled:cursor-grab not-aria-disabled:active:cursor-grabbing"
      onPointerDown={pull}
      onClick={(event) => {
        const byPointer = event.detail > 0
        if (byPointer) return
        if (held()) letGo(true)
        else take(row, event.currentTarget)
      }}
      onKeyDown={steer}
      onBlur={() => held()?.release || letGo(false)}
    />
  )
}

const moves: Record<string, (lifted: LiftedRow) => number> = {
  ArrowUp: (lifted) => lifted.to() - 1,
  ArrowDown: (lifted) => lifted.to() + 1,
  Home: () => 0,
  End: (lifted) => lifted.last,
}
