import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Card } from '#web/ui/Card.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'

export interface Loaded<Data> {
  title: string
  description: string
  query: UseQueryResult<Data>
  loading: string
  failed: string
  /** What trying again does, where it is more than asking again. */
  retry?: () => void
  /** The facts; without their values while these load, so that nothing below moves when they come. */
  children: (data: Data | undefined) => ReactNode
}

/** A card of facts that load. */
export function LoadedCard<Data>({ title, description, query, loading, failed, retry, children }: Loaded<Data>) {
  return (
    <Card title={title} description={description}>
      {query.data === undefined && query.isError ? (
        <ErrorState
          text={failed}
          detail={query.error.message === failed ? undefined : query.error.message}
          onRetry={retry ?? (() => void query.refetch())}
          busy={query.isFetching}
        />
      ) : (
        <>
          {query.data === undefined && (
            <span role="status" className="sr-only">
              {loading}
            </span>
          )}
          <div aria-busy={query.data === undefined}>{children(query.data)}</div>
        </>
      )}
    </Card>
  )
}
