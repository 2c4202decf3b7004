import { type ComponentProps, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type FieldValues, useController } from 'react-hook-form'
import { cleanMoney, cleanPhone, cleanRfc } from '#contract/typed.ts'
import { CalendarButton } from '#web/ui/CalendarButton.tsx'
import { shownDate, typedDate } from '#web/ui/calendar-days.ts'
import { formatPhone } from '#web/ui/format.ts'
import { groupThousands, twoDecimals } from './clean.ts'
import { FieldFrame } from './FieldFrame.tsx'
import type { FieldProps } from './field.ts'
import { TextField } from './TextField.tsx'

type Props<Values extends FieldValues> = Omit<ComponentProps<typeof TextField<Values>>, 'type' | 'clean' | 'format'>

export const RfcField = <Values extends FieldValues>(props: Props<Values>) => (
  <TextField autoComplete="off" placeholder="XAXX010101000" {...props} maxLength={13} clean={cleanRfc} />
)

/** Starts at +52 and never loses it; grouped as people write it. */
export const PhoneField = <Values extends FieldValues>(props: Props<Values>) => (
  <TextField
    autoComplete="tel"
    inputMode="tel"
    {...props}
    type="tel"
    maxLength={20}
    clean={cleanPhone}
    format={(phone) => formatPhone(phone || '+52')}
  />
)

/** Decimal text in pesos; grouped and completed to two decimals when the field is left. */
export function MoneyField<Values extends FieldValues>({ name, control, disabled, ...frame }: FieldProps<Values>) {
  const { field, fieldState } = useController({ name, control })
  const [typing, setTyping] = useState(false)
  const value: string = field.value ?? ''
  return (
    <FieldFrame {...frame} error={fieldState.error?.message}>
      {(aria) => (
        <div className="field-box px-3">
          <span aria-hidden className="text-muted">
            $
          </span>
          <input
            {...aria}
            ref={field.ref}
            name={name}
            inputMode="decimal"
            autoComplete="off"
            placeholder="0.00"
            disabled={disabled}
            value={typing ? value : groupThousands(value)}
            onFocus={({ currentTarget }) => {
              // Rendered without separators first; selecting before that would be lost.
              flushSync(() => setTyping(true))
              currentTarget.select()
            }}
            onChange={(event) => field.onChange(cleanMoney(event.target.value))}
            onBlur={() => {
              setTyping(false)
              if (value !== twoDecimals(value)) field.onChange(twoDecimals(value))
              field.onBlur()
            }}
            className="min-h-[2.125rem] w-full min-w-0 bg-transparent tabular-nums outline-none"
          />
          <span aria-hidden className="text-xs text-muted">
            MXN
          </span>
        </div>
      )}
    </FieldFrame>
  )
}

interface DateProps<Values extends FieldValues> extends FieldProps<Values> {
  /** yyyy-MM-dd, inclusive. Other days cannot be picked; if typed, the schema refuses them. */
  min?: string | undefined
  max?: string | undefined
}

/** A calendar date, yyyy-MM-dd in the form: typed as day/month/year or picked from the month. */
export function DateField<Values extends FieldValues>({
  name,
  control,
  min,
  max,
  disabled,
  ...frame
}: DateProps<Values>) {
  const { field, fieldState } = useController({ name, control })
  const box = useRef<HTMLDivElement>(null)
  // '3/10/2026' is already a date; formatting it at once would move the caret before '30' can be typed.
  const [typed, setTyped] = useState<string>()
  const value: string = field.value ?? ''
  return (
    <FieldFrame {...frame} error={fieldState.error?.message}>
      {(aria) => (
        <div ref={box} className="field-box">
          <input
            {...aria}
            ref={field.ref}
            name={name}
            inputMode="numeric"
            autoComplete="off"
            placeholder="dd/mm/aaaa"
            disabled={disabled}
            value={typed ?? shownDate(value)}
            onChange={({ target }) => {
              setTyped(target.value)
              field.onChange(typedDate(target.value))
            }}
            onBlur={() => {
              setTyped(undefined)
              field.onBlur()
            }}
            className="min-h-[2.125rem] w-full min-w-0 rounded-lg bg-transparent pl-3 tabular-nums outline-none"
          />
          <CalendarButton
            label={frame.label}
            value={value}
            min={min}
            max={max}
            disabled={disabled ?? false}
            anchor={box}
            onPick={field.onChange}
          />
        </div>
      )}
    </FieldFrame>
  )
}

/** A whole number; the empty field is `null`. */
export function NumberField<Values extends FieldValues>({ name, control, disabled, ...frame }: FieldProps<Values>) {
  const { field, fieldState } = useController({ name, control })
  return (
    <FieldFrame {...frame} error={fieldState.error?.message}>
      {(aria) => (
        <input
          {...aria}
          ref={field.ref}
          name={name}
          type="number"
          inputMode="numeric"
          step={1}
          disabled={disabled}
          value={field.value ?? ''}
          onChange={(event) => field.onChange(event.target.value === '' ? null : event.target.valueAsNumber)}
          onBlur={field.onBlur}
          className="field-box px-3 tabular-nums"
        />
      )}
    </FieldFrame>
  )
}
