import { Search } from 'lucide-react'
import { useLayoutEffect, useState } from 'react'
import type { Role } from '#contract/roles.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { singleKeys } from './single-keys.ts'

const Palette = laterDialog(async () => (await import('./Palette.tsx')).Palette)

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** Opens the palette, as do Ctrl K and, on a screen without a search of its own, the slash. */
export function SearchButton({ role }: { role: Role }) {
  const [open, setOpen] = useState(false)
  // Whoever sees the screen may already press a key: a later effect could miss it.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing || event.altKey) return
      if (isOpener(event)) {
        event.preventDefault()
        if (!isDialogOpen()) setOpen(true)
      } else if (isSlash(event) && singleKeys.areOn() && !isDialogOpen()) {
        event.preventDefault()
        const field = searchOfScreen()
        if (field) field.focus()
        else setOpen(true)
      }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        onClick={() => setOpen(true)}
        className="inline-flex size-8 shrink-0 items-center justify-center gap-2 rounded-lg text-muted transition-colors hover:bg-hover hover:text-ink max-sm:-mx-1.5 max-sm:size-11 md:h-9 md:w-28 md:justify-start md:border lg:w-56 md:border-line-strong md:px-3"
      >
        <Search aria-hidden className="size-4 shrink-0" />
        <span className="max-md:sr-only">Buscar…</span>
        <kbd className="ml-auto font-sans text-xs max-lg:sr-only">{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      {open && <Palette role={role} onClose={() => setOpen(false)} />}
    </>
  )
}

const isOpener = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'k' && !event.shiftKey && (isMac ? event.metaKey : event.ctrlKey)

const FIELDS = 'input, textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=menu]'

const isSlash = ({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean =>
  key === '/' && !ctrlKey && !metaKey && !(target instanceof Element && target.closest(FIELDS))

/** What was typed there would be lost on another screen. */
const isDialogOpen = (): boolean => document.querySelector('[role=dialog], [role=alertdialog]') !== null

const searchOfScreen = (): HTMLElement | null => document.querySelector('main input[type=search]')
