import { type ReactNode, useMemo } from 'react'
import { dateInMexico } from '#contract/time.ts'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { cx } from '#web/ui/cx.ts'
import { formatDate } from '#web/ui/format.ts'
import { useTitle } from '#web/ui/use-title.ts'
import { BoardFilters } from './BoardFilters.tsx'
import { isFramed } from './framed.ts'
import { NO_FILTERS, periodOf } from './period.ts'
import type { Asked } from './queries.ts'

/** The filters in the address, invalid ones dropped. */
export function useAsked(): Asked {
  const { filters } = useUrlFilters(NO_FILTERS)
  return useMemo(() => {
    const { product_id, issuer_id, affiliate_id } = filters
    const id = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? text : '')
    return {
      ...periodOf(filters),
      ...{ product_id: id(product_id), issuer_id: id(issuer_id), affiliate_id: id(affiliate_id) },
    }
  }, [filters])
}

interface Props {
  title: string
  description: string
  asked: Asked
  /** The board shows one product, so one must be chosen. */
  ofProduct?: boolean
  busy?: boolean
  children: ReactNode
}

/** The frame of every board: its filters, the days it is about and its sections. */
export function Board({ title, description, asked, ofProduct = false, busy = false, children }: Props) {
  useTitle(title)
  const framed = isFramed()
  return (
    <div className="mx-auto w-full max-w-7xl px-4 py-5 sm:px-6">
      <header className={cx(framed && 'sr-only')}>
        <h1 className="text-xl font-semibold">{title}</h1>
        <p className="mt-1 max-w-2xl text-muted">{description}</p>
      </header>
      <div className={cx('flex flex-wrap items-center gap-2', !framed && 'mt-5')}>
        <BoardFilters asked={asked} ofProduct={ofProduct} />
      </div>
      <p className="mt-2 text-muted">
        {asked.from === asked.to
          ? `El ${formatDate(asked.from, 'longDay')}, día`
          : `Del ${formatDate(asked.from, 'longDay')} al ${formatDate(asked.to, 'longDay')}, días`}{' '}
        de la Ciudad de México.{asked.to >= dateInMexico() && ' El de hoy está en curso.'}
      </p>
      <div aria-busy={busy} className={cx('mt-4 grid gap-4 transition-opacity', busy && 'opacity-60')}>
        {children}
      </div>
    </div>
  )
}
