import { useQuery } from '@tanstack/react-query'
import { Handshake, Plus } from 'lucide-react'
import { useCallback, useState } from 'react'
import { exports } from '#contract/exports.ts'
import { type Relationship, relationships } from '#contract/relationships.ts'
import { affiliateOptionsQuery } from '#web/affiliates/queries.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { issuerOptionsQuery } from '#web/issuers/queries.ts'
import { Page } from '#web/shell/Page.tsx'
import { type Column, deleteAction, editAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { FilterBar } from '#web/table/FilterBar.tsx'
import { IdFilter } from '#web/table/IdFilter.tsx'
import { SearchField } from '#web/table/SearchField.tsx'
import { type StatusChange, statusActions } from '#web/table/status-actions.ts'
import { useSelection } from '#web/table/use-selection.ts'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Button } from '#web/ui/Button.tsx'
import { Company } from '#web/ui/Company.tsx'
import { LongDay } from '#web/ui/dates.tsx'
import { counted, cutAt } from '#web/ui/format.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { RemoveDialog } from '#web/ui/RemoveDialog.tsx'
import { nameOf, relationshipNouns } from './names.ts'
import { affiliatesOf, issuersOf, NO_FILTERS, passes, type RelationshipFilterTexts } from './narrowing.ts'
import { relationshipsQuery, useRemoveRelationship } from './queries.ts'
import { RelationshipBalance } from './RelationshipBalance.tsx'
import { InactiveBadge } from './status.tsx'

const RelationshipCreateDialog = laterDialog(
  async () => (await import('./RelationshipDialogs.tsx')).RelationshipCreateDialog,
)
const RelationshipEditDialog = laterDialog(
  async () => (await import('./RelationshipDialogs.tsx')).RelationshipEditDialog,
)
const RelationshipStatusDialog = laterDialog(
  async () => (await import('./RelationshipStatusDialog.tsx')).RelationshipStatusDialog,
)

const PREVIEW = 50

const columns: Column<Relationship>[] = [
  {
    header: 'Afiliado',
    cell: (row) => (
      <span className="inline-flex max-w-full items-center gap-2 font-medium">
        <Company name={row.affiliate_name} />
        <InactiveBadge status={row.relationship_status} />
      </span>
    ),
    title: (row) => row.affiliate_name,
    sort: (row) => row.affiliate_name,
    card: 'title',
    brief: (row) => (
      <>
        {row.affiliate_name} <InactiveBadge status={row.relationship_status} />
      </>
    ),
  },
  { header: 'Emisor', cell: (row) => <Company name={row.issuer_name} />, sort: (row) => row.issuer_name, card: 'meta' },
  {
    header: 'Notas',
    cell: (row) => (row.notes ? cutAt(row.notes, PREVIEW) : <span className="text-muted">—</span>),
    title: (row) => row.notes,
    wrap: true,
  },
  {
    header: 'Creado',
    cell: (row) => <LongDay value={row.created_at} />,
    sort: (row) => row.created_at,
    secondary: true,
  },
]

type Open =
  | { kind: 'create' }
  | { kind: 'edit' | 'delete'; relationship: Relationship }
  | { kind: 'status'; changed: StatusChange<Relationship> }

export default function AdminRelationshipsPage() {
  const [open, setOpen] = useState<Open>()
  const list = useQuery(relationshipsQuery())
  const { filters, change, clear, count, active } = useUrlFilters(NO_FILTERS)
  const selection = useSelection()
  const refuse = useRefusal()
  const close = () => setOpen(undefined)
  const shown = useCallback((row: Relationship) => passes(row, filters), [filters])
  const found = list.data && counted(list.data.filter(shown).length, 'relación', 'relaciones')
  const create = (
    <Button
      variant="primary"
      icon={Plus}
      onClick={() => setOpen({ kind: 'create' })}
      disabledReason={refuse(relationships.create)}
    >
      Nueva Relación
    </Button>
  )
  return (
    <Page
      title="Relaciones Afiliado-Emisor"
      description="Quién promueve los productos de quién. Sin relación activa no hay enlaces; lo ya ganado se paga como finiquito."
      count={found}
      action={
        <>
          <ExportMenu
            of={exports.relationships}
            query={{ search: filters.q, affiliate_id: filters.afiliado, issuer_id: filters.emisor }}
          />
          {create}
        </>
      }
      filters={
        <FilterBar
          search={
            <SearchField
              value={filters.q}
              onChange={(q) => change({ q })}
              placeholder="Buscar por afiliado, emisor o notas..."
            />
          }
          count={count}
          onClear={clear}
          found={found}
        >
          <PairFilters filters={filters} rows={list.data ?? []} onChange={change} />
        </FilterBar>
      }
    >
      <DataTable
        query={list}
        columns={columns}
        own
        filter={active ? shown : undefined}
        selects={{
          selection,
          nouns: relationshipNouns,
          name: nameOf,
          exports: exports.relationships,
          actions: statusActions<Relationship>(
            (changed) => setOpen({ kind: 'status', changed }),
            refuse(relationships.setStatus),
          ),
        }}
        loading="Cargando relaciones..."
        errorText="Error al cargar las relaciones"
        empty="No se encontraron relaciones"
        emptyHint="Relaciona un afiliado con un emisor para que pueda promover sus productos."
        emptyIcon={Handshake}
        emptyAction={create}
        emptySearch="No se encontraron resultados para la búsqueda"
        actions={(relationship) => [
          editAction(() => setOpen({ kind: 'edit', relationship }), { label: `Editar ${nameOf(relationship)}` }),
          deleteAction(() => setOpen({ kind: 'delete', relationship }), {
            label: `Eliminar ${nameOf(relationship)}`,
            disabledReason: refuse(relationships.remove),
          }),
        ]}
        actionsOf={(relationship) => `de ${nameOf(relationship)}`}
      />
      {open?.kind === 'create' && <RelationshipCreateDialog onClose={close} />}
      {open?.kind === 'edit' && <RelationshipEditDialog relationship={open.relationship} onClose={close} />}
      {open?.kind === 'status' && <RelationshipStatusDialog {...open.changed} selection={selection} onClose={close} />}
      {open?.kind === 'delete' && <RelationshipRemoveDialog relationship={open.relationship} onClose={close} />}
    </Page>
  )
}

interface PairFiltersProps {
  filters: RelationshipFilterTexts
  rows: readonly Relationship[]
  onChange: (changes: Partial<RelationshipFilterTexts>) => void
}

function PairFilters({ filters: { afiliado, emisor }, rows, onChange }: PairFiltersProps) {
  const affiliates = useQuery(affiliateOptionsQuery())
  const issuers = useQuery(issuerOptionsQuery())
  return (
    <>
      <IdFilter
        label="Filtrar por afiliado"
        all="Todos los afiliados"
        options={affiliatesOf(affiliates.data ?? [], rows, emisor)}
        value={afiliado}
        onChange={(afiliado) => onChange({ afiliado })}
        className="w-full sm:w-56"
      />
      <IdFilter
        label="Filtrar por emisor"
        all="Todos los emisores"
        options={issuersOf(issuers.data ?? [], rows, afiliado)}
        value={emisor}
        onChange={(emisor) => onChange({ emisor })}
        className="w-full sm:w-56"
      />
    </>
  )
}

const RelationshipRemoveDialog = ({ relationship, onClose }: { relationship: Relationship; onClose: () => void }) => (
  <RemoveDialog remove={useRemoveRelationship()} id={relationship.id} onClose={onClose}>
    Se eliminará la relación entre <strong className="text-ink">{relationship.affiliate_name}</strong> y{' '}
    <strong className="text-ink">{relationship.issuer_name}</strong>: sus enlaces dejan de funcionar y sus comisiones se
    van con ella. Los leads y los pagos se conservan; si se vuelve a crear, los enlaces publicados funcionan de nuevo.
    <RelationshipBalance ids={[relationship.id]} />
  </RemoveDialog>
)
