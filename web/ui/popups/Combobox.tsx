import { Combobox as Base } from '@base-ui/react/combobox'
import { Check, ChevronsUpDown, X } from 'lucide-react'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { BOX, type ComboboxProps, FIELD, SEARCH } from '#web/ui/Combobox.tsx'
import { cx } from '#web/ui/cx.ts'
import { matches } from '#web/ui/matches.ts'
import type { Option } from '#web/ui/option.ts'
import { typeInto } from '#web/ui/type-into.ts'
import { popupRegion } from './popup-region.tsx'

/** Options rendered at a time, so that thousands are as quick as ten. */
const SHOWN = 50
const NONE = ''

export function Combobox<Value extends string | number>({
  options,
  value,
  onChange,
  placeholder = SEARCH,
  empty = 'Sin resultados',
  clearable = false,
  disabled = false,
  className,
  onBlur,
  ref,
  entered,
  pressed,
  typed,
  ...control
}: ComboboxProps<Value> & { entered: boolean; pressed: boolean; typed: string | undefined }) {
  const isClearable = clearable && value !== null
  const sought = value === null && clearable ? NONE : value
  const items = useMemo(() => {
    const none = clearable ? [{ value: NONE as Value, label: placeholder }] : []
    return [...none, ...inReach(options, sought)]
  }, [options, clearable, placeholder, sought])
  const [isTyping, setTyping] = useState(false)
  // Until it is left or an option is chosen: the name of the choice would come back before what is typed next.
  const [isErased, setErased] = useState(false)
  const found = useMemo(() => items.find((option) => option.value === sought) ?? null, [items, sought])
  const chosen = useStableOption(isErased ? null : found, isTyping)
  const leave = () => {
    setTyping(false)
    setErased(false)
  }
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the list has come
  useLayoutEffect(() => {
    const input = box.current?.querySelector('input')
    // Given as the first value, it would give way to the options when they arrive.
    if (input && typed !== undefined) typeInto(input, typed, 0, input.value.length)
  }, [])
  return (
    <Base.Root
      items={items}
      value={chosen}
      onValueChange={(option, { reason }) => {
        setTyping(false)
        setErased(reason === 'input-clear')
        onChange(option === null || option.value === NONE ? null : option.value)
      }}
      onInputValueChange={(_text, { reason }) => reason === 'input-change' && setTyping(true)}
      onOpenChange={(open) => !open && leave()}
      isItemEqualToValue={(a, b) => a.value === b.value}
      filter={(option: Option<Value>, query: string) => matches(query, [option.label, option.hint])}
      limit={SHOWN}
      autoHighlight
      disabled={disabled}
      defaultOpen={pressed}
    >
      <Base.InputGroup ref={box} className={cx(BOX, className)}>
        <Base.Input
          ref={ref}
          {...control}
          // Whoever entered the field before its list came stays in it, with what was typed.
          autoFocus={entered}
          placeholder={placeholder}
          onBlur={() => {
            setErased(false)
            onBlur?.()
          }}
          onFocus={(event) => event.currentTarget.select()}
          onClick={({ currentTarget }) => currentTarget.value === chosen?.label && currentTarget.select()}
          className={cx(FIELD, isClearable && 'pr-13 max-sm:pr-17')}
        />
        <span className="absolute right-1.5 flex items-center text-faint">
          {isClearable && (
            <Base.Clear aria-label="Quitar selección" className="rounded p-1 hover:bg-hover hover:text-ink">
              <X aria-hidden className="size-4" />
            </Base.Clear>
          )}
          <Base.Trigger
            tabIndex={-1}
            aria-label="Abrir lista"
            className="rounded p-0.5 data-disabled:cursor-not-allowed max-sm:-mr-1.5 max-sm:p-3.5"
          >
            <ChevronsUpDown aria-hidden className="size-4" />
          </Base.Trigger>
        </span>
      </Base.InputGroup>
      <Base.Portal render={popupRegion}>
        <Base.Positioner sideOffset={4} className="z-50">
          <Base.Popup className="popup max-h-[min(20rem,var(--available-height))] w-(--anchor-width) max-w-(--available-width) min-w-56 overflow-y-auto">
            <Base.Empty className="px-3 text-muted not-empty:py-2.5">{empty}</Base.Empty>
            <Base.List className="not-empty:p-1">
              {(option: Option<Value>) => (
                <Base.Item
                  key={option.value}
                  value={option}
                  disabled={option.disabled ?? false}
                  className="option justify-between"
                >
                  <span className="min-w-0 break-words">
                    {option.label}
                    {option.hint && <span className="block text-xs text-muted">{option.hint}</span>}
                  </span>
                  <Base.ItemIndicator>
                    <Check aria-hidden className="size-4 text-brand" />
                  </Base.ItemIndicator>
                </Base.Item>
              )}
            </Base.List>
            <Base.Status className="px-3 text-xs text-muted not-empty:border-t not-empty:py-2">
              <More isLong={items.length > SHOWN} />
            </Base.Status>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** Moves the chosen option to the top when it lies beyond the options rendered. */
function inReach<Value extends string | number>(
  options: readonly Option<Value>[],
  sought: unknown,
): readonly Option<Value>[] {
  const at = options.findIndex(({ value }) => value === sought)
  const chosen = options[at]
  return at < SHOWN - 1 || !chosen ? options : [chosen, ...options.toSpliced(at, 1)]
}

/**
 * Base UI overwrites the typed text when the choice is another object: a reloaded option is one, and so is the default
 * that the page chooses when its options arrive.
 */
function useStableOption<Value extends string | number>(
  option: Option<Value> | null,
  isTyping: boolean,
): Option<Value> | null {
  const [stable, setStable] = useState(option)
  if (isTyping || (stable?.value === option?.value && stable?.label === option?.label)) return stable
  setStable(option)
  return option
}

/** Says that there are more options than rendered. */
const More = ({ isLong }: { isLong: boolean }) =>
  Base.useFilteredItems<unknown>().length === SHOWN && isLong && 'Hay más opciones: escribe para encontrarlas'
