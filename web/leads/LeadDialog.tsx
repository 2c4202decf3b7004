import { useQuery } from '@tanstack/react-query'
import { MousePointer2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Lead, type LeadEvent, type UtmField, utmFields } from '#contract/leads.ts'
import { dateInMexico } from '#contract/time.ts'
import { wordName } from '#contract/words.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Fact } from '#web/ui/Card.tsx'
import { Collapsible } from '#web/ui/Collapsible.tsx'
import { Copyable } from '#web/ui/CopyButton.tsx'
import { cx } from '#web/ui/cx.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DayTime, Time } from '#web/ui/dates.tsx'
import { formatDate, INVALID_DATE } from '#web/ui/format.ts'
import { lookOf } from './event-look.ts'
import { textFields } from './filters.ts'
import { LooseData } from './LooseData.tsx'
import { leadQuery } from './queries.ts'

export function LeadDialog({ lead: known, onClose }: { lead: Lead; onClose: () => void }) {
  const { data: lead = known } = useQuery(leadQuery(known.id, known))
  const [chosen, setChosen] = useState<number>()
  const event = lead.events.find(({ id }) => id === chosen)
  return (
    <Dialog
      size="xl"
      title={<span className="break-all">{`Lead #${lead.tracking_id}`}</span>}
      description="Detalles completos del lead y timeline de eventos"
      onClose={onClose}
    >
      <div className="grid gap-x-6 gap-y-6 pt-2 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)_minmax(0,1fr)]">
        <Sections lead={lead} />
        <Timeline events={lead.events} chosen={chosen} onChoose={setChosen} />
        {event ? <EventProperties event={event} /> : <NoEventChosen />}
      </div>
    </Dialog>
  )
}

function Sections({ lead }: { lead: Lead }) {
  const utm = utmFields.filter((field) => lead[field] !== '')
  return (
    <div>
      <Collapsible title="Datos Básicos">
        <Details>
          <Fact label="Lead ID">{lead.id}</Fact>
          <Fact label="Tracking ID">
            <Copyable
              text={lead.tracking_id}
              label="Copiar Tracking ID"
              copied="Información copiada al portapapeles"
              failed="Error al copiar la información"
            />
          </Fact>
          <Fact label="External ID">{lead.external_id || 'N/A'}</Fact>
          <Fact label="Fecha Creación">
            <DayTime value={lead.created_at} />
          </Fact>
          {isPresent(lead.lead_data) && (
            <Fact label="Datos del Lead">
              <LooseData value={lead.lead_data} />
            </Fact>
          )}
        </Details>
      </Collapsible>
      <Collapsible title="Info Comercial">
        <Details>
          <Fact label="Producto">{lead.product_name}</Fact>
          <Fact label="Emisor">{lead.issuer_name}</Fact>
          <Fact label="Afiliado">{lead.affiliate_name}</Fact>
        </Details>
      </Collapsible>
      {utm.length > 0 && (
        <Collapsible title="Datos UTM">
          <Details>
            {utm.map((field: UtmField) => (
              <Fact key={field} label={textFields[field]}>
                {lead[field]}
              </Fact>
            ))}
          </Details>
        </Collapsible>
      )}
    </div>
  )
}

const Details = ({ children }: { children: ReactNode }) => <dl className="grid gap-3">{children}</dl>

const isPresent = (data: Lead['lead_data']): data is NonNullable<Lead['lead_data']> =>
  data !== null && data !== '' && (typeof data === 'string' || Object.keys(data).length > 0)

interface TimelineProps {
  events: LeadEvent[]
  chosen: number | undefined
  onChoose: (id: number) => void
}

function Timeline({ events, chosen, onChoose }: TimelineProps) {
  return (
    <section aria-label="Timeline de Eventos">
      <h3 className="flex items-center gap-2 py-2.5 font-semibold">
        Timeline de Eventos <Badge>{`${events.length} eventos`}</Badge>
      </h3>
      {events.length === 0 && <p className="py-8 text-center text-muted">No hay eventos registrados</p>}
      {[...Map.groupBy(events, dayOf)].map(([day, ofDay]) => (
        <div key={day} className="mb-4 last:mb-0">
          <h4 className="mb-1.5 text-xs font-medium text-muted">{day}</h4>
          <ol className="grid gap-2">
            {ofDay.map((event) => (
              <li key={event.id}>
                <TimelineEntry event={event} chosen={event.id === chosen} onChoose={() => onChoose(event.id)} />
              </li>
            ))}
          </ol>
        </div>
      ))}
    </section>
  )
}

/** 'lun 23 nov'; the year stands where it is not this one. */
function dayOf({ created_at }: LeadEvent): string {
  const day = formatDate(created_at, 'weekday')?.replace(' de ', ' ')
  const year = formatDate(created_at, 'day')?.slice(-4)
  if (!day || !year) return INVALID_DATE
  return year === dateInMexico().slice(0, 4) ? day : `${day} ${year}`
}

const iconTones: Partial<Record<string, string>> = {
  success: 'bg-success-soft text-success-ink',
  danger: 'bg-danger-soft text-danger-ink',
  info: 'bg-info-soft text-info-ink',
  brand: 'bg-brand-soft text-brand-ink',
}

function TimelineEntry({ event, chosen, onChoose }: { event: LeadEvent; chosen: boolean; onChoose: () => void }) {
  const { icon: Icon, tone } = lookOf(event.event_type_name)
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className={cx(
        'flex w-full items-start gap-3 rounded-lg border px-3 py-2.5 text-left hover:bg-hover',
        chosen && 'border-brand bg-brand-soft/40',
      )}
    >
      <span
        className={cx(
          'mt-0.5 flex size-8 shrink-0 items-center justify-center rounded-full',
          iconTones[tone] ?? 'bg-sunken text-muted',
        )}
      >
        <Icon aria-hidden className="size-4" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <span className="min-w-0 font-medium wrap-anywhere">{event.step_name}</span>
          <Time value={event.created_at} />
        </span>
        <span className="mt-1 flex flex-wrap items-center gap-2 text-muted">
          <Badge tone={tone}>{wordName('eventType', event.event_type_name)}</Badge>
          <span className="text-xs wrap-anywhere">{wordName('source', event.source)}</span>
        </span>
      </span>
    </button>
  )
}

const NoEventChosen = () => (
  <section className="flex flex-col items-center rounded-lg bg-sunken/60 px-4 py-10 text-center lg:self-start">
    <MousePointer2 aria-hidden className="mb-3 size-5 text-faint" />
    <h3 className="font-semibold">Selecciona un Evento</h3>
    <p className="mt-1 text-muted">Haz clic en un evento del timeline para ver sus propiedades detalladas</p>
  </section>
)

const EventProperties = ({ event }: { event: LeadEvent }) => (
  <section aria-live="polite">
    <h3 className="py-2.5 font-semibold">Propiedades del Evento</h3>
    <Details>
      <Fact label="ID">{event.id === 0 ? 'Clic' : event.id}</Fact>
      <Fact label="Nombre del Paso">{event.step_name}</Fact>
      <Fact label="Tipo de Evento">{wordName('eventType', event.event_type_name)}</Fact>
      <Fact label="Fuente">{wordName('source', event.source)}</Fact>
      <Fact label="Fecha y Hora">
        <DayTime value={event.created_at} />
      </Fact>
      {isPresent(event.event_data) && (
        <Fact label="Datos del Evento">
          <LooseData value={event.event_data} />
        </Fact>
      )}
    </Details>
  </section>
)
