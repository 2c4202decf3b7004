import { type RawBuilder, sql } from 'kysely'
import { keyLabels } from '#contract/companies.ts'
import { holdReasonLabels } from '#contract/holds.ts'
import { inPesos } from '#contract/money.ts'
import type { NoticeType } from '#contract/notices.ts'
import { counted } from '#contract/numbers.ts'
import type { Role } from '#contract/roles.ts'
import { type FactorKind, factorKindLabels } from '#contract/second-factors.ts'
import { dayFirst, TIME_ZONE } from '#contract/time.ts'
import type { Validation } from '#contract/validation.ts'

interface Params {
  reason?: string
  step?: string
  from?: string
  period_start?: string
  period_end?: string
  valid_from?: string
  validation?: Validation
  validation_days?: number
  detail?: string
}

/** Notices that are said in one sentence. */
export interface Bundle {
  type: NoticeType
  count: number
  /** The sum of theirs. */
  amount: string | null
  params: Params
  product: string | null
  affiliate: string | null
  issuer: string | null
  receiver: string | null
}

/** The rows of notices as bundles: what differs in nothing but amount and number is one. `by` divides them further. */
export const bundled = (notices: RawBuilder<unknown>, columns: RawBuilder<unknown>, by: RawBuilder<unknown>) => sql`
  select notice.type, count(*)::int as count, sum((params ->> 'amount')::numeric) as amount, params - 'amount' as params,
    payment_id, notice.product_id, min(product.name) as product, min(affiliate.company_name) as affiliate,
    min(issuer.company_name) as issuer, min(receiver.name) as receiver, ${columns}
  from ${notices} as notice
  left join product on product.id = notice.product_id
  left join affiliate on affiliate.id = notice.affiliate_id
  left join issuer on issuer.id = notice.issuer_id
  left join receiver on receiver.id = receiver_id
  group by notice.type, notice_bundle(notice.type, notice.id), notice.affiliate_id, notice.issuer_id, notice.product_id,
    payment_id, receiver_id, params - 'amount', ${by}`

function faultSentence({ product, issuer, params: { detail = '' } }: Bundle): string {
  const [reason = ''] = detail.split(' ', 1)
  const sample = detail.slice(reason.length + 1)
  if (reason === 'unreplaced')
    return `Tu enlace de ${product} manda ${sample} sin reemplazar: sus clics llegan sin tu referencia`
  if (reason === 'changed')
    return `Tu enlace de ${product} manda una referencia que se corta o se cubre: sus clics llegan sin ella`
  return `Un enlace tuyo de ${issuer} no nombra un producto que exista: sus clics no son leads`
}

const day = new Intl.DateTimeFormat('es-MX', { timeZone: TIME_ZONE, dateStyle: 'long' })

const sentences: Record<NoticeType, (bundle: Bundle, role: Role) => string> = {
  'commission.accrued': (all) => `${many(all, 'comisión', 'comisiones')} por ${pesosOf(all)} de ${all.product}`,
  'lead.rejected': (all) => because(all, `${many(all, 'lead rechazado', 'leads rechazados')} de ${all.product}`),
  'commission.reversed': (all) =>
    because(all, `${many(all, 'comisión revertida', 'comisiones revertidas')} por ${pesosOf(all)} de ${all.product}`),
  'hold.opened': (all, role) => {
    const reason = holdReasonLabels[all.params.detail as keyof typeof holdReasonLabels]
    return `${all.count === 1 ? 'Se retuvo' : 'Se retuvieron'} ${heldOf(all, role)}. Motivo: ${reason}`
  },
  'hold.released': (all, role) => `${all.count === 1 ? 'Se liberó' : 'Se liberaron'} ${heldOf(all, role)}`,
  'payment.created': (all, role) => `Nuevo pago por ${pesosOf(all)} ${between(all, role)}`,
  'payment.paid': (all, role) => `Pago realizado por ${pesosOf(all)} ${between(all, role)}`,
  'payment.cancelled': (all, role) => `Se canceló el pago por ${pesosOf(all)} ${between(all, role)}`,
  'commission.changed': rateSentence,
  'term.changed': termSentence,
  // Without a product they are of all products of the issuer.
  'product.paused': ({ product, issuer, params: { detail } }) =>
    detail === 'removed'
      ? `Se retiró ${product}: sus enlaces dejaron de funcionar`
      : `${product ?? issuer} está en pausa: sus enlaces no reciben clics`,
  'product.resumed': ({ product, issuer }) => `${product ?? issuer} está activo otra vez: sus enlaces ya reciben clics`,
  'relationship.ended': ({ issuer }) => `Terminó tu relación con ${issuer}: sus enlaces no reciben clics`,
  'relationship.started': ({ issuer }) => `Ya puedes promover los productos de ${issuer}`,
  'link.faulty': faultSentence,
  'issuer.silent': ({ issuer, params: { detail = '' } }, role) =>
    `No llegan eventos ${role === 'issuer' ? 'de tu sistema' : `de ${issuer}`} desde el ${dayFirst(detail)}`,
  'events.refused': ({ params: { detail } }) => `Se rechazan eventos de tu sistema: ${detail}`,
  'receiver.failing': ({ receiver }) => `«${receiver}» no responde bien: lo que debe recibir espera`,
  'receiver.paused': ({ receiver, affiliate, issuer }, role) => {
    const owner = role === 'admin' && (affiliate ?? issuer)
    return `«${receiver}»${owner ? ` de ${owner}` : ''} está en pausa: corrige la dirección y reanúdalo`
  },
  'receiver.changed': ({ receiver, params: { detail } }) => `«${receiver}» avisa a una dirección nueva, en ${detail}`,
  'key.shown': ({ receiver, params: { detail } }) =>
    receiver ? `${detail} vio el secreto de firma de «${receiver}»` : `${detail} vio las claves de la empresa`,
  'key.rotated': ({ receiver, params: { detail } }) =>
    receiver
      ? `Se cambió el secreto de firma de «${receiver}»`
      : `Se cambió una clave de la empresa: ${keyLabels[detail as keyof typeof keyLabels]}`,
  'access.asked': ({ params }) => `${params.detail} pidió un enlace para recuperar el acceso: dáselo en Usuarios`,
  'factor.added': ({ params: { detail } }) =>
    `Se agregó un segundo factor a tu cuenta: ${factorKindLabels[detail as FactorKind]}`,
  'factor.removed': ({ params: { detail } }) =>
    detail
      ? `Se quitó un segundo factor de tu cuenta: ${factorKindLabels[detail as FactorKind]}`
      : 'La administración quitó los segundos factores de tu cuenta',
  'device.new': ({ params }) => `Inicio de sesión en un dispositivo nuevo: ${params.detail}`,
}

/** What happened, as the person reads it in the product and in letters. */
export const sentenceOf = (bundle: Bundle, role: Role): string => sentences[bundle.type](bundle, role)

const pesosOf = ({ amount }: Bundle): string => inPesos(amount ?? '0.00')
const many = ({ count }: Bundle, one: string, more: string): string => counted(count, one, more)
const because = ({ params: { reason } }: Bundle, what: string): string => (reason ? `${what}. Motivo: ${reason}` : what)

function between({ affiliate, issuer, params: { period_start = '', period_end = '' } }: Bundle, role: Role): string {
  const other = role === 'affiliate' ? `de ${issuer}` : `a ${affiliate}`
  return `${other}, periodo del ${dayFirst(period_start)} al ${dayFirst(period_end)}`
}

/** '2 comisiones por $1,000.00 de Tarjeta Azul'; a bonus or an adjustment may be of no product. */
const heldOf = (all: Bundle, role: Role): string =>
  `${many(all, 'comisión', 'comisiones')} por ${pesosOf(all)} de ${all.product ?? all.issuer}${role === 'admin' ? ` a ${all.affiliate}` : ''}`

function termSentence({ product, issuer, params }: Bundle): string {
  const { valid_from = '', validation, validation_days, detail } = params
  const of = `condiciones de pago de ${product ?? issuer ?? 'toda la red'} desde el ${dayFirst(valid_from)}`
  if (detail === 'cancelled') return `Se cancelaron las ${of}`
  const days = validation_days === 1 ? '1 día de validación' : `${validation_days || 'sin'} días de validación`
  const approval = validation === 'explicit' ? 'con aprobación' : 'sin aprobación'
  const told = [validation_days === undefined ? [] : days, validation ? approval : []].flat().join(', ')
  return `Nuevas ${of}: ${told || 'como las más generales'}`
}

function rateSentence({ product, amount, params: { detail, step, from } }: Bundle): string {
  const what = step ? `Tu comisión de ${product} por «${step}»` : `Tu comisión de ${product}`
  if (detail === 'cancelled') return `${what}: se canceló el cambio programado`
  if (detail === 'ended') return `${what} terminó: lo ganado se conserva`
  return `${what} ${from ? `será de ${inPesos(amount ?? '0')} desde el ${day.format(new Date(from))}` : `es de ${inPesos(amount ?? '0')}`}`
}
