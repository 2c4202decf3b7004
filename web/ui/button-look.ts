import { cx } from './cx.ts'

const variants = {
  primary: 'bg-brand text-on-brand hover:not-aria-disabled:bg-brand-strong',
  secondary: 'border border-line-strong bg-surface text-ink hover:not-aria-disabled:bg-hover',
  ghost: 'text-muted hover:not-aria-disabled:bg-hover hover:not-aria-disabled:text-ink',
  danger: 'bg-danger text-on-danger hover:not-aria-disabled:bg-danger-strong',
}
export type ButtonVariant = keyof typeof variants

/** A finger's 44 pixels. */
const FINGER = 'max-sm:min-h-11 pointer-coarse:min-h-11'

const sizes = { sm: `h-8 gap-1.5 px-2.5 ${FINGER}`, md: `h-9 gap-2 px-3.5 ${FINGER}` }
export type ButtonSize = keyof typeof sizes

/** The look of a button, also for links that read as one. */
export const buttonLook = (variant: ButtonVariant = 'secondary', size: ButtonSize = 'md'): string =>
  cx(
    'inline-flex shrink-0 items-center justify-center rounded-lg text-sm font-medium whitespace-nowrap select-none print:hidden',
    'transition-colors aria-disabled:cursor-not-allowed aria-disabled:opacity-60',
    variants[variant],
    sizes[size],
  )
