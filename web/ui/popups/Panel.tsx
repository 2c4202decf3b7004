import { Dialog as Base } from '@base-ui/react/dialog'
import { ChevronDown, ChevronUp, Ellipsis, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { cx } from '#web/ui/cx.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, type MenuItem } from '#web/ui/Menu.tsx'
import { BESIDE } from '#web/ui/Panel.tsx'
import { useMedia } from '#web/ui/use-media.ts'

interface Props {
  title: ReactNode
  /** What it shows, in a word or two that can be said: 'Pago 41'. */
  name: string
  /** Which of how many; missing where the list does not hold it. */
  place: { index: number; count: number } | undefined
  /** Goes to the one before (-1) or after (1). */
  onMove: (step: -1 | 1) => void
  /** The actions under 'Más acciones'. */
  menu: readonly MenuItem[]
  /** Over the list, as wide as its content can use. */
  wide?: boolean
  onClose: () => void
  children: ReactNode
}

/** The details of a row. Open for as long as it is mounted; whoever closes it says where the focus goes. */
export function Panel({ title, name, place, onMove, menu, wide = false, onClose, children }: Props) {
  const beside = useMedia(BESIDE) && !wide
  const heading = useRef<HTMLHeadingElement>(null)
  const [moved, setMoved] = useState(false)
  const move = (step: -1 | 1) => {
    const next = place ? place.index + step : -1
    if (!place || next < 0 || next >= place.count) return
    setMoved(true)
    onMove(step)
  }
  const where = place && `${place.index + 1} de ${place.count}`
  return (
    <Base.Root
      open
      modal={!beside}
      disablePointerDismissal={beside}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Base.Portal>
        {!beside && <Base.Backdrop className="fixed inset-0 z-30 bg-overlay print:hidden" />}
        <Base.Popup
          data-panel=""
          data-beside={beside || undefined}
          initialFocus={heading}
          finalFocus={false}
          onKeyDown={(event) => {
            const step = stepOf(event)
            if (!step) return
            event.preventDefault()
            move(step)
          }}
          className={cx(
            'fixed right-0 bottom-0 z-30 flex flex-col border-l bg-surface outline-none',
            'print:static print:w-auto print:border-0 print:shadow-none',
            beside ? 'top-14 w-(--panel)' : LAID_OVER,
            !beside && (wide ? 'md:w-[min(72rem,100vw-4rem)]' : 'md:w-[min(36rem,100vw-4rem)]'),
          )}
        >
          <div className="flex h-14 shrink-0 items-center gap-1 border-b pr-2 pl-4 sm:pl-5 print:h-auto print:px-0 print:pb-3">
            <Base.Title
              ref={heading}
              tabIndex={-1}
              className="min-w-0 flex-1 truncate text-base font-semibold outline-none"
            >
              {title}
            </Base.Title>
            {where && <span className="px-1 whitespace-nowrap text-muted tabular-nums print:hidden">{where}</span>}
            <span role="status" className="sr-only">
              {moved && where && `${name}, ${where}`}
            </span>
            {place && (
              <>
                <IconButton
                  label="Anterior"
                  icon={ChevronUp}
                  disabled={place.index === 0}
                  onClick={() => move(-1)}
                  className={TARGET}
                />
                <IconButton
                  label="Siguiente"
                  icon={ChevronDown}
                  disabled={place.index === place.count - 1}
                  onClick={() => move(1)}
                  className={TARGET}
                />
              </>
            )}
            {menu.length > 0 && (
              <Menu trigger={<IconButton label="Más acciones" icon={Ellipsis} className={TARGET} />} items={menu} />
            )}
            <Base.Close render={<IconButton label="Cerrar" icon={X} className={TARGET} />} />
          </div>
          <div
            key={name}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the keys
            tabIndex={0}
            className="@container min-h-0 flex-1 overflow-y-auto px-4 py-4 -outline-offset-2 [--table-top:0px] sm:px-5 print:overflow-visible print:px-0"
          >
            {children}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

const LAID_OVER = cx(
  'top-0 w-full shadow-[-8px_0_32px_oklch(0.3_0.03_215/0.12)] max-md:border-l-0',
  'transition-[translate,opacity] duration-150 ease-[cubic-bezier(.2,0,0,1)] starting:translate-x-6 starting:opacity-0',
)
const TARGET = 'max-md:size-11'

const OWN_ARROWS = 'input, textarea, select, [contenteditable], [role=combobox], [aria-haspopup]'

/** ↑ and ↓ lead to the neighbours, unless the focus is on something that has its own use for them, or lies in a popup. */
function stepOf(event: KeyboardEvent<HTMLElement>): -1 | 1 | undefined {
  const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
  const target = event.target as Element
  const isOurs = event.currentTarget.contains(target) && !target.closest(OWN_ARROWS)
  const isPlain = !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented)
  return isOurs && isPlain ? step : undefined
}
