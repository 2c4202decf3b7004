import { useQuery } from '@tanstack/react-query'
import {
  type Attempt,
  attemptErrors,
  type DeliveryDetail,
  deliveries,
  deliveryReasons,
  TEST_TYPE,
  typeLabel,
} from '#contract/deliveries.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { Button } from '#web/ui/Button.tsx'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { Collapsible } from '#web/ui/Collapsible.tsx'
import { Copyable } from '#web/ui/CopyButton.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { LongDayTime } from '#web/ui/dates.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { formatNumber } from '#web/ui/format.ts'
import { deliveryQuery, useReplayDelivery } from './queries.ts'
import { DeliveryBadge } from './words.tsx'

/** A delivery with each attempt: what was sent and what was answered. */
export function DeliveryDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const delivery = useQuery(deliveryQuery(id))
  const replay = useReplayDelivery()
  const refuse = useRefusal()
  const canReplay = delivery.data && delivery.data.type !== TEST_TYPE
  return (
    <Dialog
      title={delivery.data?.type === TEST_TYPE ? 'Resultado de la prueba' : 'Entrega'}
      size="lg"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cerrar</Button>
          {canReplay && (
            <Button
              variant="primary"
              onClick={() => replay.mutate(id)}
              busy={replay.isPending}
              busyText="Reenviando..."
              disabledReason={refuse(deliveries.replay)}
            >
              Reenviar
            </Button>
          )}
        </>
      }
    >
      {delivery.isError ? (
        <ErrorState query={delivery} text="Error al cargar la entrega" />
      ) : (
        <>
          <Summary delivery={delivery.data} />
          <div className="mt-4">
            {delivery.data?.tries.map((attempt, index) => (
              <Tried key={attempt.number} attempt={attempt} isLast={index === 0} />
            ))}
          </div>
        </>
      )}
    </Dialog>
  )
}

/** A test is tried once, so that nothing ran out. */
const reasonOf = ({ type, reason }: DeliveryDetail) => type !== TEST_TYPE && reason && deliveryReasons[reason]

const Summary = ({ delivery }: { delivery: DeliveryDetail | undefined }) => (
  <Facts className="pt-2">
    <Fact label="Estado">
      {delivery && (
        <>
          <DeliveryBadge state={delivery.state} /> {reasonOf(delivery)}
        </>
      )}
    </Fact>
    <Fact label="Evento">{delivery && typeLabel(delivery.type)}</Fact>
    <Fact label="Fecha y hora">{delivery && <LongDayTime value={delivery.created_at} />}</Fact>
    <Fact label="Próximo intento">
      {delivery &&
        (delivery.next_at ? <LongDayTime value={delivery.next_at} /> : <span className="text-muted">Ninguno</span>)}
    </Fact>
    <Fact label="webhook-id" wide>
      {delivery && (
        <Copyable
          text={delivery.id}
          label="Copiar webhook-id"
          copied="Información copiada al portapapeles"
          failed="Error al copiar la información"
        />
      )}
    </Fact>
  </Facts>
)

const outcomeOf = ({ status, error }: Attempt) => (error ? attemptErrors[error] : `Respondió ${status}`)

const Tried = ({ attempt, isLast }: { attempt: Attempt; isLast: boolean }) => (
  <Collapsible title={`Intento ${attempt.number}: ${outcomeOf(attempt)}`} initiallyOpen={isLast}>
    <Facts>
      <Fact label="Fecha y hora">
        <LongDayTime value={attempt.at} />
      </Fact>
      <Fact label="Duración">
        {formatNumber(attempt.ms)} ms{attempt.peer && ` con ${attempt.peer}`}
      </Fact>
      <Fact label="Solicitud" wide>
        {attempt.request_url ? (
          <Text>{attempt.request_url}</Text>
        ) : (
          <span className="text-muted">Datos suprimidos</span>
        )}
        {attempt.request_body !== null && <Text>{attempt.request_body}</Text>}
      </Fact>
      <Fact label="Respuesta" wide>
        {attempt.answer ? <Text>{attempt.answer}</Text> : <span className="text-muted">Sin texto</span>}
      </Fact>
    </Facts>
  </Collapsible>
)

/** Hostile: shown as what it is. */
const Text = ({ children }: { children: string }) => (
  <code className="mb-1 block rounded-lg bg-sunken p-2 text-xs break-all whitespace-pre-wrap">{children}</code>
)
