import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { cx } from '#web/ui/cx.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { isSecondClick, useMenuBehind } from './opener.ts'

const widths = { sm: 'max-w-md', md: 'max-w-xl', lg: 'max-w-3xl', xl: 'max-w-6xl' }

interface Props {
  title: ReactNode
  description?: ReactNode
  size?: keyof typeof widths
  /** Asked for by Escape, by a click outside and by the cross. */
  onClose: () => void
  footer?: ReactNode
  /**
   * A form inside begins at its first field and is scrolled by moving through them. Everything else is read first, from its
   * top, and needs a tab stop of its own.
   */
  holdsFields?: boolean
  /** What it shows is shown this once: only its own buttons close it. */
  once?: boolean
  children?: ReactNode
}

/** Open for as long as it is mounted. The first field of a form takes the focus, else the dialog itself. */
export function Dialog({
  title,
  description,
  size = 'md',
  onClose,
  footer,
  holdsFields = false,
  once = false,
  children,
}: Props) {
  const popup = useRef<HTMLDivElement>(null)
  const menu = useMenuBehind()
  return (
    <Base.Root open onOpenChange={(open, { event }) => open || once || isSecondClick(event) || onClose()}>
      <Base.Portal>
        {/* Also over another dialog or a panel, which would stand as bright beside it. */}
        <Base.Backdrop forceRender className="fixed inset-0 z-40 bg-overlay" />
        <Base.Viewport className="fixed inset-0 z-40 flex items-end justify-center sm:items-center sm:p-6">
          <Base.Popup
            ref={popup}
            data-dialog=""
            finalFocus={menu ? () => (menu.isConnected ? menu : true) : true}
            initialFocus={() => (holdsFields && popup.current?.querySelector<HTMLElement>(FIELD)) || popup.current}
            className={cx(
              'flex max-h-[94dvh] w-full flex-col rounded-t-2xl border bg-surface shadow-popup outline-none sm:rounded-2xl',
              widths[size],
            )}
          >
            <header className="flex items-start justify-between gap-4 px-5 pt-4 pb-3 sm:px-6 sm:pt-5">
              <div className="min-w-0">
                <Base.Title className="text-lg font-semibold break-words">{title}</Base.Title>
                {description && <Base.Description className="mt-0.5 text-muted">{description}</Base.Description>}
              </div>
              {!once && (
                <Base.Close
                  render={<IconButton label="Cerrar diálogo" icon={X} className="-mr-1.5 max-sm:-mt-2 max-sm:-mr-3" />}
                />
              )}
            </header>
            <div
              {...(!holdsFields && { tabIndex: 0 })}
              className="min-h-0 flex-1 overflow-y-auto px-5 pb-5 -outline-offset-2 [--table-top:0px] sm:px-6"
            >
              {children}
            </div>
            {footer && <DialogFooter>{footer}</DialogFooter>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

const FIELD =
  ':is(input:not([type=hidden], [tabindex="-1"], [aria-hidden=true]), textarea, [role=combobox]):not(:disabled, [readonly], [aria-disabled=true])'

const DialogFooter = ({ children }: { children: ReactNode }) => (
  <footer className="flex flex-col-reverse gap-2 border-t px-5 py-3.5 sm:flex-row sm:justify-end sm:px-6">
    {children}
  </footer>
)
