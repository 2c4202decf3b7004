import { Select as Base } from '@base-ui/react/select'
import { Check } from 'lucide-react'
import type { Option } from '#web/ui/option.ts'
import { SelectButton, type SelectProps } from '#web/ui/SelectButton.tsx'
import { regionOf } from './popup-region.tsx'

/** Opened as it appears: a press has just taken the place of the button that looks like it. */
export function Select<Value extends string | number>({
  options,
  value,
  onChange,
  placeholder,
  disabled = false,
  className,
  onBlur,
  ref,
  ...control
}: SelectProps<Value>) {
  const items = options as Option<Value>[]
  return (
    <Base.Root
      items={items}
      value={value}
      disabled={disabled}
      onValueChange={(chosen) => chosen !== null && onChange(chosen as Value)}
      defaultOpen
      onOpenChange={(open) => open || onBlur?.()}
    >
      <Base.Trigger
        ref={ref}
        {...control}
        render={<SelectButton {...{ options, value, className }} {...(placeholder && { placeholder })} />}
      />
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
