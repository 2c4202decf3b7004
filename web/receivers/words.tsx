import { type DeliveryState, deliveryStateLabels } from '#contract/deliveries.ts'
import { type ReceiverState, receiverStateLabels } from '#contract/receivers.ts'
import type { Role } from '#contract/roles.ts'
import { Badge, type Tone } from '#web/ui/Badge.tsx'

interface Words {
  title: string
  description: string
  add: string
  /** Where there is none yet. */
  hint: string
  /** What is typed in a new one, by example. */
  name: string
  url: string
}

const webhook = {
  hint: 'Agrega la dirección de tu sistema y pruébala: aquí verás qué contestó a cada aviso.',
  name: 'CRM',
  url: 'https://sistemas.example.mx/avisos/afluente',
}

/** What receivers are called by those who have them. */
export const wordsFor: Record<Role, Words> = {
  affiliate: {
    title: 'Postbacks',
    description: 'Avisa a tu rastreador en cuanto un lead tuyo avanza, se aprueba o se rechaza.',
    add: 'Nuevo postback',
    hint: 'Agrega la dirección de tu rastreador y pruébala: aquí verás qué contestó a cada aviso.',
    name: 'Mi rastreador',
    url: 'https://rastreador.example.mx/postback?subid={external_id}&status={status}&payout={payout}',
  },
  issuer: {
    title: 'Webhooks',
    description: 'Avisa a tu sistema de lo que pasa con tus leads, comisiones y pagos.',
    add: 'Nuevo webhook',
    ...webhook,
  },
  admin: {
    title: 'Webhooks',
    description: 'Avisa a un sistema de la red de lo que pasa con todos los leads, comisiones y pagos.',
    add: 'Nuevo webhook',
    ...webhook,
  },
}

const receiverTones: Record<ReceiverState, Tone> = { active: 'success', failing: 'danger', paused: 'neutral' }
export const ReceiverBadge = ({ state }: { state: ReceiverState }) => (
  <Badge tone={receiverTones[state]}>{receiverStateLabels[state]}</Badge>
)

const deliveryTones: Record<DeliveryState, Tone> = {
  waiting: 'info',
  delivered: 'success',
  failed: 'danger',
  skipped: 'neutral',
}
export const DeliveryBadge = ({ state }: { state: DeliveryState }) => (
  <Badge tone={deliveryTones[state]}>{deliveryStateLabels[state]}</Badge>
)
