import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, Moment } from './fields.ts'
import { everyone } from './roles.ts'

/** What a person can be told of, in the order in which it is chosen; who is told of what is in db/functions/notices.sql. */
export const noticeLabels = {
  'commission.accrued': 'Comisiones ganadas',
  'lead.rejected': 'Leads rechazados',
  'commission.reversed': 'Comisiones revertidas',
  'hold.opened': 'Comisiones retenidas',
  'hold.released': 'Comisiones liberadas',
  'payment.created': 'Pagos creados',
  'payment.paid': 'Pagos realizados',
  'payment.cancelled': 'Pagos cancelados',
  'commission.changed': 'Cambios de comisión',
  'term.changed': 'Condiciones de pago',
  'product.paused': 'Enlaces en pausa',
  'product.resumed': 'Enlaces reactivados',
  'relationship.ended': 'Relaciones terminadas',
  'relationship.started': 'Relaciones nuevas',
  'link.faulty': 'Enlaces que pierden tu referencia',
  'issuer.silent': 'Emisores sin eventos',
  'events.refused': 'Eventos rechazados en cantidad',
  'receiver.failing': 'Postbacks o webhooks con fallas',
  'receiver.paused': 'Postbacks o webhooks en pausa',
  'receiver.changed': 'Direcciones nuevas de postbacks o webhooks',
  'key.shown': 'Claves vistas por otra persona',
  'key.rotated': 'Claves cambiadas',
  'access.asked': 'Personas que piden un enlace de acceso',
  'device.new': 'Inicio de sesión en un dispositivo nuevo',
  'factor.added': 'Segundos factores agregados',
  'factor.removed': 'Segundos factores quitados',
} as const
export const NoticeType = z.enum(Object.keys(noticeLabels) as (keyof typeof noticeLabels)[])
export type NoticeType = z.infer<typeof NoticeType>

export const NOTICES_SHOWN = 50

export const Notice = z.object({
  /** Of the newest that it speaks of. */
  id: Id,
  type: NoticeType,
  text: z.string(),
  /** What it leads to, where that is one row; `lead` of what one lead earned. */
  payment: Id.nullable(),
  lead: Id.nullable(),
  issuer: Id.nullable(),
  created_at: Moment,
  is_read: z.boolean(),
})
export type Notice = z.infer<typeof Notice>

/** Newest first; `unread` counts those of `results`. */
export const Notices = z.object({ results: z.array(Notice), unread: z.number().int() })
export type Notices = z.infer<typeof Notices>

export const NoticesRead = z.object({
  /** The newest that the person has seen. */
  through: Id,
  /** Of that one alone, with what it sums up, instead of all before it. */
  only: z.boolean('only debe ser true o false').default(false),
})
export type NoticesRead = z.infer<typeof NoticesRead>

export const NoticeMail = z.enum(['off', 'now', 'daily', 'weekly'])
export type NoticeMail = z.infer<typeof NoticeMail>
export const noticeMailLabels: Record<NoticeMail, string> = {
  off: 'No',
  now: 'Al momento',
  daily: 'Resumen diario',
  weekly: 'Resumen semanal',
}

const Wanted = z.object({
  type: NoticeType,
  in_product: z.boolean('in_product debe ser true o false'),
  mail: NoticeMail,
})
export const NoticeChoice = Wanted.extend({
  /** It cannot be switched off. */
  is_fixed: z.boolean(),
})
export type NoticeChoice = z.infer<typeof NoticeChoice>

export const NoticeChoices = z.object({
  /** Whether mail is set up at all. */
  mails: z.boolean(),
  choices: z.array(NoticeChoice),
})
export type NoticeChoices = z.infer<typeof NoticeChoices>

export const NOTICE_FIXED = 'Este aviso es de seguridad y no se puede apagar'

export const notices = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/notices/',
    access: everyone,
    summary: 'Los avisos propios, lo último primero, y cuántos no se han leído',
    response: Notices,
  }),
  read: endpoint({
    need: 'own',
    method: 'POST',
    path: '/api/v1/notices/read/',
    access: everyone,
    summary: 'Marcar como leídos los avisos propios hasta uno, o ese solo',
    body: NoticesRead,
    status: 204,
  }),
  choices: endpoint({
    method: 'GET',
    path: '/api/v1/notices/choices/',
    access: everyone,
    summary: 'De qué se avisa a la persona, en Afluente y por correo',
    response: NoticeChoices,
  }),
  choose: endpoint({
    need: 'own',
    method: 'PUT',
    path: '/api/v1/notices/choices/',
    access: everyone,
    summary: 'Elegir cómo se avisa de algo; lo de seguridad no se apaga',
    body: Wanted,
    response: NoticeChoice,
    message: 'Preferencia guardada',
  }),
}
