import { useQuery } from '@tanstack/react-query'
import { Archive, ArchiveRestore, ListX, Plus } from 'lucide-react'
import { useState } from 'react'
import { type ListedReason, NO_REASON, rulings } from '#contract/rulings.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { Page } from '#web/shell/Page.tsx'
import type { Column } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { counted } from '#web/ui/format.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { reasonsQuery, useArchiveReason } from './queries.ts'

const ReasonDialog = laterDialog(async () => (await import('./ReasonDialog.tsx')).ReasonDialog)

const columns: Column<ListedReason>[] = [
  {
    header: 'Motivo',
    cell: ({ label }) => <span className="font-medium">{label}</span>,
    title: ({ label }) => label,
    sort: ({ label }) => label,
    card: 'title',
  },
  { header: 'Grupo', cell: ({ group_label }) => group_label, sort: ({ group_label }) => group_label, card: 'meta' },
  {
    header: 'Código',
    cell: ({ code }) => <code className="text-xs">{code}</code>,
    sort: ({ code }) => code,
    card: 'line',
  },
  {
    header: 'Consejo para el afiliado',
    cell: ({ advice }) => advice || <span className="text-muted">-</span>,
    title: ({ advice }) => advice,
    width: 'max-w-80',
    card: 'line',
    brief: ({ advice }) => advice || '-',
  },
  {
    header: 'El afiliado lee',
    cell: ({ is_financial }) => (is_financial ? 'Solo el grupo' : 'El motivo'),
    secondary: true,
    card: 'line',
  },
  {
    header: 'Estado',
    cell: ({ archived_at }) => (
      <Badge tone={archived_at ? 'neutral' : 'success'}>{archived_at ? 'Archivado' : 'En uso'}</Badge>
    ),
    sort: ({ archived_at }) => (archived_at ? 1 : 0),
    card: 'chip',
  },
]

/** Why leads are rejected: a closed list, so that reasons can be counted and compared. */
export default function AdminReasonsPage() {
  const [isAdding, setAdding] = useState(false)
  const list = useQuery(reasonsQuery())
  const archive = useArchiveReason()
  const refuse = useRefusal()
  return (
    <Page
      title="Motivos de rechazo"
      description="Con los que emisores y sistemas rechazan leads. Los códigos no cambian; uno archivado deja de ofrecerse y lo ya rechazado lo conserva."
      count={list.data && counted(list.data.length, 'motivo', 'motivos')}
      action={
        <Button
          variant="primary"
          icon={Plus}
          onClick={() => setAdding(true)}
          disabledReason={refuse(rulings.createReason)}
        >
          Nuevo motivo
        </Button>
      }
    >
      <DataTable
        query={list}
        columns={columns}
        rowKey={({ code }) => code}
        loading="Cargando motivos..."
        errorText="Error al cargar los motivos"
        empty="No hay motivos"
        emptyIcon={ListX}
        actions={({ code, label, archived_at }) => [
          archived_at
            ? {
                label: `Recuperar ${label}`,
                icon: ArchiveRestore,
                onClick: () => archive.mutate({ code, archived: false }),
                disabledReason: refuse(rulings.archiveReason),
              }
            : {
                label: `Archivar ${label}`,
                icon: Archive,
                onClick: () => archive.mutate({ code, archived: true }),
                disabledReason: code === NO_REASON ? 'Es el de quien no dice ninguno' : refuse(rulings.archiveReason),
              },
        ]}
      />
      {isAdding && <ReasonDialog onClose={() => setAdding(false)} />}
    </Page>
  )
}
