import { Inbox, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'

interface Props {
  icon?: LucideIcon
  text: ReactNode
  /** What it means or what to do next. */
  hint?: ReactNode
  action?: ReactNode
}

export function EmptyState({ icon: Icon = Inbox, text, hint, action }: Props) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <span className="mb-4 flex size-11 items-center justify-center rounded-full bg-sunken text-faint">
        <Icon aria-hidden className="size-5" />
      </span>
      <p className="text-base font-medium text-ink">{text}</p>
      {hint && <p className="mt-1 max-w-md text-balance text-muted">{hint}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  )
}

/** What can be said of a query that failed, and how to repeat it. */
export interface FailedQuery {
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}

export function ErrorState({ text, query: { error, isFetching, refetch } }: { text: string; query: FailedQuery }) {
  const detail = error?.message
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-14 text-center">
      <span className="mb-4 flex size-11 items-center justify-center rounded-full bg-danger-soft text-danger-ink">
        <TriangleAlert aria-hidden className="size-5" />
      </span>
      <p className="text-base font-medium text-ink">{text}</p>
      {detail && detail !== text && <p className="mt-1 max-w-md break-words text-muted">{detail}</p>}
      <Button className="mt-5" onClick={() => void refetch()} busy={isFetching} busyText="Reintentando...">
        Reintentar
      </Button>
    </div>
  )
}
