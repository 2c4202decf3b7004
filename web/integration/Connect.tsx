import { useQuery } from '@tanstack/react-query'
import { Boxes, Milestone } from 'lucide-react'
import type { EventStep } from '#contract/event-steps.ts'
import { type IntegrationAddresses, testTrackingId } from '#contract/integration.ts'
import { Card } from '#web/ui/Card.tsx'
import { Combobox } from '#web/ui/Combobox.tsx'
import { EmptyState, ErrorState } from '#web/ui/EmptyState.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { Code } from './Code.tsx'
import { GuideLink } from './GuideLink.tsx'
import { addressesQuery } from './queries.ts'
import { KEY_PLACEHOLDER, macroUrl, SECRET_PLACEHOLDER, samples, TOKEN_PLACEHOLDER } from './samples.ts'
import { TestEvent } from './TestEvent.tsx'
import { useChoice } from './use-choice.ts'

/** Undefined while they are masked. */
interface Secrets {
  apiKey: string | undefined
  secret: string | undefined
  token: string | undefined
}

const TITLE = 'Solicitud lista para tu sistema'

/** A step of an own product, the requests that report it, and a try. */
export function Connect(secrets: Secrets) {
  const addresses = useQuery(addressesQuery())
  const choice = useChoice()
  const loads = [addresses, ...choice.loads]
  const failed = loads.find((load) => load.isError && load.data === undefined)
  if (failed)
    return (
      <Card title={TITLE}>
        <ErrorState
          text="No se pudieron cargar los datos de la integración"
          query={{
            error: failed.error,
            isFetching: loads.some((load) => load.isFetching),
            refetch: () => loads.forEach((load) => void (load.isError && load.refetch())),
          }}
        />
      </Card>
    )
  if (addresses.data === undefined || loads.some((load) => load.data === undefined))
    return (
      <Card title={TITLE}>
        <p role="status" className="grid gap-4">
          <span className="sr-only">Cargando productos y pasos...</span>
          <Skeleton className="h-9 w-72 max-w-full" />
          <Skeleton className="h-72 w-full" />
        </p>
      </Card>
    )
  const { product, step } = choice
  return (
    <>
      <Card
        title={TITLE}
        description="Elige el producto y el paso. El código trae el lead de prueba del producto, así que basta mostrar tus claves para ejecutarlo tal cual: se valida como cualquier evento y no guarda nada."
      >
        {product ? <Choice {...choice} /> : <NoProducts />}
        {product && step && <Requests addresses={addresses.data} step={step} {...secrets} />}
        {product && !step && (
          <EmptyState
            icon={Milestone}
            text="No hay eventos configurados para este producto"
            hint="Los eventos se configuran desde el panel de administración"
          />
        )}
      </Card>
      {step && <TestEvent key={step.id} step={step} />}
    </>
  )
}

const NoProducts = () => (
  <EmptyState
    icon={Boxes}
    text="Todavía no tienes productos"
    hint="El administrador los da de alta; en cuanto exista el primero, aquí estará su código."
  />
)

function Choice({ products, product, flow, step, chooseProduct, chooseStep }: ReturnType<typeof useChoice>) {
  return (
    <div className="mb-4 flex flex-wrap gap-2">
      <Combobox
        aria-label="Producto"
        placeholder="Producto"
        options={products.map(({ id, name }) => ({ value: id, label: name }))}
        value={product?.id ?? null}
        onChange={chooseProduct}
        className="w-full sm:w-72"
      />
      {step && (
        <Select
          aria-label="Paso"
          options={flow.map(({ id, name, step_order }) => ({ value: id, label: `${step_order}. ${name}` }))}
          value={step.id}
          onChange={chooseStep}
          className="w-full sm:w-72"
        />
      )}
    </div>
  )
}

function Requests({
  addresses,
  step,
  apiKey,
  secret,
  token,
}: Secrets & { addresses: IntegrationAddresses; step: EventStep }) {
  const reported = {
    url: addresses.events_url,
    key: apiKey ?? KEY_PLACEHOLDER,
    secret: secret ?? SECRET_PLACEHOLDER,
    trackingId: testTrackingId(step.product_id),
    stepId: step.id,
  }
  const macro = { url: addresses.postback_url, token: token ?? TOKEN_PLACEHOLDER, stepId: step.id }
  const real = macroUrl({ ...macro, trackingId: '{tracking_id}', eventId: '{event_id}' })
  const tried = macroUrl({ ...macro, trackingId: reported.trackingId, eventId: 'prueba-1' })
  return (
    <div className="grid grid-cols-1 gap-4">
      <Tabs
        label="Lenguaje"
        tabs={[
          ...samples.map(({ value, label, file, code }) => ({
            value,
            label,
            content: <Code label={`código de ${label}`} title={file} code={code(reported)} />,
          })),
          {
            value: 'macros',
            label: 'Postback con macros',
            content: (
              <div className="grid grid-cols-1 gap-4">
                <Code
                  label="postback con macros"
                  title="Sustituye {tracking_id} y {event_id} por las macros de tu plataforma"
                  code={real}
                />
                <Code
                  label="postback de prueba"
                  title={
                    token
                      ? 'De prueba: ábrela tal cual, no guarda nada'
                      : 'De prueba, no guarda nada: muestra tu token para abrirla'
                  }
                  code={tried}
                />
              </div>
            ),
          },
        ]}
      />
      <Advice />
    </div>
  )
}

const Advice = () => (
  <ul className="grid list-disc gap-1.5 pl-5 text-muted">
    <li>
      <code>tracking_id</code> es el que llegó en tu URL de redirección con la visita; pon el suyo en lugar del de
      prueba.
    </li>
    <li>
      <code>event_id</code> es tu identificador de lo que pasó. Enviar dos veces el mismo no lo registra dos veces: la
      segunda respuesta es 200 con <code>duplicate: true</code>.
    </li>
    <li>
      La firma (<code>webhook-id</code>, <code>webhook-timestamp</code>, <code>webhook-signature</code>) es la de
      Standard Webhooks: HMAC-SHA256 con el secreto de firma sin <code>whsec_</code>, decodificado de base64. Vale cinco
      minutos y es recomendable; cuando la exiges, un evento sin firma recibe 401 con <code>SIGNATURE_REQUIRED</code>.
    </li>
    <li>
      Reintenta errores de red, 429 y 5xx a los 5 s, 30 s, 2 min, 10 min, 1 h, 3 h, 6 h, 12 h y 24 h, hasta tres días.
      Los demás 4xx no cambian al repetirlos: corrige y vuelve a enviar.
    </li>
    <li>
      Nuestros archivos en TypeScript y PHP firman, reintentan un momento y dicen qué dejar en tu cola:{' '}
      <GuideLink inSentence guide="desde-tu-codigo">
        cómo enviar sin perder ningún evento
      </GuideLink>
      . Lo que Afluente te avisa a ti:{' '}
      <GuideLink inSentence guide="postbacks-y-webhooks">
        postbacks y webhooks
      </GuideLink>
      .
    </li>
  </ul>
)
