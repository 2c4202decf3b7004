import { Combobox } from '#web/ui/Combobox.tsx'
import { including, type Option } from '#web/ui/option.ts'
import { isId } from './address.ts'

interface Props {
  label: string
  /** What stands there while nothing is chosen: 'Todos los emisores'. Without it one has to be chosen. */
  all?: string | undefined
  /** What asks for it then. */
  placeholder?: string
  options: readonly Option<number>[] | undefined
  /** The id as the address holds it; empty for all. */
  value: string
  onChange: (id: string) => void
  className?: string
}

/** Narrows a list to one company, product or person; one that is not offered, or not yet, shows as its number. */
export const IdFilter = ({
  label,
  all,
  options,
  value,
  onChange,
  placeholder,
  className = 'w-full sm:w-60',
}: Props) => (
  <Combobox
    aria-label={label}
    options={including(isId(value) ? { value: Number(value), label: `#${value}` } : undefined, options)}
    value={value === '' ? null : Number(value)}
    onChange={(id) => onChange(id === null ? '' : String(id))}
    {...(placeholder !== undefined && { placeholder })}
    {...(all !== undefined && { placeholder: all, clearable: true })}
    className={className}
  />
)
