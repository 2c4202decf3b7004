import { useQuery } from '@tanstack/react-query'
import { Maximize2, Minimize2 } from 'lucide-react'
import { useState } from 'react'
import type { CommissionEntry } from '#contract/commission-entries.ts'
import type { LeadDetail, LeadEvent } from '#contract/leads.ts'
import type { Role } from '#contract/roles.ts'
import { ApiError } from '#web/api/errors.ts'
import { EntryLines } from '#web/payments/EntryLines.tsx'
import { DetailPanel } from '#web/table/DetailPanel.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { LeadOutcome, PaymentLink } from './LeadOutcome.tsx'
import type { PanelProps } from './LeadPanel.tsx'
import { LeadSections } from './LeadSections.tsx'
import { LeadTimeline } from './LeadTimeline.tsx'
import { leadEntriesQuery, leadQuery } from './queries.ts'

/** A lead with what became of it, beside its list; as wide as the three columns of the specification on demand. */
export default function LeadDetails({ panel, leads, viewer }: PanelProps) {
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
      {(lead) => <Details key={lead.id} lead={lead} viewer={viewer} />}
    </DetailPanel>
  )
}

function Details({ lead, viewer }: { lead: LeadDetail; viewer: Role }) {
  const entries = useQuery({ ...leadEntriesQuery(lead.id), enabled: lead.state !== 'click' })
  return (
    <>
      <p className="text-muted">Detalles completos del lead y timeline de eventos</p>
      <LeadOutcome lead={lead} entries={entries.data} viewer={viewer} />
      {entries.isError && <ErrorState text="Error al cargar las comisiones" query={entries} />}
      <div className="grid gap-x-6 gap-y-4 pt-3 @2xl:grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)] @4xl:grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)_minmax(0,1fr)]">
        <LeadSections lead={lead} />
        <LeadTimeline events={withRulings(lead)} />
      </div>
      {entries.data && entries.data.length > 0 && <Earned entries={entries.data} viewer={viewer} />}
    </>
  )
}

/** What people decided stands among the events; below zero, where no event has its id. */
function withRulings({ events, rulings }: LeadDetail): LeadEvent[] {
  const restored = rulings.map(({ id, created_at, author_name, note }) => ({
    ...{ id: -id, created_at, step_name: 'Lead reactivado', event_type_name: 'reactivado', source: 'panel' },
    is_voided: false,
    event_data: note === null ? null : { author: author_name, note },
  }))
  return [...events, ...restored].sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
}

const Earned = ({ entries, viewer }: { entries: CommissionEntry[]; viewer: Role }) => (
  <section className="mt-6">
    <h3 className="mb-2 font-semibold">Comisiones del lead</h3>
    <EntryLines
      label="Comisiones del lead"
      viewer={viewer}
      entries={entries}
      head={({ step_name }) => step_name}
      detail={({ payment_id }) =>
        payment_id === null ? 'En ningún pago' : <PaymentLink id={payment_id} viewer={viewer} />
      }
    />
  </section>
)
