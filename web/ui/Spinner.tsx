import LoaderCircle from 'lucide-react/icons/loader-circle'
import { cx } from './cx.ts'

export const Spinner = ({ className }: { className?: string }) => (
  <LoaderCircle aria-hidden className={cx('size-4 shrink-0 animate-spin', className)} />
)

/** An indeterminate progress bar. */
export function Progress({ label, className }: { label: string; className?: string }) {
  return (
    <div role="progressbar" aria-label={label} className={cx('h-0.5 overflow-hidden bg-brand-soft', className)}>
      <div className="h-full w-1/4 animate-slide bg-brand" />
    </div>
  )
}
