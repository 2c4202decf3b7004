import { cx } from './cx.ts'

/** A grey bar of the size that the content will have. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden className={cx('block h-4 animate-breathe rounded bg-line', className)} />
)
