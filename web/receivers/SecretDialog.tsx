import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { type Receiver, receivers } from '#contract/receivers.ts'
import { ApiError } from '#web/api/errors.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { GuideLink } from '#web/integration/GuideLink.tsx'
import { SecretKey } from '#web/settings/SecretKey.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { LongDayTime } from '#web/ui/dates.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { secretQuery, useRotateSecret } from './queries.ts'

export function SecretDialog({ receiver, onClose }: { receiver: Receiver; onClose: () => void }) {
  const secret = useQuery(secretQuery(receiver.id))
  const rotate = useRotateSecret()
  const refuse = useRefusal()
  const [asking, setAsking] = useState(false)
  const until = secret.data?.before_until
  const change = (
    <Button
      size="sm"
      icon={RefreshCw}
      onClick={() => setAsking(true)}
      disabledReason={refuse(receivers.rotateSecret) ?? (secret.isPending ? 'Aún se está cargando' : undefined)}
    >
      Cambiar
    </Button>
  )
  return (
    <Dialog
      title="Secreto de firma"
      description={`Con él compruebas que un aviso a «${receiver.name}» es nuestro. Guárdalo en tu servidor.`}
      onClose={onClose}
      footer={<Button onClick={onClose}>Cerrar</Button>}
    >
      {isLost(secret.error) ? (
        <div className="grid justify-items-start gap-3 pt-2">
          <p role="alert" className="text-danger-ink">
            {secret.error?.message}
          </p>
          {change}
        </div>
      ) : secret.isError ? (
        <ErrorState query={secret} text="Error al cargar el secreto" />
      ) : (
        <div className="grid gap-3 pt-2">
          <SecretKey label="secreto" value={secret.data?.secret} loading={secret.isPending}>
            {change}
          </SecretKey>
          <p className="text-muted">
            {until ? (
              <>
                El anterior firma también hasta el <LongDayTime value={until} />.
              </>
            ) : (
              'Al cambiarlo, el anterior firma también durante 24 horas.'
            )}
          </p>
          <p>
            <GuideLink guide="postbacks-y-webhooks">Cómo comprobar la firma y qué responder</GuideLink>
          </p>
        </div>
      )}
      {asking && (
        <ConfirmDialog
          title="Cambiar el secreto"
          confirm="Cambiar"
          busy={rotate.isPending}
          busyText="Cambiando..."
          onConfirm={() => rotate.mutate(receiver.id, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          {isLost(secret.error)
            ? 'Desde ahora firma uno nuevo y el actual deja de firmar: cámbialo en tu servidor cuanto antes.'
            : 'Desde ahora firma uno nuevo; el actual firma también durante 24 horas, para que lo cambies en tu servidor.'}
          {until && ' El que cambiaste antes deja de firmar.'}
        </ConfirmDialog>
      )}
    </Dialog>
  )
}

/** Sealed with a key that this server no longer has. */
const isLost = (error: Error | null): boolean => error instanceof ApiError && error.code === 'SECRET_LOST'
