import { useQuery } from '@tanstack/react-query'
import { Mail as MailIcon } from 'lucide-react'
import { type Mail, mailKindLabels, mailStateLabels } from '#contract/mail.ts'
import { Page } from '#web/shell/Page.tsx'
import type { Column } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { Badge, type Tone } from '#web/ui/Badge.tsx'
import { DayTime } from '#web/ui/dates.tsx'
import { counted } from '#web/ui/format.ts'
import { mailQuery } from './queries.ts'

const tones: Record<Mail['state'], Tone> = { waiting: 'info', sent: 'success', failed: 'danger' }

const columns: Column<Mail>[] = [
  {
    header: 'Para',
    cell: ({ recipient }) => <span className="font-medium wrap-anywhere">{recipient}</span>,
    title: ({ recipient }) => recipient,
    sort: ({ recipient }) => recipient,
    card: 'title',
    wrap: true,
  },
  { header: 'Correo', cell: ({ kind }) => mailKindLabels[kind], sort: ({ kind }) => kind, card: 'meta' },
  {
    header: 'Pedido',
    cell: ({ created_at }) => <DayTime value={created_at} />,
    sort: ({ created_at }) => created_at,
    card: 'meta',
  },
  { header: 'Intentos', cell: ({ attempts }) => attempts, align: 'right', card: 'line' },
  {
    header: 'Respuesta del servidor',
    cell: ({ error }) => <span className="wrap-anywhere text-muted">{error}</span>,
    title: ({ error }) => error ?? '',
    card: 'line',
    wrap: true,
  },
  {
    header: 'Estado',
    cell: ({ state }) => <Badge tone={tones[state]}>{mailStateLabels[state]}</Badge>,
    sort: ({ state }) => mailStateLabels[state],
    card: 'chip',
  },
]

/** What became of the mails of the last thirty days; their texts and links are kept nowhere. */
export default function AdminMailPage() {
  const list = useQuery(mailQuery())
  return (
    <Page
      title="Correos"
      description="Los correos que Afluente envió en los últimos 30 días, y qué contestó el servidor de correo."
      count={list.data && counted(list.data.length, 'correo', 'correos')}
    >
      <DataTable
        query={list}
        columns={columns}
        loading="Cargando correos..."
        errorText="Error al cargar los correos"
        empty="No hay correos"
        emptyHint="Sin SMTP_URL no se envía ninguno: los enlaces se muestran a quien los pide."
        emptyIcon={MailIcon}
      />
    </Page>
  )
}
