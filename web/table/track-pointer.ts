interface Track {
  /** How far the pointer has moved down, scrolling included. */
  onMove: (distance: number) => void
  /** Released; or cancelled by Escape, the browser or the returned function. */
  onEnd: (letGo: boolean) => void
}

/** Pixels before a drag begins, so that a trembling pointer moves nothing. */
const THRESHOLD = 4
/** Pixels from the window's edges where it scrolls; the shell's header covers the top. */
const EDGES = { top: 112, bottom: 56 }
const SCROLL = 10

/** Follows a pressed pointer until it is released or cancelled. */
export function trackPointer(
  element: HTMLElement,
  down: { pointerId: number; clientY: number },
  { onMove, onEnd }: Track,
): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const start = down.clientY + scrollY
  let y = down.clientY
  let moving = false

  const move = () => {
    moving ||= Math.abs(y + scrollY - start) > THRESHOLD
    if (moving) onMove(y + scrollY - start)
  }
  const end = (letGo: boolean) => {
    if (signal.aborted) return
    stop.abort()
    onEnd(letGo)
  }
  const follow = ({ clientY }: PointerEvent) => {
    y = clientY
    move()
  }
  element.setPointerCapture(down.pointerId)
  element.addEventListener('pointermove', follow, { signal })
  element.addEventListener('pointerup', () => end(true), { signal })
  element.addEventListener('lostpointercapture', () => end(false), { signal })
  addEventListener('keydown', ({ key }) => key === 'Escape' && end(false), { signal })
  scrollNearEdges(() => (moving ? y : undefined), move, signal)
  return () => end(false)
}

function scrollNearEdges(pointer: () => number | undefined, onScroll: () => void, signal: AbortSignal) {
  const look = () => {
    if (signal.aborted) return
    const [y, before] = [pointer(), scrollY]
    if (y !== undefined && y < EDGES.top) scrollBy(0, -SCROLL)
    if (y !== undefined && y > innerHeight - EDGES.bottom) scrollBy(0, SCROLL)
    if (scrollY !== before) onScroll()
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
