import type { ReactNode } from 'react'
import { Card } from '#web/ui/Card.tsx'
import { ErrorState, type FailedQuery } from '#web/ui/EmptyState.tsx'

export interface Loaded<Data> {
  title: string
  description: string
  query: FailedQuery & { data: Data | undefined; isError: boolean }
  loading: string
  failed: string
  /** Undefined while it loads: the same facts without values, so that nothing below moves. */
  children: (data: Data | undefined) => ReactNode
}

/** A card of facts that load. */
export function LoadedCard<Data>({ title, description, query, loading, failed, children }: Loaded<Data>) {
  return (
    <Card title={title} description={description}>
      {query.data === undefined && query.isError ? (
        <ErrorState text={failed} query={query} />
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
