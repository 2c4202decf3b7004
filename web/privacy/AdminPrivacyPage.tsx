import { useQuery } from '@tanstack/react-query'
import { FileDown, Search, ShieldCheck } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { FOUND_LIMIT, type FoundLead, type PrivacyFile, privacy } from '#contract/privacy.ts'
import { PARAM_LIMIT } from '#contract/tracking.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { cutTo } from '#web/form/clean.ts'
import { Page } from '#web/shell/Page.tsx'
import { type Column, deleteAction, editAction, type RowAction, viewAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { DayTime } from '#web/ui/dates.tsx'
import { counted } from '#web/ui/format.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { foundQuery } from './queries.ts'

const AccessDialog = laterDialog(async () => (await import('./PrivacyDialogs.tsx')).AccessDialog)
const CorrectDialog = laterDialog(async () => (await import('./PrivacyDialogs.tsx')).CorrectDialog)
const EraseDialog = laterDialog(async () => (await import('./PrivacyDialogs.tsx')).EraseDialog)
const FileDialog = laterDialog(async () => (await import('./PrivacyDialogs.tsx')).FileDialog)

const columns: Column<FoundLead>[] = [
  {
    header: 'Tracking ID',
    cell: ({ tracking_id }) => <span className="tabular-nums">{tracking_id}</span>,
    card: 'title',
  },
  { header: 'Referencia', cell: ({ external_id }) => external_id || <span className="text-muted">—</span> },
  { header: 'Emisor', cell: ({ issuer_name }) => issuer_name },
  { header: 'Afiliado', cell: ({ affiliate_name }) => affiliate_name, card: 'meta' },
  { header: 'Producto', cell: ({ product_name }) => product_name, secondary: true },
  { header: 'Fecha', cell: ({ created_at }) => <DayTime value={created_at} />, card: 'meta' },
]

type Open = { kind: 'access' | 'correct' | 'erase'; lead: FoundLead } | { kind: 'file'; file: PrivacyFile }

/** What is looked for stays out of the address: it may identify a person. */
export default function AdminPrivacyPage() {
  const [text, setText] = useState('')
  const [open, setOpen] = useState<Open>()
  const found = useQuery(foundQuery(text))
  const close = () => setOpen(undefined)
  const search = (typed: string) => {
    if (typed === text) void found.refetch()
    else setText(typed)
  }
  return (
    <Page
      title="Datos personales"
      description="Solicitudes de acceso, rectificación y cancelación (ARCO) de quien hizo clic en un enlace. Cada consulta y cada cambio quedan en la bitácora con su folio y su motivo."
      {...(text !== '' && { count: found.data && countText(found.data.length) })}
      filters={<SearchForm busy={found.isFetching} onSearch={search} />}
    >
      {text === '' ? (
        <Card>
          <p className="text-muted">
            Busca por el tracking ID, por la referencia del afiliado (external_id) o por la que el emisor dio a un
            evento. La búsqueda es exacta.
          </p>
        </Card>
      ) : (
        <DataTable
          query={found}
          columns={columns}
          label="Leads encontrados"
          actions={(lead) => actionsOf(lead, (kind) => setOpen({ kind, lead }))}
          loading="Buscando..."
          errorText="Error al buscar los datos"
          empty="No se guarda nada con esa referencia"
          emptyHint="Revisa que esté completa, con las mismas mayúsculas."
          emptyIcon={ShieldCheck}
        />
      )}
      {open?.kind === 'access' && (
        <AccessDialog lead={open.lead} onClose={close} onOpened={(file) => setOpen({ kind: 'file', file })} />
      )}
      {open?.kind === 'file' && <FileDialog file={open.file} onClose={close} />}
      {open?.kind === 'correct' && <CorrectDialog lead={open.lead} onClose={close} />}
      {open?.kind === 'erase' && <EraseDialog lead={open.lead} onClose={close} />}
    </Page>
  )
}

const countText = (count: number): string =>
  count === FOUND_LIMIT ? `Los ${FOUND_LIMIT} más recientes` : counted(count, 'lead', 'leads')

const actionsOf = (lead: FoundLead, onOpen: (kind: 'access' | 'correct' | 'erase') => void): RowAction[] => [
  viewAction(() => onOpen('access'), { label: `Consultar datos del lead ${lead.id}`, icon: FileDown }),
  editAction(() => onOpen('correct'), { label: `Rectificar datos del lead ${lead.id}` }),
  deleteAction(() => onOpen('erase'), { label: `Suprimir datos del lead ${lead.id}` }),
]

function SearchForm({ busy, onSearch }: { busy: boolean; onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState('')
  const refuse = useRefusal()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() && !refuse(privacy.search)) onSearch(typed.trim())
  }
  return (
    <form onSubmit={submit} className="flex w-full flex-wrap items-center gap-2">
      <div className="field-box w-full sm:w-120">
        <Search aria-hidden className="ml-3 size-4 shrink-0 text-faint" />
        <input
          type="search"
          aria-label="Tracking ID o referencia"
          placeholder="Tracking ID o referencia"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(cutTo(event.target.value, PARAM_LIMIT))}
          className="min-h-[2.125rem] w-full min-w-0 bg-transparent pr-3 outline-none"
        />
      </div>
      <Button
        type="submit"
        variant="primary"
        busy={busy}
        busyText="Buscando..."
        disabledReason={refuse(privacy.search)}
      >
        Buscar
      </Button>
    </form>
  )
}
