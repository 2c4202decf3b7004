import { ChevronsUpDown } from 'lucide-react'
import type { ComponentProps, Ref } from 'react'
import { cx } from './cx.ts'
import type { ControlProps, Option } from './option.ts'

export interface SelectProps<Value extends string | number> extends ControlProps {
  options: readonly Option<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  placeholder?: string
  disabled?: boolean
  className?: string
  onBlur?: () => void
  ref?: Ref<HTMLButtonElement>
}

type ButtonProps<Value extends string | number> = Omit<SelectProps<Value>, 'onChange' | 'onBlur'> &
  Omit<ComponentProps<'button'>, 'value' | 'onChange'>

/** What a select looks like while it is closed. */
export function SelectButton<Value extends string | number>({
  options,
  value,
  placeholder = 'Selecciona una opción',
  className,
  ...rest
}: ButtonProps<Value>) {
  const chosen = options.find((option) => option.value === value)
  return (
    <button
      type="button"
      role="combobox"
      aria-expanded={false}
      aria-haspopup="listbox"
      {...rest}
      className={cx('field-box justify-between pr-2 pl-3 text-left', className)}
    >
      <span className={cx('truncate', !chosen && 'text-faint')}>{chosen?.label ?? placeholder}</span>
      <span aria-hidden>
        <ChevronsUpDown aria-hidden className="size-4 text-faint" />
      </span>
    </button>
  )
}
