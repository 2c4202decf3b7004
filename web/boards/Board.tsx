import type { ReactNode } from 'react'
import { dateInMexico } from '#contract/time.ts'
import { isId } from '#web/table/address.ts'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { cx } from '#web/ui/cx.ts'
import { formatDate } from '#web/ui/format.ts'
import { BoardFilters } from './BoardFilters.tsx'
import { NO_FILTERS, periodOf } from './period.ts'
import type { Asked } from './queries.ts'

/** The filters in the address, invalid ones dropped. */
export function useBoardFilters(): Asked {
  const { filters } = useUrlFilters(NO_FILTERS)
  const { product_id, issuer_id, affiliate_id } = filters
  const id = (text: string) => (isId(text) ? text : '')
  return {
    ...periodOf(filters),
    ...{ product_id: id(product_id), issuer_id: id(issuer_id), affiliate_id: id(affiliate_id) },
  }
}

interface Props {
  asked: Asked
  /** The board shows one product, so one must be chosen. */
  ofProduct?: boolean
  busy?: boolean
  children: ReactNode
}

/** What every board has: its filters, the days it is about and its sections. The page around it says its name. */
export const Board = ({ asked, ofProduct = false, busy = false, children }: Props) => (
  <>
    <div className="flex flex-wrap items-center gap-2">
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
  </>
)
