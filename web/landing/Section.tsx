import type { ReactNode } from 'react'
import { cx } from '#web/ui/cx.ts'

interface Props {
  id: string
  title: string
  lead: string
  className?: string
  children: ReactNode
}

/** One chapter of the page, named by its heading. */
export const Section = ({ id, title, lead, className, children }: Props) => (
  <section
    id={id}
    aria-labelledby={`${id}-title`}
    className={cx('mx-auto max-w-6xl px-5 py-16 sm:px-8 lg:py-24', className)}
  >
    <h2 id={`${id}-title`} className="text-2xl font-semibold md:text-3xl">
      {title}
    </h2>
    <p className="mt-3 text-lg text-pretty text-muted">{lead}</p>
    {children}
  </section>
)
