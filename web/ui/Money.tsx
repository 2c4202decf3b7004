import { cx } from './cx.ts'
import { formatMoney, isNegative } from './format.ts'

interface Props {
  value: string | number | null | undefined
  missing?: string
  className?: string
}

/** `$1,234.50`; negative in red with a minus. */
export function Money({ value, missing = '-', className }: Props) {
  if (value === null || value === undefined || value === '') return <span className="text-muted">{missing}</span>
  return (
    <span
      translate="no"
      className={cx('whitespace-nowrap tabular-nums', isNegative(value) && 'text-danger-ink', className)}
    >
      {formatMoney(value)}
    </span>
  )
}
