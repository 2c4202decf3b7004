import type { ReactNode } from 'react'
import type { Pagination } from '#contract/fields.ts'
import { Button } from '#web/ui/Button.tsx'
import { formatNumber } from '#web/ui/format.ts'
import { PageSize, Pages } from '#web/ui/Pagination.tsx'
import type { RowTable } from './use-rows.ts'

const SMALLEST_PAGE = 25

/** Pages of rows that are all loaded; nothing when they fit the smallest page. */
export function TableFooter<Row extends object>({ table, total }: { table: RowTable<Row>; total: number }) {
  if (total <= SMALLEST_PAGE) return null
  const { pageIndex, pageSize } = table.state.pagination
  const pages = table.getPageCount()
  return (
    <FooterBar>
      <PageSize value={pageSize} onChange={(size) => table.setPageSize(size)} />
      {pages > 1 && (
        <Pages page={pageIndex + 1} pages={pages} onPage={(page) => table.setPageIndex(page - 1)}>
          Página {pageIndex + 1} de {formatNumber(pages)} ({formatNumber(total)} en total)
        </Pages>
      )}
    </FooterBar>
  )
}

export const ShowAll = ({ count, onClick }: { count: number; onClick: () => void }) => (
  <FooterBar>
    <Button variant="ghost" size="sm" onClick={onClick}>
      Ver todos ({formatNumber(count)})
    </Button>
  </FooterBar>
)

interface PagesFooterProps {
  pagination: Pagination | undefined
  busy: boolean
  onPage: (page: number) => void
}

/** Pages that the server makes; nothing for a single one. */
export function PagesFooter({ pagination, busy, onPage }: PagesFooterProps) {
  if (!pagination || pagination.total_pages <= 1) return null
  const { current_page: page, total_pages: pages, count } = pagination
  return (
    <FooterBar>
      <div className="ml-auto">
        <Pages page={page} pages={pages} busy={busy} onPage={onPage}>
          Página {formatNumber(page)} de {formatNumber(pages)} ({formatNumber(count)} en total)
        </Pages>
      </div>
    </FooterBar>
  )
}

export const FooterBar = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t px-4 py-2.5">{children}</div>
)
