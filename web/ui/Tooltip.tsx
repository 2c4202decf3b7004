import { cloneElement, type ReactElement, useEffect, useRef } from 'react'
import { cx } from './cx.ts'

/**
 * Shows the text while the child is hovered or focused. Screen readers do not get it, so the child needs a name. One host
 * serves all tooltips: a table of a hundred rows costs no more, and the sign-in page loads no popup library.
 */
export const Tooltip = ({ text, children }: { text: string; children: ReactElement<{ 'data-tooltip'?: string }> }) =>
  cloneElement(children, { 'data-tooltip': text })

const DELAY_MS = 350
const GAP = 6
const EDGE = 8

/** Rendered once, near the root. */
export function TooltipHost() {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => (host.current ? watch(host.current) : undefined), [])
  return (
    <div
      ref={host}
      // The top layer, above dialogs; the order of layers where a browser has none yet (Safari 16, Chrome 113).
      popover="manual"
      hidden
      aria-hidden
      className={cx(
        'pointer-events-none fixed inset-auto z-50 m-0 max-w-xs rounded-md border border-line bg-surface px-2.5 py-1.5 text-xs text-ink',
        'shadow-popup',
      )}
    />
  )
}

/** Its menu lies where the text would. One that comes with its first opening puts a button of its own under the pointer. */
const hasOpened = (target: Element) => target.matches('[aria-haspopup][aria-expanded=true]')

function watch(host: HTMLElement): () => void {
  const stop = new AbortController()
  let timer: ReturnType<typeof setTimeout>
  let shownFor: Element | null = null

  const hide = () => {
    clearTimeout(timer)
    shownFor = null
    host.hidden = true
    host.hidePopover?.()
  }
  const show = (target: HTMLElement) => {
    if (!target.isConnected || hasOpened(target)) return
    host.textContent = target.dataset.tooltip ?? ''
    host.hidden = false
    host.showPopover?.()
    place(host, target.getBoundingClientRect())
  }
  const follow = (event: Event, delay: number) => {
    const target = (event.target as Element).closest<HTMLElement>('[data-tooltip]')
    if (target === shownFor) return
    hide()
    if (!target) return
    shownFor = target
    timer = setTimeout(() => show(target), delay)
  }
  listen(stop.signal, follow, hide)
  return () => {
    clearTimeout(timer)
    stop.abort()
  }
}

/** In the capture phase: no part of a page keeps an event from it. */
function listen(signal: AbortSignal, follow: (event: Event, delay: number) => void, hide: () => void) {
  const on = (type: string, listener: (event: Event) => void) =>
    document.addEventListener(type, listener, { signal, capture: true, passive: true })

  on('pointerover', (event) => {
    const { pointerType, buttons } = event as PointerEvent
    if (pointerType === 'mouse' && buttons === 0) follow(event, DELAY_MS) // what is being dragged needs no words
  })
  // A finger neither hovers nor brings a visible focus, and has to learn why nothing happened.
  on('click', (event) => (event.target as Element).closest('[aria-disabled=true]') && follow(event, 0))
  on('focusin', (event) => (event.target as Element).matches(':focus-visible') && follow(event, 0))
  for (const type of ['focusout', 'pointerdown', 'scroll', 'keydown']) on(type, hide)
}

/** Below the target, above it where there is no room, never outside of the window. */
function place(host: HTMLElement, target: DOMRect) {
  const { width, height } = host.getBoundingClientRect()
  const left = target.left + target.width / 2 - width / 2
  const below = target.bottom + GAP
  const top = below + height > innerHeight - EDGE ? target.top - GAP - height : below
  host.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`
  host.style.top = `${top}px`
}
