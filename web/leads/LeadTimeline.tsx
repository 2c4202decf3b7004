import { MousePointer2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { LeadEvent } from '#contract/leads.ts'
import { dateInMexico } from '#contract/time.ts'
import { wordName } from '#contract/words.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Fact } from '#web/ui/Card.tsx'
import { cx } from '#web/ui/cx.ts'
import { DayTime, Time } from '#web/ui/dates.tsx'
import { formatDate, INVALID_DATE } from '#web/ui/format.ts'
import { lookOf } from './event-look.ts'
import { Details, isPresent } from './LeadSections.tsx'
import { LooseData } from './LooseData.tsx'

/** The events, and what is known of the chosen one: two cells of the detail's grid. */
export function LeadTimeline({ events }: { events: LeadEvent[] }) {
  // Another object each time: what is chosen again is shown again.
  const [chosen, setChosen] = useState<{ id: number }>()
  const properties = useRef<HTMLDivElement>(null)
  const event = events.find(({ id }) => id === chosen?.id)
  useEffect(() => {
    // In one column it stands below all events.
    if (chosen) properties.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <>
      <Timeline events={events} chosen={chosen?.id} onChoose={(id) => setChosen({ id })} />
      <div
        ref={properties}
        aria-live="polite"
        className="scroll-my-4 @2xl:col-span-2 @4xl:sticky @4xl:top-0 @4xl:col-span-1 @4xl:self-start"
      >
        {event ? <EventProperties event={event} /> : <NoEventChosen />}
      </div>
    </>
  )
}

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
      {[...byDay(events)].map(([day, ofDay]) => (
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

function byDay(events: LeadEvent[]): Map<string, LeadEvent[]> {
  const days = new Map<string, LeadEvent[]>()
  for (const event of events) days.set(dayOf(event), [...(days.get(dayOf(event)) ?? []), event])
  return days
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
          {event.is_voided && <Badge>Anulado</Badge>}
          <span className="text-xs wrap-anywhere">{wordName('source', event.source)}</span>
        </span>
      </span>
    </button>
  )
}

const NoEventChosen = () => (
  <section className="flex flex-col items-center rounded-lg bg-sunken/60 px-4 py-6 text-center @4xl:py-10">
    <MousePointer2 aria-hidden className="mb-3 size-5 text-faint" />
    <h3 className="font-semibold">Selecciona un Evento</h3>
    <p className="mt-1 text-muted">Haz clic en un evento del timeline para ver sus propiedades detalladas</p>
  </section>
)

const EventProperties = ({ event }: { event: LeadEvent }) => (
  <section>
    <h3 className="py-2.5 font-semibold">Propiedades del Evento</h3>
    <Details>
      <Fact label="ID">{event.id === 0 ? 'Clic' : event.id < 0 ? 'Reactivación' : event.id}</Fact>
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
