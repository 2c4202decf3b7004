import { useQuery } from '@tanstack/react-query'
import { Eye, KeyRound, LogOut, Mail, Plus, Users } from 'lucide-react'
import { useCallback, useState } from 'react'
import { exports } from '#contract/exports.ts'
import { SELF_ACTION, SELF_PASSWORD, type User, users } from '#contract/users.ts'
import { NOT_AS_ADMIN } from '#contract/view-as.ts'
import { isInvitation } from '#web/access-links/invitation.ts'
import { LinkRequests } from '#web/access-links/LinkRequests.tsx'
import { useAuth } from '#web/auth/auth-context.tsx'
import { useRefusal } from '#web/auth/rights.ts'
import { Page } from '#web/shell/Page.tsx'
import { type Column, deleteAction, editAction, type RowAction, refused } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { FilterBar } from '#web/table/FilterBar.tsx'
import { SearchField } from '#web/table/SearchField.tsx'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Button } from '#web/ui/Button.tsx'
import { Company } from '#web/ui/Company.tsx'
import { Day, LongDay } from '#web/ui/dates.tsx'
import { Email } from '#web/ui/Email.tsx'
import { counted, formatDate, formatRelative } from '#web/ui/format.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { RoleBadge, UserStatusBadge } from './badges.tsx'
import { exportOf, NO_FILTERS, passes } from './filters.ts'
import { usersQuery } from './queries.ts'
import { UserFilters } from './UserFilters.tsx'

const GiveLinkDialog = laterDialog(async () => (await import('#web/access-links/LinkDialogs.tsx')).GiveLinkDialog)
const EndSessionsDialog = laterDialog(async () => (await import('./UserActionDialogs.tsx')).EndSessionsDialog)
const ResetPasswordDialog = laterDialog(async () => (await import('./UserActionDialogs.tsx')).ResetPasswordDialog)
const ViewAsDialog = laterDialog(async () => (await import('./UserActionDialogs.tsx')).ViewAsDialog)
const UserRemoveDialog = laterDialog(async () => (await import('./UserActionDialogs.tsx')).UserRemoveDialog)
const UserCreateDialog = laterDialog(async () => (await import('./UserDialogs.tsx')).UserCreateDialog)
const UserEditDialog = laterDialog(async () => (await import('./UserDialogs.tsx')).UserEditDialog)

const columns: Column<User>[] = [
  {
    header: 'Nombre',
    cell: (user) => (
      <span className="flex items-center gap-x-2 font-medium narrow:flex-wrap narrow:justify-end">
        <span className="line-clamp-2 min-w-20 middling:line-clamp-3 narrow:line-clamp-none narrow:min-w-0 wrap-anywhere">
          {user.full_name}
        </span>
        {user.user_status !== 'active' && <UserStatusBadge status={user.user_status} />}
      </span>
    ),
    title: (user) => user.full_name,
    sort: (user) => user.full_name,
    card: 'title',
    brief: (user) => (
      <>
        {user.full_name} {user.user_status !== 'active' && <UserStatusBadge status={user.user_status} />}
      </>
    ),
    wrap: true,
  },
  {
    header: 'Email',
    cell: (user) => <Email value={user.email} />,
    title: (user) => user.email,
    sort: (user) => user.email,
    card: 'meta',
    brief: (user) => user.email,
    wrap: true,
  },
  { header: 'Rol', cell: (user) => <RoleBadge role={user.role} />, sort: (user) => user.role, card: 'chip' },
  {
    header: 'Asociación',
    cell: (user) => <Association user={user} />,
    title: (user) => user.affiliate_name ?? user.issuer_name ?? '',
    sort: (user) => user.affiliate_name ?? user.issuer_name,
    wrap: true,
  },
  {
    header: 'Fecha de Creación',
    cell: (user) => <LongDay value={user.created_at} />,
    sort: (user) => user.created_at,
    wrap: true,
    secondary: true,
  },
  {
    header: 'Último acceso',
    cell: (user) => <LastLogin value={user.last_login} />,
    sort: (user) => user.last_login,
    wideOnly: true,
  },
]

function Association({ user }: { user: User }) {
  const company = user.affiliate_name ?? user.issuer_name
  return company ? (
    <Company name={company} className="min-w-24 narrow:min-w-0" />
  ) : (
    <span className="text-muted">Sin asociación</span>
  )
}

function LastLogin({ value }: { value: string | null }) {
  if (!value) return <Day value={value} />
  const exact = formatDate(value, 'longDayTime') ?? value
  return (
    <Tooltip text={`${exact} (${formatRelative(value) ?? 'fecha no disponible'})`}>
      <span>
        <Day value={value} />
      </span>
    </Tooltip>
  )
}

const INACTIVE = 'El usuario no está activo'

type Open = { kind: 'create' } | { kind: 'edit' | 'delete' | 'link' | 'password' | 'sessions' | 'view'; user: User }

export default function AdminUsersPage() {
  const [open, setOpen] = useState<Open>()
  const list = useQuery(usersQuery())
  const { user: me } = useAuth()
  // All that is done with a user needs the same duty.
  const refusal = useRefusal()(users.update)
  const { filters, change, clear, count, active } = useUrlFilters(NO_FILTERS)
  const shown = useCallback((user: User) => passes(user, filters), [filters])
  const found = list.data && counted(list.data.filter(shown).length, 'usuario', 'usuarios')
  const create = (
    <Button variant="primary" icon={Plus} onClick={() => setOpen({ kind: 'create' })} disabledReason={refusal}>
      Nuevo Usuario
    </Button>
  )
  const actions = (user: User): RowAction[] => {
    const own = user.id === me?.id
    return [
      editAction(() => setOpen({ kind: 'edit', user }), { label: `Editar ${user.full_name}` }),
      {
        label: `${isInvitation(user) ? 'Enviar invitación' : 'Enviar enlace de acceso'} a ${user.full_name}`,
        icon: Mail,
        onClick: () => setOpen({ kind: 'link', user }),
        disabledReason: user.user_status === 'active' ? undefined : INACTIVE,
      },
      {
        label: `Ver como ${user.full_name}`,
        icon: Eye,
        onClick: () => setOpen({ kind: 'view', user }),
        disabledReason: user.role === 'admin' ? NOT_AS_ADMIN : user.user_status === 'active' ? undefined : INACTIVE,
      },
      {
        label: `Restablecer contraseña de ${user.full_name}`,
        icon: KeyRound,
        onClick: () => setOpen({ kind: 'password', user }),
        disabledReason: own ? SELF_PASSWORD : undefined,
      },
      {
        label: `Cerrar sesiones de ${user.full_name}`,
        icon: LogOut,
        onClick: () => setOpen({ kind: 'sessions', user }),
        disabledReason: own ? 'Cierra las tuyas en Configuración' : undefined,
      },
      deleteAction(() => setOpen({ kind: 'delete', user }), {
        label: `Eliminar ${user.full_name}`,
        disabledReason: own ? SELF_ACTION : undefined,
      }),
    ]
  }
  return (
    <Page
      title="Usuarios"
      description="Las personas que entran a Afluente y lo que cada una puede ver."
      count={found}
      action={
        <>
          <ExportMenu of={exports.users} query={exportOf(filters)} />
          {create}
        </>
      }
      filters={
        <FilterBar
          search={
            <SearchField
              value={filters.q}
              onChange={(q) => change({ q })}
              placeholder="Buscar por nombre, email, rol o asociación..."
              className="sm:w-96"
            />
          }
          count={count}
          onClear={clear}
          found={found}
        >
          <UserFilters filters={filters} onChange={change} />
        </FilterBar>
      }
    >
      <LinkRequests />
      <DataTable
        query={list}
        columns={columns}
        own
        filter={active ? shown : undefined}
        loading="Cargando usuarios..."
        errorText="Error al cargar los usuarios"
        empty="No se encontraron usuarios"
        emptyIcon={Users}
        emptyAction={create}
        emptySearch="No se encontraron resultados para la búsqueda"
        actions={(user) => refused(actions(user), refusal)}
        actionsOf={(user) => `de ${user.full_name}`}
      />
      <OpenDialog open={open} onClose={() => setOpen(undefined)} />
    </Page>
  )
}

function OpenDialog({ open, onClose }: { open: Open | undefined; onClose: () => void }) {
  switch (open?.kind) {
    case undefined:
      return null
    case 'create':
      return <UserCreateDialog onClose={onClose} />
    case 'edit':
      return <UserEditDialog user={open.user} onClose={onClose} />
    case 'delete':
      return <UserRemoveDialog user={open.user} onClose={onClose} />
    case 'link':
      return <GiveLinkDialog user={open.user} onClose={onClose} />
    case 'view':
      return <ViewAsDialog user={open.user} onClose={onClose} />
    case 'password':
      return <ResetPasswordDialog user={open.user} onClose={onClose} />
    case 'sessions':
      return <EndSessionsDialog user={open.user} onClose={onClose} />
  }
}
