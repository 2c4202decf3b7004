import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { linkFaultSentence, linkFaults } from '#contract/link-faults.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'

/** Which of the affiliate's links lose what it counts on; nothing while none does. The list is whole without it. */
export function LinkFaults({ issuer }: { issuer: number | undefined }) {
  const faults = useQuery({
    queryKey: [...keys.products, 'link-faults'],
    queryFn: ({ signal }) => call(linkFaults.list, { signal }),
    meta: { quiet: true },
  })
  const rows = faults.data?.filter((fault) => fault.issuer === issuer) ?? []
  if (!rows.length) return null
  return (
    <section aria-labelledby="link-faults" className="mb-4 rounded-xl border bg-surface px-5 py-4 shadow-card">
      <h2 id="link-faults" className="flex items-center gap-2 font-semibold">
        <TriangleAlert aria-hidden className="size-4 text-danger-ink" />
        Revisa estos enlaces
      </h2>
      <ul className="mt-1 space-y-1 text-muted">
        {rows.map((fault) => (
          <li key={`${fault.product_id} ${fault.reason}`} className="wrap-anywhere">
            {fault.product_name && <span className="font-medium text-ink">{fault.product_name}: </span>}
            {linkFaultSentence(fault)}.
          </li>
        ))}
      </ul>
      <p className="mt-2 text-xs text-muted">
        De los últimos 7 días. Lo que corrijas deja de contarse desde ese momento.
      </p>
    </section>
  )
}
