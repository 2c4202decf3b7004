import type { LucideIcon } from 'lucide-react'
import type { ChangeEvent, ComponentProps, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { type FieldValues, useController } from 'react-hook-form'
import { unwrapEmail } from '#contract/typed.ts'
import { cx } from '#web/ui/cx.ts'
import { caretBehind, cutTo } from './clean.ts'
import { FieldFrame } from './FieldFrame.tsx'
import type { FieldProps } from './field.ts'

type Native = Pick<ComponentProps<'input'>, 'type' | 'autoComplete' | 'inputMode' | 'placeholder' | 'autoFocus'>

interface Props<Values extends FieldValues> extends FieldProps<Values>, Native {
  icon?: LucideIcon
  readOnly?: boolean
  /** Shown when the value is valid. */
  success?: string
  /** Stands inside, at the end of the input. */
  end?: ReactNode
  /** Of the value; the browser's own limit would cut what was pasted before it is cleaned. */
  maxLength?: number
  /** Normalizes what was typed: upper case, a forced prefix. */
  clean?: (text: string) => string
  /** How the value is displayed. */
  format?: (value: string) => string
}

export function TextField<Values extends FieldValues>({
  name,
  control,
  label,
  help,
  optional,
  wide,
  disabled,
  success,
  icon: Icon,
  end,
  type,
  maxLength = Number.POSITIVE_INFINITY,
  clean: cleanOwn = type === 'email' ? unwrapEmail : String,
  format = String,
  ...native
}: Props<Values>) {
  const { field, fieldState } = useController({ name, control })
  const clean = (text: string) => cutTo(cleanOwn(text), maxLength)
  const change = ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const [text, caret] = [input.value, input.selectionStart]
    flushSync(() => field.onChange(clean(text)))
    // Cleaning moved the caret to the end; put it back where the person was typing.
    if (input.value !== text && caret !== null) {
      const place = caretBehind(clean(text.slice(0, caret)), input.value)
      input.setSelectionRange(place, place)
    }
  }
  const right = success && fieldState.isTouched && !fieldState.invalid ? success : undefined
  return (
    <FieldFrame {...{ label, help, optional, wide }} error={fieldState.error?.message} success={right}>
      {(aria) => (
        <div className="field-box">
          {Icon && <Icon aria-hidden className="ml-3 size-4 shrink-0 text-faint" />}
          <input
            {...native}
            type={type}
            {...aria}
            ref={field.ref}
            name={name}
            value={format(field.value ?? '')}
            disabled={disabled}
            onChange={change}
            onBlur={field.onBlur}
            className={cx(
              'min-h-[2.125rem] w-full min-w-0 rounded-lg bg-transparent outline-none',
              Icon ? 'pl-0.5' : 'pl-3',
              end ? 'pr-1' : 'pr-3',
            )}
          />
          {end}
        </div>
      )}
    </FieldFrame>
  )
}
