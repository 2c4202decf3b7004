import type { ReactNode } from 'react'
import { FIGURE } from './series.ts'

/** A bar as long as its part of the whole, before the figure itself. */
export const Share = ({ part, children }: { part: number; children: ReactNode }) => (
  <span className="flex min-w-32 items-center justify-end gap-3">
    <span aria-hidden className="h-2 w-20 overflow-hidden rounded-full bg-sunken">
      <span
        className="block h-full rounded-full"
        style={{ width: `${Math.max(0, Math.min(part, 1)) * 100}%`, background: FIGURE }}
      />
    </span>
    <span className="min-w-14 text-right">{children}</span>
  </span>
)
