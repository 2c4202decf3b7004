import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Email, Id, Moment, NewPassword } from './fields.ts'

/** The same for every address, so that nobody learns which have an account (security 2.4). */
export const FORGOT_ANSWER = 'Si el correo tiene una cuenta, recibirás un enlace.'
export const LINK_USED = 'Este enlace ya se usó o venció. Pide otro.'

export const LinkPurpose = z.enum(['invite', 'reset'])
export type LinkPurpose = z.infer<typeof LinkPurpose>

/** An invitation waits in a mailbox for a person who does not expect it; who asks for a reset is there. */
export const LINK_MINUTES: Record<LinkPurpose, number> = { invite: 72 * 60, reset: 15 }
export const linkTerms: Record<LinkPurpose, string> = { invite: '72 horas', reset: '15 minutos' }
export const shownOnce = (purpose: LinkPurpose): string =>
  `Copia este enlace ahora: no se volverá a mostrar. Vale ${linkTerms[purpose]}.`

/** How somebody gets in: the link itself where the server sends no mail, shown this once. */
export const AccessLink = z.object({
  purpose: LinkPurpose,
  delivered: z.enum(['mail', 'shown']),
  url: z.string().nullable(),
  /** Null: from the moment it is mailed. */
  expires_at: Moment.nullable(),
})
export type AccessLink = z.infer<typeof AccessLink>

/** Somebody who asked for a link and waits for it: no mail was sent yet. */
export const LinkRequest = z.object({
  user_id: Id,
  full_name: z.string(),
  email: z.string(),
  /** Null: never here, so that the link is an invitation. */
  last_login: Moment.nullable(),
  asked_at: Moment,
})
export type LinkRequest = z.infer<typeof LinkRequest>

/** 256 bits as base64url. Another text is no link that we gave. */
const Token = z.string().max(200)

export const AddressOnly = z.object({ email: Email })
export const ChosenPassword = z.object({ token: Token, password: NewPassword })

export const accessLinks = {
  forgot: endpoint({
    method: 'POST',
    path: '/api/v1/auth/password/forgot/',
    access: 'public',
    summary: 'Pedir un enlace para elegir otra contraseña; la respuesta es la misma con cualquier correo',
    body: AddressOnly,
    /** Whether the server mails the link; else an administrator is told, and gives it. */
    response: z.object({ mails: z.boolean() }),
    status: 202,
    message: FORGOT_ANSWER,
  }),
  /** Opening a link uses nothing up: mail scanners open it too. In the body, so that no log holds it. */
  open: endpoint({
    method: 'POST',
    path: '/api/v1/auth/password/link/',
    access: 'public',
    summary: 'De quién es un enlace de acceso que todavía sirve',
    body: z.object({ token: Token }),
    response: z.object({ purpose: LinkPurpose, email: z.string(), first_name: z.string() }),
  }),
  use: endpoint({
    method: 'POST',
    path: '/api/v1/auth/password/reset/',
    access: 'public',
    summary: 'Elegir la contraseña con un enlace, que deja de servir; cierra las sesiones',
    body: ChosenPassword,
    message: 'Contraseña guardada. Ya puedes entrar.',
  }),
  requests: endpoint({
    method: 'GET',
    path: '/api/v1/auth/invitations/',
    access: ['admin'],
    summary: 'Quienes pidieron un enlace en las últimas 24 horas y todavía lo esperan',
    response: z.array(LinkRequest),
  }),
  create: endpoint({
    need: 'people',
    elevated: true,
    method: 'POST',
    path: '/api/v1/auth/invitations/',
    access: ['admin'],
    summary: 'Dar a un usuario un enlace de acceso: una invitación, o uno de 15 minutos a quien ya entró alguna vez',
    body: z.object({ user_id: Id }),
    response: AccessLink,
    status: 201,
  }),
}
