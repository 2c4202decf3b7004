import { ChevronsUpDown } from 'lucide-react'
import { type Ref, useState } from 'react'
import { cx } from './cx.ts'
import { ask, laterControl } from './later.tsx'
import type { ControlProps, Option } from './option.ts'

export interface ComboboxProps<Value extends string | number> extends ControlProps {
  options: readonly Option<Value>[]
  value: Value | null
  /** `null` when the choice is cleared. */
  onChange: (value: Value | null) => void
  placeholder?: string
  empty?: string
  /** Choosing nothing is a choice too: the placeholder names it and stands first in the list. */
  clearable?: boolean
  disabled?: boolean
  className?: string
  onBlur?: () => void
  ref?: Ref<HTMLInputElement>
}

export const SEARCH = 'Buscar...'
export const BOX = 'field-box relative'
export const FIELD = 'h-full min-h-[2.125rem] w-full min-w-0 truncate rounded-lg bg-transparent pr-8 pl-3 outline-none'

const list = laterControl(async () => (await import('./popups/Combobox.tsx')).Combobox)

/** A choice among many, found by typing; accents and case make no difference. */
export function Combobox<Value extends string | number>(props: ComboboxProps<Value>) {
  const Whole = list.usePart()
  const [entered, setEntered] = useState(false)
  const [pressed, setPressed] = useState(false)
  const [typed, setTyped] = useState<string>()
  if (Whole) return <Whole {...props} entered={entered} pressed={pressed} typed={typed} />
  const { options, value, onChange, placeholder = SEARCH, className, ...field } = props
  const { empty, clearable, onBlur, ...input } = field
  const press = () => {
    setPressed(true)
    ask(list, () => setPressed(false))
  }
  return (
    <div className={cx(BOX, className)}>
      <input
        {...input}
        role="combobox"
        aria-expanded={false}
        aria-haspopup="listbox"
        value={typed ?? options.find((option) => option.value === value)?.label ?? (clearable ? placeholder : '')}
        placeholder={placeholder}
        onFocus={({ currentTarget }) => {
          setEntered(true)
          currentTarget.select()
        }}
        onBlur={() => {
          setEntered(false)
          setTyped(undefined)
        }}
        onClick={press}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          press()
        }}
        className={FIELD}
      />
      <ChevronsUpDown aria-hidden className="absolute right-2 size-4 text-faint" />
    </div>
  )
}
