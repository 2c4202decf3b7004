import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useState } from 'react'
import { type Delivery, type DeliveryState, deliveryStateLabels, typeLabel } from '#contract/deliveries.ts'
import { type Receiver, receivers } from '#contract/receivers.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { type Column, viewAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { FooterBar } from '#web/table/TableFooter.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DayTime } from '#web/ui/dates.tsx'
import { Select } from '#web/ui/Select.tsx'
import { DeliveryDialog } from './DeliveryDialog.tsx'
import { Paused } from './PausedNote.tsx'
import { deliveriesQuery, usePauseReceiver, useResumeReceiver } from './queries.ts'
import { DeliveryBadge } from './words.tsx'

const columns: Column<Delivery>[] = [
  { header: 'Fecha', cell: ({ created_at }) => <DayTime value={created_at} />, card: 'meta' },
  { header: 'Evento', cell: ({ type }) => typeLabel(type), card: 'title' },
  { header: 'Estado', cell: ({ state }) => <DeliveryBadge state={state} />, card: 'chip' },
  { header: 'Respuesta', cell: ({ status, error }) => status ?? (error ? 'Sin respuesta' : '-'), card: 'meta' },
  { header: 'Intentos', cell: ({ attempts }) => attempts, align: 'right', card: 'line' },
]

const ALL = 'all'
const states = [
  { value: ALL, label: 'Todos los estados' },
  ...Object.entries(deliveryStateLabels).map(([value, label]) => ({ value, label })),
]

/** What went out to a receiver, the last first. */
export function DeliveriesDialog({ receiver, onClose }: { receiver: Receiver; onClose: () => void }) {
  const [state, setState] = useState<string>(ALL)
  const [page, setPage] = useState(1)
  const [shown, setShown] = useState<Delivery>()
  const list = useQuery(deliveriesQuery(receiver.id, { page, ...(state !== ALL && { state: state as DeliveryState }) }))
  return (
    <Dialog
      title={`Entregas de ${receiver.name}`}
      description={receiver.state === 'paused' && <Paused {...receiver} />}
      size="lg"
      onClose={onClose}
      footer={
        <>
          <PauseButton receiver={receiver} />
          <Button onClick={onClose}>Cerrar</Button>
        </>
      }
    >
      <div className="grid gap-3 pt-1">
        <Select
          aria-label="Estado"
          options={states}
          value={state}
          onChange={(chosen) => {
            setState(chosen)
            setPage(1)
          }}
          className="sm:w-52"
        />
        <DataTable
          query={{ ...list, data: list.data?.results }}
          columns={columns}
          label="Entregas"
          rowKey={({ id }) => id}
          paged={false}
          loading="Cargando entregas..."
          errorText="Error al cargar las entregas"
          empty={state === ALL ? 'Todavía no hay entregas' : 'Ninguna entrega está en ese estado'}
          emptyIcon={Inbox}
          actions={(row) => [viewAction(() => setShown(row), { label: `Ver entrega ${row.seq}` })]}
          footer={
            (page > 1 || list.data?.has_more) && (
              <FooterBar>
                <Button size="sm" onClick={() => setPage(page - 1)} disabled={page === 1}>
                  Más recientes
                </Button>
                <Button size="sm" onClick={() => setPage(page + 1)} disabled={!list.data?.has_more}>
                  Más antiguas
                </Button>
              </FooterBar>
            )
          }
        />
      </div>
      {shown && <DeliveryDialog id={shown.id} onClose={() => setShown(undefined)} />}
    </Dialog>
  )
}

/** One button, so that it keeps the focus. */
function PauseButton({ receiver: { id, state } }: { receiver: Receiver }) {
  const pause = usePauseReceiver()
  const refuse = useRefusal()
  const resume = useResumeReceiver()
  const [save, text, busyText] =
    state === 'paused' ? [resume, 'Reanudar', 'Reanudando...'] : [pause, 'Pausar', 'Pausando...']
  return (
    <Button
      onClick={() => save.mutate(id)}
      busy={save.isPending}
      busyText={busyText}
      disabledReason={refuse(receivers.pause)}
    >
      {text}
    </Button>
  )
}
