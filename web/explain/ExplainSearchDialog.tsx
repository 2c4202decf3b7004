import { queryOptions, useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { type Explainable, explain } from '#contract/explain.ts'
import type { Role } from '#contract/roles.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'
import { SearchField } from '#web/table/SearchField.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { EmptyState, ErrorState } from '#web/ui/EmptyState.tsx'
import { LINK } from '#web/ui/links.tsx'
import { Money } from '#web/ui/Money.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import ExplainDialog from './ExplainDialog.tsx'

const searchQuery = (q: string) =>
  queryOptions({
    queryKey: [...keys.payments, 'explain', 'search', q],
    queryFn: ({ signal }) => call(explain.search, { query: { q }, signal }),
    enabled: q !== '',
    staleTime: 0,
    meta: { quiet: true },
  })

/** Finds an amount by a whole id, and explains it. */
export default function ExplainSearchDialog({ viewer, onClose }: { viewer: Role; onClose: () => void }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Explainable>()
  const q = text.trim()
  const query = useQuery(searchQuery(q))
  if (chosen) return <ExplainDialog of={chosen} viewer={viewer} onClose={onClose} />
  return (
    <Dialog
      title="¿De dónde sale?"
      description="Pega un tracking ID, o escribe el número de un lead, una comisión o un pago."
      holdsFields
      onClose={onClose}
    >
      <div className="pt-1">
        <SearchField value={text} onChange={setText} placeholder="Tracking ID o número" className="sm:w-full" />
      </div>
      <div className="mt-4 min-h-24">
        {q !== '' && query.isPending && (
          <div role="status">
            <span className="sr-only">Buscando...</span>
            <Skeleton className="h-5 w-3/4" />
          </div>
        )}
        {query.isError && <ErrorState text="Error al buscar" query={query} />}
        {query.data?.length === 0 && <EmptyState icon={SearchX} text="No se encontró nada con ese número" />}
        {query.data && query.data.length > 0 && <Results found={query.data} onChoose={setChosen} />}
      </div>
    </Dialog>
  )
}

const Results = ({ found, onChoose }: { found: readonly Explainable[]; onChoose: (one: Explainable) => void }) => (
  <ul aria-label="Encontrado" className="divide-y divide-line border-y">
    {found.map((one) => (
      <li key={`${one.kind} ${one.id}`} className="flex items-baseline justify-between gap-3 py-2 max-sm:py-3">
        <button
          type="button"
          onClick={() => onChoose(one)}
          className={`${LINK} -my-2 min-w-0 py-2 text-left wrap-anywhere max-sm:-my-3 max-sm:py-3`}
        >
          {one.title}
        </button>
        {one.amount !== null && <Money value={one.amount} className="shrink-0 font-medium" />}
      </li>
    ))}
  </ul>
)
