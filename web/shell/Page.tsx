import type { ReactNode } from 'react'
import { SortingScope } from '#web/table/sorting.tsx'
import { cx } from '#web/ui/cx.ts'
import { useTitle } from '#web/ui/use-title.ts'

interface Props {
  title: string
  /** One sentence: what the screen is for. */
  description?: ReactNode
  /** '12 afiliados'; a line of its own on a phone, kept while it is undefined. */
  count?: ReactNode
  /** The primary action, on the right. */
  action?: ReactNode
  /** One row of search and filters. */
  filters?: ReactNode
  children: ReactNode
}

/** The frame of every screen. The title is also the window's. */
export function Page(props: Props) {
  const { title, description, count, action, filters, children } = props
  useTitle(title)
  return (
    <SortingScope>
      {/* On a phone what is done with the list and its filters share a line, where they fit. */}
      <div className="mx-auto w-full max-w-7xl px-4 py-6 max-sm:flex max-sm:flex-wrap max-sm:gap-x-2 max-sm:gap-y-3 sm:px-6 lg:px-8 lg:py-8">
        <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4 max-sm:contents">
          <div className="min-w-0 max-sm:w-full">
            <div className="flex flex-wrap items-baseline gap-x-3">
              <h1 className="min-w-0 text-xl font-semibold wrap-anywhere">{title}</h1>
              {'count' in props && (
                <span className="text-muted tabular-nums max-sm:min-h-lh max-sm:w-full">{count}</span>
              )}
            </div>
            {description && <p className="mt-1 max-w-2xl text-pretty wrap-anywhere text-muted">{description}</p>}
          </div>
          {action && (
            <div className="flex max-w-full shrink-0 flex-wrap gap-2 max-sm:contents print:hidden">{action}</div>
          )}
        </header>
        {filters && (
          <div className="mt-6 flex flex-wrap items-center gap-2 max-sm:contents print:hidden">{filters}</div>
        )}
        <div className={cx('min-w-0 max-sm:mt-1 max-sm:w-full', filters ? 'mt-4' : 'mt-6')}>{children}</div>
      </div>
    </SortingScope>
  )
}
