import { useQuery } from '@tanstack/react-query'
import { Maximize2, Minimize2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { CommissionEntry } from '#contract/commission-entries.ts'
import type { Lead } from '#contract/leads.ts'
import type { Role } from '#contract/roles.ts'
import { ApiError } from '#web/api/errors.ts'
import { paths, rowParams } from '#web/paths.ts'
import { EntryLines } from '#web/payments/EntryLines.tsx'
import { LeadBadge } from '#web/states/StateBadges.tsx'
import { DetailPanel } from '#web/table/DetailPanel.tsx'
import type { RowPanel } from '#web/table/use-panel.ts'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { LINK } from '#web/ui/links.tsx'
import { Money } from '#web/ui/Money.tsx'
import { LeadSections } from './LeadSections.tsx'
import { LeadTimeline } from './LeadTimeline.tsx'
import { leadEntriesQuery, leadQuery } from './queries.ts'

export const leadName = ({ id, external_id, product_name }: Lead): string =>
  [`Lead ${id}`, external_id, product_name].filter(Boolean).join(', ')

interface Props {
  panel: RowPanel
  /** The leads of the page, which show at once. */
  leads: readonly Lead[] | undefined
  viewer: Role
}

/** A lead with what became of it, beside its list; as wide as the three columns of the specification on demand. */
export function LeadPanel({ panel, leads, viewer }: Props) {
  const [wide, setWide] = useState(false)
  const id = panel.id ?? 0
  const known = leads?.find((lead) => lead.id === id)
  const query = useQuery({ ...leadQuery(id, known), enabled: id > 0 })
  const isMissing = panel.id === 0 || (query.error instanceof ApiError && query.error.status === 404)
  return (
    <DetailPanel
      panel={panel}
      noun="Lead"
      title={({ tracking_id }) => <span title={tracking_id}>{`Lead #${tracking_id}`}</span>}
      row={query.data}
      query={query}
      errorText="Error al cargar el lead"
      isMissing={isMissing}
      wide={wide}
      menu={() => [
        {
          label: wide ? 'Reducir' : 'Ampliar',
          icon: wide ? Minimize2 : Maximize2,
          onClick: () => setWide(!wide),
        },
      ]}
    >
      {(lead) => <LeadDetail key={lead.id} lead={lead} viewer={viewer} />}
    </DetailPanel>
  )
}

function LeadDetail({ lead, viewer }: { lead: Lead; viewer: Role }) {
  const entries = useQuery({ ...leadEntriesQuery(lead.id), enabled: lead.state !== 'click' })
  return (
    <>
      <p className="text-muted">Detalles completos del lead y timeline de eventos</p>
      <Outcome lead={lead} entries={entries.data} viewer={viewer} />
      {entries.isError && <ErrorState text="Error al cargar las comisiones" query={entries} />}
      <div className="grid gap-x-6 gap-y-4 pt-3 @2xl:grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)] @4xl:grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)_minmax(0,1fr)]">
        <LeadSections lead={lead} />
        <LeadTimeline events={lead.events} />
      </div>
      {entries.data && entries.data.length > 0 && <Earned entries={entries.data} viewer={viewer} />}
    </>
  )
}

/** Its state and money, and the payment that holds it where there is but one. */
function Outcome({ lead, entries, viewer }: { lead: Lead; entries: CommissionEntry[] | undefined; viewer: Role }) {
  const held = [...new Set(entries?.flatMap(({ payment_id }) => payment_id ?? []))]
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
      <LeadBadge state={lead.state} />
      {lead.amount !== null && <Money value={lead.amount} className="text-lg font-semibold text-money-ink" />}
      {held.length === 1 && held[0] !== undefined && <PaymentLink id={held[0]} viewer={viewer} />}
    </p>
  )
}

const PaymentLink = ({ id, viewer }: { id: number; viewer: Role }) => (
  <Link to={`${paths[viewer].payments}?${rowParams.payment}=${id}`} className={LINK}>
    Pago {id}
  </Link>
)

const Earned = ({ entries, viewer }: { entries: CommissionEntry[]; viewer: Role }) => (
  <section className="mt-6">
    <h3 className="mb-2 font-semibold">Comisiones del lead</h3>
    <EntryLines
      label="Comisiones del lead"
      entries={entries}
      head={({ step_name }) => step_name}
      detail={({ payment_id }) =>
        payment_id === null ? 'En ningún pago' : <PaymentLink id={payment_id} viewer={viewer} />
      }
    />
  </section>
)
