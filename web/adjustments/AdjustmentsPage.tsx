import { useQuery } from '@tanstack/react-query'
import { CircleHelp, CircleX, Coins, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Adjustment, type AdjustmentPage, adjustments } from '#contract/adjustments.ts'
import { entryKindLabels } from '#contract/commission-entries.ts'
import { affiliateOptionsQuery } from '#web/affiliates/queries.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { useRefusal } from '#web/auth/rights.ts'
import { paths, rowParams } from '#web/paths.ts'
import { Page } from '#web/shell/Page.tsx'
import { EntryBadge } from '#web/states/StateBadges.tsx'
import { isId, pageOf } from '#web/table/address.ts'
import type { Column } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { FilterBar } from '#web/table/FilterBar.tsx'
import { IdFilter } from '#web/table/IdFilter.tsx'
import { PagesFooter } from '#web/table/TableFooter.tsx'
import { useShownPage } from '#web/table/use-shown-page.ts'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Button } from '#web/ui/Button.tsx'
import { Day } from '#web/ui/dates.tsx'
import { counted, formatMoney } from '#web/ui/format.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { FINGER_LINK } from '#web/ui/links.tsx'
import { Money } from '#web/ui/Money.tsx'
import { Select } from '#web/ui/Select.tsx'
import { adjustmentsQuery } from './queries.ts'

const AdjustmentDialog = laterDialog(async () => (await import('./AdjustmentDialog.tsx')).AdjustmentDialog)
const ExplainDialog = laterDialog(async () => (await import('#web/explain/ExplainDialog.tsx')).default)
const VoidDialog = laterDialog(async () => (await import('./VoidDialog.tsx')).VoidDialog)

type Viewer = 'admin' | 'issuer'

const NO_FILTERS = { afiliado: '', tipo: '', pagina: '1' }
type Filters = typeof NO_FILTERS

/** As the call names them; a typed address may hold anything, and what means nothing is left out. */
const asked = ({ afiliado, tipo }: Filters) => ({
  ...(isId(afiliado) && { affiliate_id: afiliado }),
  ...(kinds.some(({ value }) => value === tipo) && tipo !== '' && { kind: tipo }),
})

type Open = { kind: 'create' } | { kind: 'void' | 'explain'; adjustment: Adjustment }

/** What people wrote into the ledger: bonuses, adjustments, and the differences of payments. */
export default function AdjustmentsPage() {
  const viewer = useAuth().user?.role as Viewer
  const [open, setOpen] = useState<Open>()
  const refuse = useRefusal()
  const { filters, change, clear } = useUrlFilters(NO_FILTERS)
  const query = asked(filters)
  const page = pageOf(filters.pagina)
  const list = useQuery(adjustmentsQuery({ ...query, page: String(page), page_size: '50' }))
  const toPage = (next: number) => change({ pagina: String(next) })
  const shown = useShownPage(list.data, toPage)
  const close = () => setOpen(undefined)
  const create = viewer === 'admin' && (
    <Button
      variant="primary"
      icon={Plus}
      onClick={() => setOpen({ kind: 'create' })}
      disabledReason={refuse(adjustments.create)}
    >
      Nuevo movimiento
    </Button>
  )
  return (
    <Page
      title="Bonos y ajustes"
      description="Lo que una persona sumó o restó a las comisiones, y por qué. Entra al pago de su periodo como una comisión más."
      count={list.data && <Sum of={list.data} />}
      action={create}
      filters={
        <FilterBar
          count={Object.keys(query).length}
          onClear={clear}
          found={list.data && counted(list.data.pagination.count, 'movimiento', 'movimientos')}
        >
          <Filters filters={filters} onChange={(changes) => change({ pagina: '1', ...changes })} />
        </FilterBar>
      }
    >
      <DataTable
        query={{ ...list, data: shown?.results }}
        columns={columns[viewer]}
        paged={false}
        loading="Cargando movimientos..."
        errorText="Error al cargar los bonos y ajustes"
        empty="No hay bonos ni ajustes"
        emptyHint="Aquí quedan los bonos, las correcciones y la diferencia de cada pago cuyo monto se capturó a mano."
        emptyIcon={Coins}
        emptyAction={create}
        emptySearch="Ningún movimiento coincide con esos filtros"
        filtered={Object.keys(query).length > 0}
        footer={<PagesFooter pagination={shown?.pagination} busy={list.isFetching} onPage={toPage} />}
        actions={(adjustment) => [
          {
            label: `¿De dónde sale ${nameOf(adjustment)}?`,
            icon: CircleHelp,
            opens: true,
            onClick: () => setOpen({ kind: 'explain', adjustment }),
          },
          ...(viewer === 'admin' && isFree(adjustment)
            ? [
                {
                  label: `Anular ${nameOf(adjustment)}`,
                  icon: CircleX,
                  tone: 'danger' as const,
                  onClick: () => setOpen({ kind: 'void', adjustment }),
                  disabledReason: refuse(adjustments.void),
                },
              ]
            : []),
        ]}
      />
      {open?.kind === 'create' && <AdjustmentDialog onClose={close} />}
      {open?.kind === 'explain' && (
        <ExplainDialog of={{ kind: 'entry', id: open.adjustment.id }} viewer={viewer} onClose={close} />
      )}
      {open?.kind === 'void' && (
        <VoidDialog adjustment={open.adjustment} name={nameOf(open.adjustment)} onClose={close} />
      )}
    </Page>
  )
}

/** Written by a person; not what became of that with its lead. */
const isWritten = ({ kind }: Adjustment): boolean => kind === 'bonus' || kind === 'adjustment'

const isFree = (row: Adjustment): boolean => isWritten(row) && row.state === 'accrued' && row.of_payment === null

/** 'el bono 81' */
const nameOf = (row: Adjustment): string =>
  `el ${isWritten(row) ? entryKindLabels[row.kind].toLowerCase() : 'movimiento'} ${row.id}`

const Sum = ({ of: { pagination, amount } }: { of: AdjustmentPage }) => (
  <span role="status">{`${counted(pagination.count, 'movimiento', 'movimientos')} · ${formatMoney(amount)}`}</span>
)

const kinds = [
  { value: '', label: 'Todos los tipos' },
  ...(['bonus', 'adjustment'] as const).map((value) => ({ value, label: entryKindLabels[value] })),
]

function Filters({ filters, onChange }: { filters: Filters; onChange: (changes: Partial<Filters>) => void }) {
  const affiliates = useQuery(affiliateOptionsQuery())
  return (
    <>
      <IdFilter
        label="Afiliado"
        all="Todos los afiliados"
        options={affiliates.data}
        value={filters.afiliado}
        onChange={(afiliado) => onChange({ afiliado })}
      />
      <Select
        aria-label="Tipo de movimiento"
        options={kinds}
        value={filters.tipo}
        onChange={(tipo) => onChange({ tipo })}
        className="w-full sm:w-48"
      />
    </>
  )
}

const noted = ({ note, reason, state }: Adjustment): string =>
  reason === null ? note : `${note} ${state === 'reversed' ? `Anulado: ${reason}` : reason}`

/** When, by whom and about which product it was written, '¿De dónde sale?' tells. */
const told = (row: Adjustment): string => [noted(row), row.product_name, row.author_name].filter(Boolean).join(' · ')

const typeOf = ({ kind, of_payment }: Adjustment): string =>
  of_payment === null ? entryKindLabels[kind] : `Diferencia del pago ${of_payment}`

const kindColumn: Column<Adjustment> = {
  header: 'Tipo',
  cell: (row) => <span className="narrow:whitespace-normal whitespace-nowrap">{typeOf(row)}</span>,
  title: typeOf,
  brief: typeOf,
  card: 'meta',
}
const affiliateColumn: Column<Adjustment> = {
  header: 'Afiliado',
  cell: (row) => row.affiliate_name,
  card: 'title',
}
const issuerColumn: Column<Adjustment> = {
  header: 'Emisor',
  cell: (row) => row.issuer_name,
  card: 'meta',
}
const paymentLink = (viewer: Viewer, id: number) => (
  <Link
    to={`${paths[viewer].payments}?${rowParams.payment}=${id}`}
    aria-label={`Pago ${id}`}
    className={`${FINGER_LINK} whitespace-nowrap tabular-nums`}
  >
    {id}
  </Link>
)
const paymentColumn = (viewer: Viewer): Column<Adjustment> => ({
  header: 'Pago',
  cell: ({ payment_id }) => (payment_id === null ? '—' : paymentLink(viewer, payment_id)),
  card: 'line',
  brief: ({ payment_id }) => payment_id && paymentLink(viewer, payment_id),
})
const rest = (viewer: Viewer): Column<Adjustment>[] => [
  { header: 'Motivo', cell: noted, title: told, width: 'max-w-64', card: 'line' },
  {
    header: 'Se paga desde',
    cell: (row) => <Day value={row.due_on} missing="Espera aprobación" />,
    secondary: true,
    card: 'line',
  },
  { header: 'Estado', cell: (row) => <EntryBadge state={row.state} />, card: 'chip' },
  paymentColumn(viewer),
  { header: 'Monto', cell: (row) => <Money value={row.amount} />, align: 'right', card: 'amount' },
]

const columns: Record<Viewer, Column<Adjustment>[]> = {
  admin: [kindColumn, affiliateColumn, issuerColumn, ...rest('admin')],
  issuer: [kindColumn, affiliateColumn, ...rest('issuer')],
}
