import { Check } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { CUSTOM, periodOptions } from './period.ts'

interface Props {
  value: string
  onChoose: (value: string) => void
  /** The days are wanted from the calendar. */
  onOther: () => void
}

/** The named periods; arrows move along them, Enter takes one. */
export function PresetList({ value, onChoose, onOther }: Props) {
  return (
    <div role="listbox" aria-label="Periodos" tabIndex={-1} onKeyDown={move} className="p-1 sm:w-86">
      {periodOptions().map((option) => (
        <button
          key={option.value}
          type="button"
          role="option"
          aria-selected={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          onClick={() => (option.value === CUSTOM ? onOther() : onChoose(option.value))}
          className="option w-full justify-between text-left hover:bg-hover focus-visible:bg-hover"
        >
          <span className="whitespace-nowrap">{option.label}</span>
          <span className="flex items-center gap-2 text-xs whitespace-nowrap text-muted">
            {' '}
            {option.hint}
            <Check aria-hidden className={option.value === value ? 'size-4 text-brand' : 'hidden'} />
          </span>
        </button>
      ))}
    </div>
  )
}

function move(event: KeyboardEvent<HTMLElement>) {
  const options = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="option"]')]
  const at = options.indexOf(event.target as HTMLElement)
  const places: Record<string, number> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: options.length - 1 }
  const place = places[event.key]
  if (place === undefined) return
  event.preventDefault()
  options.at(place % options.length)?.focus()
}
