import type { LucideIcon } from 'lucide-react'
import { type ComponentProps, type MouseEvent, useId } from 'react'
import { type ButtonSize, type ButtonVariant, buttonLook } from './button-look.ts'
import { cx } from './cx.ts'
import { Spinner } from './Spinner.tsx'
import { Tooltip } from './Tooltip.tsx'

interface Props extends Omit<ComponentProps<'button'>, 'disabled'> {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: LucideIcon
  /** The button stays focusable, shows `busyText` and ignores clicks. */
  busy?: boolean
  busyText?: string
  /** For self-evident cases, such as 'first page' on the first page; everything else needs `disabledReason`. */
  disabled?: boolean
  disabledReason?: string | undefined
}

export function Button({
  variant = 'secondary',
  size = 'md',
  icon: Icon,
  busy = false,
  busyText,
  disabled = false,
  disabledReason,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: Props) {
  const reasonId = useId()
  const off = busy || disabled || Boolean(disabledReason)
  const button = (
    <button
      {...rest}
      type={type}
      className={cx(buttonLook(variant, size), className)}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      aria-describedby={disabledReason ? reasonId : rest['aria-describedby']}
      onClick={off ? stop : onClick}
    >
      {busy ? <Spinner /> : Icon && <Icon aria-hidden className="size-4 shrink-0" />}
      {busy && busyText ? busyText : children}
      {disabledReason && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
    </button>
  )
  return disabledReason ? <Tooltip text={disabledReason}>{button}</Tooltip> : button
}

// aria-disabled keeps the reason reachable by keyboard, so the click itself must be refused, also for type=submit.
const stop = (event: MouseEvent) => event.preventDefault()
