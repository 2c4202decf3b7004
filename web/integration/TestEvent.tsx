import { FlaskConical } from 'lucide-react'
import { z } from 'zod'
import type { EventStep } from '#contract/event-steps.ts'
import { integration, testTrackingId, type Verdict, verdictLabels } from '#contract/integration.ts'
import type { BatchResult } from '#contract/tracking.ts'
import { wordName } from '#contract/words.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { TextField } from '#web/form/TextField.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { Badge, type Tone } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card, Fact, Facts } from '#web/ui/Card.tsx'
import { Money } from '#web/ui/Money.tsx'
import { Code } from './Code.tsx'
import { useTryEvent } from './queries.ts'

// No validation here: the person wants to see the server's answer to a wrong value.
const Trial = z.object({ tracking_id: z.string().trim(), event_id: z.string().trim() })

const tones: Record<Verdict, Tone> = { accepted: 'success', duplicate: 'info', rejected: 'danger' }
export const VerdictBadge = ({ verdict }: { verdict: Verdict }) => (
  <Badge tone={tones[verdict]}>{verdictLabels[verdict]}</Badge>
)

/** Its name, and the word itself for whoever looks for it in a log. */
export const CodeName = ({ code }: { code: string }) => {
  const name = wordName('code', code)
  return name === code ? code : `${name} · ${code}`
}

const verdictOf = ({ data }: BatchResult): Verdict => (data ? (data.duplicate ? 'duplicate' : 'accepted') : 'rejected')

/** Validates an event as if a sender had sent it, without storing anything. */
export function TestEvent({ step }: { step: EventStep }) {
  const form = useSchemaForm(Trial, { tracking_id: testTrackingId(step.product_id), event_id: 'prueba-1' })
  const trial = useTryEvent()
  const refuse = useRefusal()
  const submit = form.handleSubmit(({ tracking_id, event_id }) => {
    if (!refuse(integration.tryEvent))
      trial.mutate({ tracking_id, step_id: step.id, ...(event_id !== '' && { event_id }) })
  })
  return (
    <Card
      title="Evento de prueba"
      description={
        <>Lo que pasaría con el evento «{step.name}», sin guardar nada: ni evento, ni comisión, ni cifra alguna.</>
      }
    >
      <form noValidate onSubmit={submit}>
        <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
          <TextField
            name="tracking_id"
            control={form.control}
            label="tracking_id"
            help="Usa el del lead de prueba o el de un lead real"
            autoComplete="off"
          />
          <TextField
            name="event_id"
            control={form.control}
            label="event_id"
            help="Tu identificador del evento"
            optional
            autoComplete="off"
          />
        </div>
        <Button
          type="submit"
          variant="primary"
          icon={FlaskConical}
          busy={trial.isPending}
          busyText="Probando..."
          disabledReason={refuse(integration.tryEvent)}
          className="mt-2"
        >
          Enviar evento de prueba
        </Button>
      </form>
      <div role="status" className="mt-4 empty:hidden">
        {trial.data && <Answer answer={trial.data} />}
      </div>
    </Card>
  )
}

/** The answer as the sender would read it, and what it means. */
function Answer({ answer }: { answer: BatchResult }) {
  return (
    <div className="grid grid-cols-1 gap-4 border-t pt-4">
      <Facts>
        <Fact label="Resultado">
          <VerdictBadge verdict={verdictOf(answer)} />
        </Fact>
        <Fact label="Código">
          <CodeName code={answer.code} /> <span className="text-muted">(HTTP {answer.status})</span>
        </Fact>
        {answer.data ? (
          <Fact label="Comisión" wide>
            {answer.data.commission ? (
              <Money value={answer.data.commission.amount} />
            ) : (
              'Ninguna: el paso no genera comisión, o ningún afiliado tiene una configurada para el producto'
            )}
          </Fact>
        ) : (
          <Fact label="Motivo" wide>
            {answer.message}
          </Fact>
        )}
      </Facts>
      {answer.data && (
        <Code label="respuesta" title="data de la respuesta" code={JSON.stringify(answer.data, null, 2)} />
      )}
    </div>
  )
}
