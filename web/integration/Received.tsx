import { useQuery } from '@tanstack/react-query'
import { RefreshCw, Webhook } from 'lucide-react'
import { useCallback, useId, useState } from 'react'
import { Link } from 'react-router'
import { type ReceivedPostback, verdictLabels } from '#contract/integration.ts'
import { wordName } from '#contract/words.ts'
import { paths, rowParams } from '#web/paths.ts'
import { type Column, viewAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { Copyable } from '#web/ui/CopyButton.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DayTime, LongDayTime, RelativeTime } from '#web/ui/dates.tsx'
import { FINGER_LINK } from '#web/ui/links.tsx'
import { Select } from '#web/ui/Select.tsx'
import { receivedQuery } from './queries.ts'
import { CodeName, VerdictBadge } from './TestEvent.tsx'

const Nothing = () => <span className="text-muted">—</span>

const columns: Column<ReceivedPostback>[] = [
  { header: 'Fecha', cell: (row) => <DayTime value={row.created_at} />, card: 'meta' },
  {
    header: 'Resultado',
    cell: (row) => (
      <span className="inline-flex gap-1.5">
        <VerdictBadge verdict={row.verdict} />
        {row.test && <Badge>Prueba</Badge>}
        {row.warnings.length > 0 && <Badge tone="info">Revisar</Badge>}
      </span>
    ),
    card: 'chip',
  },
  {
    header: 'Código',
    cell: (row) => <span className="whitespace-nowrap">{wordName('code', row.code)}</span>,
    title: (row) => row.message ?? row.code,
    card: 'title',
  },
  { header: 'Paso', cell: (row) => row.step ?? <Nothing />, width: 'max-w-48', card: 'meta' },
  { header: 'Tracking ID', cell: (row) => row.tracking_id ?? <Nothing />, width: 'max-w-36' },
  { header: 'External ID', cell: (row) => row.external_id ?? <Nothing />, width: 'max-w-36' },
  { header: 'Red de origen', cell: (row) => row.sent_from ?? <Nothing />, width: 'max-w-36', secondary: true },
  { header: 'Event ID', cell: (row) => row.event_id ?? <Nothing />, width: 'max-w-36', secondary: true },
]

const ALL = 'todos'
const NO_FILTERS = { veredicto: ALL }
const verdictOptions = [
  { value: ALL, label: 'Todos los resultados' },
  ...Object.entries(verdictLabels).map(([value, label]) => ({ value, label })),
]

/** The latest postbacks of the issuer's systems and our answers. */
export function Received() {
  const titleId = useId()
  const [open, setOpen] = useState<ReceivedPostback>()
  const { filters, change } = useUrlFilters(NO_FILTERS)
  const list = useQuery(receivedQuery())
  const { veredicto } = filters
  const filter = useCallback((row: ReceivedPostback) => veredicto === ALL || row.verdict === veredicto, [veredicto])
  return (
    <section aria-labelledby={titleId}>
      <header className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">
          <h2 id={titleId} className="text-base font-semibold">
            Últimos postbacks recibidos
          </h2>
          <p className="mt-0.5 text-muted">
            Los últimos cien que llegaron con tu API key o tu token, con lo que se les respondió.
          </p>
        </div>
        <div className="flex w-full flex-wrap gap-2 sm:w-auto">
          <Select
            aria-label="Resultado"
            options={verdictOptions}
            value={veredicto}
            onChange={(chosen) => change({ veredicto: chosen })}
            className="w-full sm:w-52"
          />
          <Button
            icon={RefreshCw}
            onClick={() => void list.refetch()}
            busy={list.isFetching}
            busyText="Actualizando..."
          >
            Actualizar
          </Button>
        </div>
      </header>
      <DataTable
        query={list}
        columns={columns}
        label="Últimos postbacks recibidos"
        rowKey={({ key }) => key}
        filter={filter}
        filtered={false}
        loading="Cargando postbacks..."
        errorText="Error al cargar los postbacks recibidos"
        empty="Todavía no ha llegado ningún postback"
        emptyHint="Ejecuta el código de arriba: su prueba aparecerá aquí."
        emptyIcon={Webhook}
        emptySearch="Ningún postback tiene ese resultado"
        actions={(row) => [viewAction(() => setOpen(row), { label: `Ver postback ${row.event_id ?? row.key}` })]}
      />
      {open && <ReceivedDialog row={open} onClose={() => setOpen(undefined)} />}
    </section>
  )
}

function ReceivedDialog({ row, onClose }: { row: ReceivedPostback; onClose: () => void }) {
  return (
    <Dialog title="Postback recibido" onClose={onClose} footer={<Button onClick={onClose}>Cerrar</Button>}>
      <Facts className="pt-2">
        <Fact label="Resultado">
          <span className="inline-flex gap-1.5">
            <VerdictBadge verdict={row.verdict} />
            {row.test && <Badge>Prueba</Badge>}
          </span>
        </Fact>
        <Fact label="Código">
          <CodeName code={row.code} />
        </Fact>
        {row.message && (
          <Fact label="Motivo" wide>
            {row.message}
          </Fact>
        )}
        {row.warnings.map((warning) => (
          <Fact key={warning} label="Por revisar" wide>
            {wordName('code', warning)}
          </Fact>
        ))}
        <Fact label="Fecha y hora">
          <LongDayTime value={row.created_at} /> <RelativeTime value={row.created_at} />
        </Fact>
        <Fact label="Fuente">{wordName('source', row.source)}</Fact>
        <Fact label="Red de origen">{row.sent_from ?? <Nothing />}</Fact>
        <Fact label="Producto">{row.product_name ?? <Nothing />}</Fact>
        <Fact label="Paso">{row.step ?? <Nothing />}</Fact>
        <Fact label="Tracking ID" wide>
          <Id text={row.tracking_id} label="Tracking ID" />
        </Fact>
        <Fact label="Lead">{row.lead === null ? <Nothing /> : <LeadLink id={row.lead} />}</Fact>
        <Fact label="External ID">
          <Id text={row.external_id} label="External ID" />
        </Fact>
        <Fact label="Event ID">
          <Id text={row.event_id} label="Event ID" />
        </Fact>
      </Facts>
    </Dialog>
  )
}

const LeadLink = ({ id }: { id: number }) => (
  <Link
    to={`${paths.issuer.leads}?${rowParams.lead}=${id}`}
    aria-label={`Lead ${id}`}
    className={`${FINGER_LINK} tabular-nums`}
  >
    {id}
  </Link>
)

const Id = ({ text, label }: { text: string | null; label: string }) =>
  text === null ? (
    <Nothing />
  ) : (
    <Copyable
      text={text}
      label={`Copiar ${label}`}
      copied="Información copiada al portapapeles"
      failed="Error al copiar la información"
    />
  )
