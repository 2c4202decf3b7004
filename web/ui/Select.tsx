import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronsUpDown } from 'lucide-react'
import type { Ref } from 'react'
import { cx } from './cx.ts'
import type { ControlProps, Option } from './option.ts'
import { regionOf } from './popup-region.tsx'

interface Props<Value extends string | number> extends ControlProps {
  options: readonly Option<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  placeholder?: string
  disabled?: boolean
  className?: string
  onBlur?: () => void
  ref?: Ref<HTMLButtonElement>
}

/** A choice among few. For long lists there is Combobox. */
export function Select<Value extends string | number>({
  options,
  value,
  onChange,
  placeholder = 'Selecciona una opción',
  disabled = false,
  className,
  onBlur,
  ref,
  ...control
}: Props<Value>) {
  const items = options as Option<Value>[]
  const chosen = options.find((option) => option.value === value)
  return (
    <Base.Root
      items={items}
      value={value}
      disabled={disabled}
      onValueChange={(chosen) => chosen !== null && onChange(chosen as Value)}
      onOpenChange={(open) => open || onBlur?.()}
    >
      <Base.Trigger ref={ref} {...control} className={cx('field-box justify-between pr-2 pl-3 text-left', className)}>
        {/* An option may stand for no choice with an empty value, which the library takes for nothing chosen. */}
        <Base.Value className={cx('truncate', !chosen && 'text-faint')}>{chosen?.label ?? placeholder}</Base.Value>
        <Base.Icon>
          <ChevronsUpDown aria-hidden className="size-4 text-faint" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal render={regionOf(control)}>
        <Base.Positioner align="start" sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <Base.Popup className="popup max-h-[min(20rem,var(--available-height))] max-w-(--available-width) min-w-(--anchor-width) overflow-y-auto p-1">
            {options.map((option) => (
              <Base.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled ?? false}
                className="option justify-between"
              >
                <span className="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-4">
                  <Base.ItemText className="min-w-0 break-words">{option.label}</Base.ItemText>
                  {option.hint && <span className="text-xs whitespace-nowrap text-muted"> {option.hint}</span>}
                </span>
                <Base.ItemIndicator>
                  <Check aria-hidden className="size-4 text-brand" />
                </Base.ItemIndicator>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
