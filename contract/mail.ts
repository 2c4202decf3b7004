import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, ListQuery, Moment } from './fields.ts'

export const MailKind = z.enum(['invite', 'reset', 'notice', 'digest'])
export type MailKind = z.infer<typeof MailKind>
export const mailKindLabels: Record<MailKind, string> = {
  invite: 'Invitación',
  reset: 'Contraseña',
  notice: 'Avisos',
  digest: 'Resumen',
}

export const MailState = z.enum(['waiting', 'sent', 'failed'])
export type MailState = z.infer<typeof MailState>
export const mailStateLabels: Record<MailState, string> = {
  waiting: 'Por enviar',
  sent: 'Enviado',
  failed: 'No se entregó',
}

export const Mail = z.object({
  id: Id,
  kind: MailKind,
  recipient: z.string(),
  state: MailState,
  attempts: z.number().int(),
  /** What the mail server said last. */
  error: z.string().nullable(),
  created_at: Moment,
  next_at: Moment.nullable(),
  settled_at: Moment.nullable(),
})
export type Mail = z.infer<typeof Mail>

export const mail = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/mail/',
    access: ['admin'],
    summary: 'Los correos de los últimos 30 días, lo último primero',
    query: ListQuery,
    response: z.array(Mail),
  }),
}
