import { useQuery } from '@tanstack/react-query'
import { Mail, Plus, UserCheck, Users, UserX } from 'lucide-react'
import { useState } from 'react'
import { dutyLabels } from '#contract/duties.ts'
import { CLOSED_BY_NETWORK, PEOPLE_FULL, PEOPLE_MAX, type Person, people } from '#contract/people.ts'
import { isInvitation } from '#web/access-links/invitation.ts'
import { ApiError } from '#web/api/errors.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { useRefusal } from '#web/auth/rights.ts'
import { Page } from '#web/shell/Page.tsx'
import { type Column, editAction, type RowAction, refused } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { DayTime } from '#web/ui/dates.tsx'
import { Email } from '#web/ui/Email.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { counted } from '#web/ui/format.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { UserStatusBadge } from '#web/users/badges.tsx'
import { peopleQuery } from './queries.ts'

const InviteDialog = laterDialog(async () => (await import('./PersonDialogs.tsx')).InviteDialog)
const InviteAgainDialog = laterDialog(async () => (await import('./PersonDialogs.tsx')).InviteAgainDialog)
const DutyDialog = laterDialog(async () => (await import('./PersonDialogs.tsx')).DutyDialog)
const StatusDialog = laterDialog(async () => (await import('./PersonDialogs.tsx')).StatusDialog)

const columns: Column<Person>[] = [
  {
    header: 'Nombre',
    cell: ({ full_name }) => <span className="font-medium">{full_name}</span>,
    title: ({ full_name }) => full_name,
    sort: ({ full_name }) => full_name,
    width: 'max-w-56',
    card: 'title',
  },
  {
    header: 'Email',
    cell: ({ email }) => <Email value={email} />,
    title: ({ email }) => email,
    sort: ({ email }) => email,
    width: 'max-w-64',
    card: 'meta',
    brief: ({ email }) => email,
  },
  {
    header: 'Perfil',
    cell: ({ duty }) => dutyLabels[duty],
    sort: ({ duty }) => dutyLabels[duty],
    card: 'line',
  },
  {
    header: 'Último acceso',
    cell: ({ last_login }) => <DayTime value={last_login} missing="Nunca" />,
    sort: ({ last_login }) => last_login,
    card: 'line',
  },
  {
    header: 'Dos pasos',
    cell: ({ second_factor }) => (second_factor ? 'Sí' : 'No'),
    sort: ({ second_factor }) => Number(second_factor),
    card: 'line',
  },
  { header: 'Estado', cell: (person) => <State person={person} />, card: 'chip' },
]

const State = ({ person }: { person: Person }) =>
  person.user_status === 'active' && isInvitation(person) ? (
    <Badge tone="info">Invitado</Badge>
  ) : (
    <UserStatusBadge status={person.user_status} />
  )

type Open = { kind: 'invite' } | { kind: 'again' | 'duty' | 'status'; person: Person }

const OWN = 'Es tu propio usuario: solo otro Responsable puede cambiarlo'

/** The people of the own company, for those of them who answer for it. */
export default function PeoplePage() {
  const { user } = useAuth()
  const [open, setOpen] = useState<Open>()
  const list = useQuery(peopleQuery())
  const close = () => setOpen(undefined)
  const isFull = (list.data?.length ?? 0) >= PEOPLE_MAX
  const refusal = useRefusal()(people.create)
  const closed = list.error instanceof ApiError && list.error.status === 403 ? list.error.message : undefined
  const invite = (
    <Button
      variant="primary"
      icon={Plus}
      onClick={() => setOpen({ kind: 'invite' })}
      disabledReason={refusal ?? (isFull ? PEOPLE_FULL : undefined)}
    >
      Invitar a una persona
    </Button>
  )
  const actions = (person: Person): RowAction[] => {
    const isOwn = person.id === user?.id
    const isActive = person.user_status === 'active'
    const isClosed = !isActive && !person.suspended_by_company
    return [
      editAction(() => setOpen({ kind: 'duty', person }), {
        label: `Cambiar el perfil de ${person.full_name}`,
        disabledReason: isOwn ? OWN : undefined,
      }),
      ...(isActive && isInvitation(person)
        ? [
            {
              label: `Repetir la invitación a ${person.full_name}`,
              icon: Mail,
              onClick: () => setOpen({ kind: 'again', person }),
            },
          ]
        : []),
      {
        label: `${isActive ? 'Suspender' : 'Reactivar'} a ${person.full_name}`,
        icon: isActive ? UserX : UserCheck,
        ...(isActive && { tone: 'danger' as const }),
        onClick: () => setOpen({ kind: 'status', person }),
        disabledReason: isOwn ? OWN : isClosed ? CLOSED_BY_NETWORK : undefined,
      },
    ]
  }
  return (
    <Page
      title="Personas"
      description="Quiénes entran a Afluente por tu empresa y qué puede cambiar cada quien."
      count={list.data && counted(list.data.length, 'persona', 'personas')}
      action={!closed && invite}
    >
      {closed ? (
        <EmptyState icon={Users} text={closed} />
      ) : (
        <DataTable
          query={list}
          columns={columns}
          loading="Cargando personas..."
          errorText="Error al cargar las personas"
          empty="Nadie tiene cuenta en la empresa"
          emptyIcon={Users}
          actions={(person) => refused(actions(person), refusal)}
        />
      )}
      {open?.kind === 'invite' && <InviteDialog onClose={close} />}
      {open?.kind === 'again' && <InviteAgainDialog person={open.person} onClose={close} />}
      {open?.kind === 'duty' && <DutyDialog person={open.person} onClose={close} />}
      {open?.kind === 'status' && <StatusDialog person={open.person} onClose={close} />}
    </Page>
  )
}
