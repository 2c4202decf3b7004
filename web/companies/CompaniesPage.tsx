import { KeyRound, Plus, UserCog } from 'lucide-react'
import { useCallback, useState } from 'react'
import { exports } from '#contract/exports.ts'
import { statusLabels } from '#contract/fields.ts'
import { users } from '#contract/users.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { Page } from '#web/shell/Page.tsx'
import { type Column, deleteAction, editAction, type RowAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { SearchField } from '#web/table/SearchField.tsx'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Company as CompanyName } from '#web/ui/Company.tsx'
import { LongDay } from '#web/ui/dates.tsx'
import { Email } from '#web/ui/Email.tsx'
import { counted } from '#web/ui/format.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { matches } from '#web/ui/matches.ts'
import type { Company, CompanyKind } from './company-kind.ts'

const UserCreateDialog = laterDialog(async () => (await import('#web/users/UserDialogs.tsx')).UserCreateDialog)
const UserEditByIdDialog = laterDialog(async () => (await import('#web/users/UserDialogs.tsx')).UserEditByIdDialog)
const CompanyAccessDialog = laterDialog(async () => (await import('./CompanyAccessDialog.tsx')).CompanyAccessDialog)
const CompanyCreateDialog = laterDialog(async () => (await import('./CompanyDialogs.tsx')).CompanyCreateDialog)
const CompanyEditDialog = laterDialog(async () => (await import('./CompanyDialogs.tsx')).CompanyEditDialog)
const CompanyRemoveDialog = laterDialog(async () => (await import('./CompanyRemoveDialog.tsx')).CompanyRemoveDialog)

const columns: Column<Company>[] = [
  {
    header: 'Empresa',
    cell: (company) => <NameAndUser company={company} />,
    sort: (company) => company.company_name,
    card: 'title',
    brief: (company) => (
      <>
        {company.company_name} {company.user_status !== 'active' && <Badge>{statusLabels[company.user_status]}</Badge>}
      </>
    ),
    width: 'max-w-96 roomy:max-w-136',
  },
  {
    header: 'RFC',
    cell: (company) => <span className="whitespace-nowrap tabular-nums">{company.rfc}</span>,
    sort: (company) => company.rfc,
    card: 'meta',
  },
  {
    header: 'Email',
    cell: (company) => <Email value={company.contact_email} />,
    title: (company) => company.contact_email,
    sort: (company) => company.contact_email,
    card: 'meta',
    brief: (company) => company.contact_email,
    wrap: true,
  },
  {
    header: 'Fecha de Creación',
    cell: (company) => <LongDay value={company.created_at} />,
    sort: (company) => company.created_at,
    secondary: true,
  },
]

function NameAndUser({ company }: { company: Company }) {
  const admin = company.users?.[0]
  const user = admin ? `${admin.full_name} · ${admin.email}` : 'Sin usuario administrador'
  return (
    <span className="flex min-w-0 items-center gap-2 narrow:grid narrow:justify-items-end narrow:gap-0">
      <span className="flex max-w-full min-w-0 shrink-0 items-center gap-2 font-medium narrow:shrink">
        <CompanyName name={company.company_name} className="max-w-80 narrow:max-w-none" />
        {company.user_status !== 'active' && <Badge>{statusLabels[company.user_status]}</Badge>}
      </span>
      <span
        className="line-clamp-1 text-xs break-all text-muted narrow:line-clamp-none narrow:[word-break:normal] narrow:wrap-anywhere"
        title={user}
      >
        {user}
      </span>
    </span>
  )
}

const NO_FILTERS = { q: '' }

type Open = { kind: 'create' } | { kind: 'edit' | 'delete' | 'user' | 'access'; company: Company }

export function CompaniesPage({ kind }: { kind: CompanyKind }) {
  const { texts, icon } = kind
  const [open, setOpen] = useState<Open>()
  const list = kind.useList()
  const refuse = useRefusal()
  const { filters, change, active } = useUrlFilters(NO_FILTERS)
  const shown = useCallback(
    (company: Company) => matches(filters.q, [company.company_name, company.rfc, company.contact_email]),
    [filters],
  )
  const create = (
    // With its first person.
    <Button
      variant="primary"
      icon={Plus}
      onClick={() => setOpen({ kind: 'create' })}
      disabledReason={refuse(users.create)}
    >
      {texts.create}
    </Button>
  )
  const actions = (company: Company): RowAction[] => [
    {
      label: `${company.users?.length ? 'Editar' : 'Crear'} usuario administrador de ${company.company_name}`,
      icon: UserCog,
      onClick: () => setOpen({ kind: 'user', company }),
      disabledReason: company.users?.length ? undefined : refuse(users.create),
    },
    {
      label: `Claves y accesos de ${company.company_name}`,
      icon: KeyRound,
      onClick: () => setOpen({ kind: 'access', company }),
    },
    editAction(() => setOpen({ kind: 'edit', company }), { label: `Editar ${company.company_name}` }),
    deleteAction(() => setOpen({ kind: 'delete', company }), {
      label: `Eliminar ${company.company_name}`,
      disabledReason: refuse(kind.calls.remove),
    }),
  ]
  return (
    <Page
      title={texts.title}
      description={texts.description}
      count={list.data && counted(list.data.filter(shown).length, texts.one, texts.many)}
      action={
        <>
          <ExportMenu
            of={exports[kind.role === 'affiliate' ? 'affiliates' : 'issuers']}
            query={{ search: filters.q }}
          />
          {create}
        </>
      }
      filters={
        <SearchField
          value={filters.q}
          onChange={(q) => change({ q })}
          placeholder="Buscar por nombre, email o RFC..."
        />
      }
    >
      <DataTable
        query={list}
        columns={columns}
        own
        filter={active ? shown : undefined}
        loading={texts.loading}
        errorText={texts.failed}
        empty={texts.empty}
        emptyHint={texts.emptyHint}
        emptyIcon={icon}
        emptyAction={create}
        emptySearch="No se encontraron resultados para la búsqueda"
        actions={actions}
        actionsOf={(company) => `de ${company.company_name}`}
      />
      <OpenDialog kind={kind} open={open} onClose={() => setOpen(undefined)} />
    </Page>
  )
}

interface OpenDialogProps {
  kind: CompanyKind
  open: Open | undefined
  onClose: () => void
}

function OpenDialog({ kind, open, onClose }: OpenDialogProps) {
  switch (open?.kind) {
    case undefined:
      return null
    case 'create':
      return <CompanyCreateDialog kind={kind} onClose={onClose} />
    case 'edit':
      return <CompanyEditDialog kind={kind} company={open.company} onClose={onClose} />
    case 'delete':
      return <CompanyRemoveDialog kind={kind} company={open.company} onClose={onClose} />
    case 'access':
      return (
        <CompanyAccessDialog
          owner={{ noun: kind.role, id: open.company.id }}
          company={open.company}
          onClose={onClose}
        />
      )
    case 'user':
      return <AdminUserDialog kind={kind} company={open.company} onClose={onClose} />
  }
}

/** The dialogs of Usuarios: to edit the company's first user, or to create it where there is none. */
function AdminUserDialog({ kind: { role }, company, onClose }: Omit<OpenDialogProps, 'open'> & { company: Company }) {
  const id = company.users?.[0]?.id
  if (id !== undefined) return <UserEditByIdDialog id={id} onClose={onClose} />
  return <UserCreateDialog initial={{ role, [`${role}_id`]: company.id }} onClose={onClose} />
}
