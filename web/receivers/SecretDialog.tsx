import { useQuery } from '@tanstack/react-query'
import type { Receiver } from '#contract/receivers.ts'
import { SecretKey } from '#web/settings/SecretKey.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { LongDayTime } from '#web/ui/dates.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { secretQuery, useRotateSecret } from './queries.ts'

export function SecretDialog({ receiver, onClose }: { receiver: Receiver; onClose: () => void }) {
  const secret = useQuery(secretQuery(receiver.id))
  const rotate = useRotateSecret()
  const until = secret.data?.before_until
  return (
    <Dialog
      title="Secreto de firma"
      description={`Con él compruebas que un aviso a «${receiver.name}» es nuestro. Guárdalo en tu servidor.`}
      onClose={onClose}
      footer={<Button onClick={onClose}>Cerrar</Button>}
    >
      {secret.isError ? (
        <ErrorState query={secret} text="Error al cargar el secreto" />
      ) : (
        <div className="grid gap-3 pt-2">
          <SecretKey label="secreto" value={secret.data?.secret} loading={secret.isPending}>
            <Button
              size="sm"
              onClick={() => rotate.mutate(receiver.id)}
              busy={rotate.isPending}
              busyText="Cambiando..."
            >
              Cambiar
            </Button>
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
        </div>
      )}
    </Dialog>
  )
}
