import type { LucideIcon } from 'lucide-react'
import { type ComponentProps, useId } from 'react'
import { cx } from './cx.ts'
import { Tooltip } from './Tooltip.tsx'

interface Props extends Omit<ComponentProps<'button'>, 'children' | 'aria-label' | 'disabled'> {
  label: string
  icon: LucideIcon
  tone?: 'neutral' | 'danger'
  disabled?: boolean
  disabledReason?: string | undefined
}

export function IconButton({
  label,
  icon: Icon,
  tone = 'neutral',
  disabled = false,
  disabledReason,
  className,
  onClick,
  ...rest
}: Props) {
  const reasonId = useId()
  const off = disabled || Boolean(disabledReason)
  return (
    <Tooltip text={disabledReason ?? label}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-disabled={off || undefined}
        aria-describedby={disabledReason ? reasonId : rest['aria-describedby']}
        onClick={off ? undefined : onClick}
        className={cx(
          'inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors max-sm:size-11 print:hidden',
          'aria-disabled:cursor-not-allowed aria-disabled:opacity-45',
          tone === 'danger'
            ? 'not-aria-disabled:hover:bg-danger-soft not-aria-disabled:hover:text-danger-ink'
            : 'not-aria-disabled:hover:bg-hover not-aria-disabled:hover:text-ink',
          className,
        )}
      >
        <Icon aria-hidden className="size-4" />
        {disabledReason && (
          <span id={reasonId} hidden>
            {disabledReason}
          </span>
        )}
      </button>
    </Tooltip>
  )
}
