import { useQuery } from '@tanstack/react-query'
import { Building2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { exports } from '#contract/exports.ts'
import type { Issuer } from '#contract/issuers.ts'
import { Page } from '#web/shell/Page.tsx'
import { type Column, viewAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { SearchField } from '#web/table/SearchField.tsx'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Button } from '#web/ui/Button.tsx'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { LongDay } from '#web/ui/dates.tsx'
import { counted, MISSING } from '#web/ui/format.ts'
import { MailLink, PhoneLink, WebLink } from '#web/ui/links.tsx'
import { matches } from '#web/ui/matches.ts'
import { issuersQuery } from './queries.ts'

const columns: Column<Issuer>[] = [
  {
    header: 'Empresa',
    cell: (issuer) => <span className="font-medium">{issuer.company_name}</span>,
    title: (issuer) => issuer.company_name,
    sort: (issuer) => issuer.company_name,
    width: 'max-w-80',
    card: 'title',
  },
  { header: 'Contacto', cell: (issuer) => issuer.contact_name, sort: (issuer) => issuer.contact_name, card: 'meta' },
  {
    header: 'Email',
    cell: (issuer) => <MailLink address={issuer.contact_email} />,
    title: (issuer) => issuer.contact_email,
    sort: (issuer) => issuer.contact_email,
  },
  { header: 'Teléfono', cell: (issuer) => <PhoneLink phone={issuer.contact_phone} /> },
]

const NO_FILTERS = { q: '' }

export default function AffiliateIssuersPage() {
  const [open, setOpen] = useState<Issuer>()
  const list = useQuery(issuersQuery())
  const { filters, change, active } = useUrlFilters(NO_FILTERS)
  const shown = useCallback((issuer: Issuer) => matches(filters.q, [issuer.company_name]), [filters])
  return (
    <Page
      title="Emisores"
      description="Las empresas cuyos productos puedes promover y a quién contactar en cada una."
      count={list.data && counted(list.data.filter(shown).length, 'emisor', 'emisores')}
      action={<ExportMenu of={exports.issuers} query={{ search: filters.q }} />}
      filters={<SearchField value={filters.q} onChange={(q) => change({ q })} placeholder="Buscar por empresa..." />}
    >
      <DataTable
        query={list}
        columns={columns}
        own
        initialSort={{ header: 'Empresa' }}
        filter={active ? shown : undefined}
        loading="Cargando emisores..."
        errorText="Error al cargar los emisores"
        empty="No hay emisores asociados"
        emptyHint="Contacta al administrador para que te relacione con un emisor."
        emptyIcon={Building2}
        emptySearch="No se encontraron emisores que coincidan con la búsqueda"
        actions={(issuer) => [viewAction(() => setOpen(issuer), { label: `Ver ${issuer.company_name}` })]}
      />
      {open && <IssuerDialog issuer={open} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}

const IssuerDialog = ({ issuer, onClose }: { issuer: Issuer; onClose: () => void }) => (
  <Dialog title={issuer.company_name} size="lg" onClose={onClose} footer={<Button onClick={onClose}>Cerrar</Button>}>
    <Facts className="pt-2">
      <Fact label="ID">{issuer.id}</Fact>
      <Fact label="RFC">{issuer.rfc}</Fact>
      <Fact label="Empresa" wide>
        {issuer.company_name}
      </Fact>
      <Fact label="Dirección" wide>
        {issuer.address || MISSING}
      </Fact>
      {issuer.url && (
        <Fact label="URL" wide>
          <WebLink url={issuer.url} />
        </Fact>
      )}
      <Fact label="Nombre de contacto">{issuer.contact_name}</Fact>
      <Fact label="Teléfono">
        <PhoneLink phone={issuer.contact_phone} />
      </Fact>
      <Fact label="Email de contacto">
        <MailLink address={issuer.contact_email} />
      </Fact>
      <Fact label="Fecha de Registro">
        <LongDay value={issuer.created_at} />
      </Fact>
    </Facts>
  </Dialog>
)
