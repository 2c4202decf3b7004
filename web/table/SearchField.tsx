import { Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { cx } from '#web/ui/cx.ts'

const DEBOUNCE_MS = 250

interface Props {
  value: string
  onChange: (value: string) => void
  placeholder: string
  label?: string
  className?: string
}

/** Calls `onChange` debounced; Enter and the cross do not wait. */
export function SearchField({ value, onChange, placeholder, label = placeholder, className }: Props) {
  const [draft, setDraft] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const hand = (text: string) => {
    clearTimeout(timer.current)
    setDraft(undefined)
    onChange(text)
  }
  const type = (text: string) => {
    clearTimeout(timer.current)
    setDraft(text)
    timer.current = setTimeout(() => hand(text), DEBOUNCE_MS)
  }
  const shown = draft ?? value
  return (
    <div className={cx('field-box relative w-full sm:w-80', className)}>
      <Search aria-hidden className="ml-3 size-4 shrink-0 text-faint" />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={shown}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && hand(shown)}
        className="min-h-[2.125rem] w-full min-w-0 truncate bg-transparent outline-none"
      />
      {shown && (
        <button
          type="button"
          aria-label="Borrar búsqueda"
          onClick={() => hand('')}
          className="mr-1.5 inline-flex size-6 shrink-0 items-center justify-center rounded text-faint hover:bg-hover hover:text-ink max-sm:mr-0 max-sm:size-11"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  )
}
