import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Skeleton } from './Skeleton.tsx'

interface Props {
  title?: ReactNode
  description?: ReactNode
  action?: ReactNode
  className?: string
  children: ReactNode
}

export function Card({ title, description, action, className, children }: Props) {
  return (
    <section className={cx('rounded-xl border bg-surface p-5 shadow-card', className)}>
      {(title || action) && (
        <header className="flex not-last:mb-4 flex-wrap items-start justify-between gap-4">
          <div className="min-w-0 flex-1 basis-48">
            {title && <h2 className="text-base font-semibold">{title}</h2>}
            {description && <p className="mt-0.5 wrap-anywhere text-muted">{description}</p>}
          </div>
          {action}
        </header>
      )}
      {children}
    </section>
  )
}

/** Label and value pairs of a detail; two columns when there is room. */
export function Facts({ children, className }: { children: ReactNode; className?: string }) {
  return <dl className={cx('@container grid grid-cols-1 gap-x-8 gap-y-4 sm:grid-cols-2', className)}>{children}</dl>
}

/** Without children it is loading and shows a skeleton. */
export function Fact({ label, wide = false, children }: { label: string; wide?: boolean; children?: ReactNode }) {
  return (
    <div className={cx('min-w-0', wide && 'sm:col-span-2')}>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="mt-0.5 wrap-anywhere text-ink">{children === undefined ? <FactSkeleton /> : children}</dd>
    </div>
  )
}

const FactSkeleton = () => (
  <span className="flex h-lh items-center">
    <Skeleton className="w-40 max-w-full" />
  </span>
)
