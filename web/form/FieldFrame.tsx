import { type ReactNode, useId } from 'react'
import { cx } from '#web/ui/cx.ts'
import type { ControlProps } from '#web/ui/option.ts'

interface Props {
  label: string
  help?: ReactNode
  error?: string | undefined
  success?: string | undefined
  optional?: boolean | undefined
  wide?: boolean | undefined
  /** Stands at the end of the line below: a counter. */
  note?: ReactNode
  children: (control: ControlProps & { id: string }) => ReactNode
}

/** Label above, help below, the error in the place of the help. */
export function FieldFrame({ label, help, error, success, optional, wide, note, children }: Props) {
  const id = useId()
  const below = error ?? success ?? help
  return (
    <div className={cx('min-w-0', wide && 'sm:col-span-2')}>
      <div className="mb-1.5 flex items-baseline justify-between gap-2">
        <label id={`${id}-label`} htmlFor={id} className="font-medium">
          {label}
        </label>
        {optional && <span className="text-xs text-muted">Opcional</span>}
      </div>
      {children({
        id,
        'aria-labelledby': `${id}-label`,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': below ? `${id}-below` : undefined,
      })}
      {/* Always rendered, so that a message does not move the buttons below. */}
      <div className="mt-1 flex min-h-5 justify-between gap-3 text-xs text-muted">
        {below && (
          <p
            id={`${id}-below`}
            aria-live="polite"
            className={cx('min-w-0 break-words', error ? 'text-danger-ink' : success && 'text-success-ink')}
          >
            {below}
          </p>
        )}
        {note && <span className="ml-auto shrink-0 tabular-nums">{note}</span>}
      </div>
    </div>
  )
}
