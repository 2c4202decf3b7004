import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './IconButton.tsx'
import { Select } from './Select.tsx'

interface PagesProps {
  /** From 1. */
  page: number
  pages: number
  busy?: boolean
  onPage: (page: number) => void
  /** 'Página 1 de 4 (180 leads en total)' */
  children: ReactNode
}

export function Pages({ page, pages, busy = false, onPage, children }: PagesProps) {
  const [atStart, atEnd] = [busy || page <= 1, busy || page >= pages]
  return (
    <nav aria-label="Paginación" className="flex items-center gap-1">
      <span className="mr-2 text-muted tabular-nums">{children}</span>
      <IconButton label="Primera página" icon={ChevronsLeft} disabled={atStart} onClick={() => onPage(1)} />
      <IconButton label="Página anterior" icon={ChevronLeft} disabled={atStart} onClick={() => onPage(page - 1)} />
      <IconButton label="Página siguiente" icon={ChevronRight} disabled={atEnd} onClick={() => onPage(page + 1)} />
      <IconButton label="Última página" icon={ChevronsRight} disabled={atEnd} onClick={() => onPage(pages)} />
    </nav>
  )
}

export const PAGE_SIZES = [25, 50, 100]
const sizeOptions = PAGE_SIZES.map((size) => ({ value: size, label: String(size) }))

export function PageSize({ value, onChange }: { value: number; onChange: (size: number) => void }) {
  return (
    <div className="flex items-center gap-2 text-muted">
      <span aria-hidden>Por página</span>
      <Select aria-label="Filas por página" options={sizeOptions} value={value} onChange={onChange} className="w-20" />
    </div>
  )
}
