import { cx } from './cx.ts'

/** Three streams that become one river. */
export const Mark = ({ className }: { className?: string }) => (
  <svg viewBox="0 0 32 32" aria-hidden className={cx('shrink-0', className)}>
    <rect width="32" height="32" rx="8" className="fill-brand" />
    <g fill="none" strokeWidth="2.6" strokeLinecap="round" className="stroke-on-brand">
      <path d="M6.5 8.5c6 0 7.5 7.5 14 7.5" />
      <path d="M6.5 16h19" />
      <path d="M6.5 23.5c6 0 7.5-7.5 14-7.5" />
    </g>
  </svg>
)

export const Wordmark = ({ className }: { className?: string }) => (
  <span
    className={cx(
      'inline-flex items-center align-top gap-2.5 text-base font-semibold tracking-tight text-ink',
      className,
    )}
  >
    <Mark className="size-7" />
    {/* The narrowest telephones, and large letters, have room for the sign alone. */}
    <span className="max-[23rem]:sr-only">Afluente</span>
  </span>
)
