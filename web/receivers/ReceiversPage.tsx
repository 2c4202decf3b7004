import { useQuery } from '@tanstack/react-query'
import { History, KeyRound, Pause, Play, Plus, RotateCcw, Send, Webhook } from 'lucide-react'
import { useState } from 'react'
import { type OccurrenceType, occurrenceLabels } from '#contract/deliveries.ts'
import { eventTypeNames } from '#contract/event-steps.ts'
import { RECEIVERS_MAX, type Receiver, receivers } from '#contract/receivers.ts'
import { parseUrl } from '#contract/web-address.ts'
import { wordName } from '#contract/words.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { useRefusal } from '#web/auth/rights.ts'
import { roleOf } from '#web/role-paths.ts'
import { Page } from '#web/shell/Page.tsx'
import { type Column, deleteAction, editAction, type RowAction, refused } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { Button } from '#web/ui/Button.tsx'
import { DayTime } from '#web/ui/dates.tsx'
import { formatNumber } from '#web/ui/format.ts'
import { optionsOf } from '#web/ui/option.ts'
import { RemoveDialog } from '#web/ui/RemoveDialog.tsx'
import { DeliveriesDialog } from './DeliveriesDialog.tsx'
import { DeliveryDialog } from './DeliveryDialog.tsx'
import { PausedNote } from './PausedNote.tsx'
import {
  receiversQuery,
  usePauseReceiver,
  useRemoveReceiver,
  useReplayPeriod,
  useResumeReceiver,
  useTestReceiver,
} from './queries.ts'
import { ReceiverDialog } from './ReceiverDialog.tsx'
import { SecretDialog } from './SecretDialog.tsx'
import { ReceiverBadge, wordsFor } from './words.tsx'

const hostOf = ({ url }: Receiver) => parseUrl(url)?.host ?? url

/** What the choice of steps narrows. */
const OF_STEPS: readonly OccurrenceType[] = ['lead.event', 'commission.accrued']

/** 'Evento de un lead (Aprobado), Comisión pagada · Tarjeta Oro' */
function toldOf({ types, event_types, product_name }: Receiver): string {
  const only = event_types?.map((id) => wordName('eventType', eventTypeNames[id - 1] ?? '')).join(', ')
  const named = optionsOf(occurrenceLabels)
    .filter(({ value }) => types.includes(value))
    .map(({ value: type, label }) => label + (only && OF_STEPS.includes(type) ? ` (${only})` : ''))
  return [named.join(', '), product_name].filter(Boolean).join(' · ')
}

const columns: Column<Receiver>[] = [
  {
    header: 'Nombre',
    cell: ({ name }) => <span className="font-medium">{name}</span>,
    title: ({ name }) => name,
    width: 'max-w-56',
    card: 'title',
  },
  { header: 'Destino', cell: hostOf, title: ({ url }) => url, width: 'max-w-56', card: 'meta' },
  {
    header: 'Eventos',
    cell: toldOf,
    title: toldOf,
    width: 'max-w-72',
    card: 'line',
  },
  { header: 'Estado', cell: ({ state }) => <ReceiverBadge state={state} />, card: 'chip' },
  {
    header: 'Última entrega',
    cell: ({ last_ok_at }) =>
      last_ok_at ? <DayTime value={last_ok_at} /> : <span className="text-muted">Ninguna</span>,
    card: 'line',
  },
  { header: 'Pendientes', cell: ({ waiting }) => formatNumber(waiting), align: 'right', card: 'line' },
]

type Open =
  | { kind: 'create' }
  | { kind: 'edit' | 'delete' | 'secret' | 'deliveries'; receiver: Receiver }
  | { kind: 'tested'; id: string }

const MONTH_MS = 30 * 86_400_000

/** The postbacks of an affiliate, and the webhooks of an issuer or of the network. */
export default function ReceiversPage() {
  const { user } = useAuth()
  const role = roleOf(user?.role) ?? 'affiliate'
  const words = wordsFor[role]
  const [open, setOpen] = useState<Open>()
  const list = useQuery(receiversQuery())
  // All that is done with an address needs the same duty.
  const refusal = useRefusal()(receivers.update)
  const remove = useRemoveReceiver()
  const test = useTestReceiver()
  const pause = usePauseReceiver()
  const resume = useResumeReceiver()
  const replay = useReplayPeriod()
  const close = () => setOpen(undefined)
  const isFull = (list.data?.length ?? 0) >= RECEIVERS_MAX[role]
  const replayFailed = ({ id }: Receiver) => {
    const now = Date.now()
    replay.mutate({
      id,
      from: new Date(now - MONTH_MS).toISOString(),
      to: new Date(now).toISOString(),
      state: 'failed',
    })
  }
  const actionsOf = (receiver: Receiver): RowAction[] => [
    {
      label: `Probar ${receiver.name}`,
      icon: Send,
      main: true,
      disabled: test.isPending,
      disabledReason: test.isPending ? 'Se está probando una dirección' : undefined,
      onClick: () => test.mutate(receiver.id, { onSuccess: ({ id }) => setOpen({ kind: 'tested', id }) }),
    },
    {
      label: `Entregas de ${receiver.name}`,
      icon: History,
      opens: true,
      main: true,
      onClick: () => setOpen({ kind: 'deliveries', receiver }),
    },
    ...(receiver.state === 'active'
      ? []
      : [{ label: `Reanudar ${receiver.name}`, icon: Play, onClick: () => resume.mutate(receiver.id) }]),
    ...(receiver.state === 'paused'
      ? []
      : [{ label: `Pausar ${receiver.name}`, icon: Pause, onClick: () => pause.mutate(receiver.id) }]),
    { label: `Reenviar fallidas de ${receiver.name}`, icon: RotateCcw, onClick: () => replayFailed(receiver) },
    { label: `Secreto de ${receiver.name}`, icon: KeyRound, onClick: () => setOpen({ kind: 'secret', receiver }) },
    editAction(() => setOpen({ kind: 'edit', receiver }), { label: `Editar ${receiver.name}`, opens: false }),
    deleteAction(() => setOpen({ kind: 'delete', receiver }), { label: `Eliminar ${receiver.name}` }),
  ]
  const create = (
    <Button
      variant="primary"
      icon={Plus}
      onClick={() => setOpen({ kind: 'create' })}
      disabledReason={refusal ?? (isFull ? 'Ya no caben más direcciones: elimina una antes' : undefined)}
    >
      {words.add}
    </Button>
  )
  return (
    <Page title={words.title} description={words.description} action={create}>
      {list.data?.map((receiver) => (
        <PausedNote
          key={receiver.id}
          receiver={receiver}
          busy={resume.isPending}
          refusal={refusal}
          onResume={() => resume.mutate(receiver.id)}
        />
      ))}
      <DataTable
        query={list}
        columns={columns}
        label={words.title}
        loading="Cargando direcciones..."
        errorText="Error al cargar las direcciones"
        empty="Todavía no avisas a ninguna dirección"
        emptyHint={words.hint}
        emptyIcon={Webhook}
        emptyAction={create}
        actions={(receiver) => refused(actionsOf(receiver), refusal)}
        actionsOf={({ name }) => `de ${name}`}
      />
      {open?.kind === 'create' && <ReceiverDialog role={role} onClose={close} />}
      {open?.kind === 'edit' && <ReceiverDialog role={role} receiver={open.receiver} onClose={close} />}
      {open?.kind === 'secret' && <SecretDialog receiver={open.receiver} onClose={close} />}
      {open?.kind === 'deliveries' && (
        <DeliveriesDialog
          receiver={list.data?.find(({ id }) => id === open.receiver.id) ?? open.receiver}
          onClose={close}
        />
      )}
      {open?.kind === 'tested' && <DeliveryDialog id={open.id} onClose={close} />}
      {open?.kind === 'delete' && (
        <RemoveDialog remove={remove} id={open.receiver.id} onClose={close}>
          «{open.receiver.name}» deja de recibir avisos y lo que espera ya no se envía.
        </RemoveDialog>
      )}
    </Page>
  )
}
