import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Card } from '#web/ui/Card.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

interface Props<Data> {
  title: string
  query: UseQueryResult<Data>
  loading: string
  failed: string
  /** What trying again does, where it is more than asking again. */
  retry?: () => void
  children: (data: Data) => ReactNode
}

/** The card that `children` draws, and its place while there is nothing to draw. */
export function LoadedCard<Data>({ title, query, loading, failed, retry, children }: Props<Data>) {
  if (query.data !== undefined) return children(query.data)
  return (
    <Card title={title}>
      {query.isError ? (
        <ErrorState
          text={failed}
          detail={query.error.message === failed ? undefined : query.error.message}
          onRetry={retry ?? (() => void query.refetch())}
          busy={query.isFetching}
        />
      ) : (
        <div role="status" className="grid gap-4 sm:grid-cols-2">
          <span className="sr-only">{loading}</span>
          {[1, 2, 3, 4, 5, 6].map((fact) => (
            <Skeleton key={fact} className="h-9 w-48 max-w-full" />
          ))}
        </div>
      )}
    </Card>
  )
}
