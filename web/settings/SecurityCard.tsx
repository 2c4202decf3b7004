import { useQuery } from '@tanstack/react-query'
import { KeyRound, MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { auth, type Session } from '#contract/auth.ts'
import { deviceOf } from '#contract/device.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { LongDayTime, RelativeTime } from '#web/ui/dates.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { laterDialog } from '#web/ui/later.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ownSessionsQuery, useEndOwnSession } from './queries.ts'

const PasswordDialog = laterDialog(async () => (await import('./PasswordDialog.tsx')).PasswordDialog)

type Open = { kind: 'password' } | { kind: 'end'; session: Session }

/** The viewer's own password and sessions, the same for every role. */
export function SecurityCard() {
  const [open, setOpen] = useState<Open>()
  const refuse = useRefusal()
  const close = () => setOpen(undefined)
  return (
    <Card
      title="Seguridad"
      description="Tu contraseña y los dispositivos en los que tienes una sesión abierta."
      action={
        <Button
          icon={KeyRound}
          onClick={() => setOpen({ kind: 'password' })}
          disabledReason={refuse(auth.changePassword)}
        >
          Cambiar contraseña
        </Button>
      }
    >
      <Sessions onEnd={(session) => setOpen({ kind: 'end', session })} />
      {open?.kind === 'password' && <PasswordDialog onClose={close} />}
      {open?.kind === 'end' && <EndSessionDialog session={open.session} onClose={close} />}
    </Card>
  )
}

function Sessions({ onEnd }: { onEnd: (session: Session) => void }) {
  const sessions = useQuery(ownSessionsQuery())
  if (sessions.data === undefined && sessions.isError)
    return <ErrorState text="No se pudieron cargar tus sesiones" query={sessions} />
  if (sessions.data === undefined)
    return (
      <p role="status" className="grid grid-cols-1">
        <span className="sr-only">Cargando sesiones...</span>
        <span className="flex h-6 items-center">
          <Skeleton className="w-40 max-w-full" />
        </span>
        <span className="flex h-5 items-center">
          <Skeleton className="h-3 w-80 max-w-full" />
        </span>
        <span className="flex h-5 items-center">
          <Skeleton className="h-3 w-96 max-w-full" />
        </span>
      </p>
    )
  return (
    <ul aria-label="Sesiones abiertas" className="divide-y">
      {currentFirst(sessions.data).map((session) => (
        <SessionLine key={session.id} session={session} onEnd={() => onEnd(session)} />
      ))}
    </ul>
  )
}

const currentFirst = (sessions: readonly Session[]) =>
  [...sessions].sort((one, other) => Number(other.current) - Number(one.current))

function SessionLine({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const device = nameOf(session)
  const refuse = useRefusal()
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <MonitorSmartphone aria-hidden className="size-5 shrink-0 text-faint" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="wrap-anywhere" title={session.user_agent}>
            {device}
          </span>
          {session.current && <Badge tone="success">Esta sesión</Badge>}
        </p>
        <p className="text-xs text-muted">
          Último uso: <LongDayTime value={session.last_used_at} /> · <RelativeTime value={session.last_used_at} />
        </p>
        <p className="text-xs text-muted">
          {session.is_view ? 'Solo consulta, sin claves' : `Desde ${session.address || 'una dirección desconocida'}`}
          {'; '}
          se cierra sola el <LongDayTime value={session.expires_at} />
        </p>
      </div>
      {!session.current && (
        <Button
          size="sm"
          onClick={onEnd}
          disabledReason={refuse(auth.endSession)}
          aria-label={`Cerrar sesión de ${device}`}
        >
          Cerrar sesión
        </Button>
      )}
    </li>
  )
}

const nameOf = ({ is_view, user_agent }: Session): string =>
  is_view ? 'Un administrador de la red ve Afluente como tú' : deviceOf(user_agent)

function EndSessionDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const end = useEndOwnSession()
  return (
    <ConfirmDialog
      title="Cerrar sesión"
      confirm="Cerrar sesión"
      danger
      busy={end.isPending}
      busyText="Cerrando..."
      onConfirm={() => end.mutate(session.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      {session.is_view ? (
        'El administrador de la red dejará de ver Afluente como tú lo ves.'
      ) : (
        <>
          Quien use <strong className="text-ink">{nameOf(session)}</strong> tendrá que volver a entrar con la
          contraseña. Si no reconoces esta sesión, cambia también tu contraseña.
        </>
      )}
    </ConfirmDialog>
  )
}
