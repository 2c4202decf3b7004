import { z } from 'zod'
import { AccessLink } from './access-links.ts'
import { Duty } from './duties.ts'
import { endpoint } from './endpoint.ts'
import { Email, Id, IdParams, Moment, PersonName } from './fields.ts'
import { UserStatus } from './users.ts'

/** Of one company, the suspended ones included. */
export const PEOPLE_MAX = 20
export const PEOPLE_FULL = `Tu empresa ya tiene ${PEOPLE_MAX} personas. Pide al administrador de la red que elimine a quien ya no está.`
export const PEOPLE_CLOSED = 'En esta red, las personas de tu empresa las cambia el administrador'
/** What an administrator decided about somebody is not undone by their company. */
export const CLOSED_BY_NETWORK = 'El administrador de la red cerró esta cuenta: solo él puede abrirla'
export const ALREADY_ENTERED = 'Esta persona ya entró alguna vez: puede pedir un enlace en la pantalla de entrada'
export const TOO_MANY_INVITATIONS = 'Demasiadas invitaciones. Inténtalo más tarde.'

/** Somebody of the own company, as its owners see them. */
export const Person = z.object({
  id: Id,
  full_name: z.string(),
  email: z.string(),
  duty: Duty,
  user_status: UserStatus,
  last_login: Moment.nullable(),
  second_factor: z.boolean(),
  /** Whether the company closed the account, and so may open it. */
  suspended_by_company: z.boolean(),
})
export type Person = z.infer<typeof Person>

export const PersonInvite = z.object({
  email: Email,
  first_name: PersonName,
  last_name: PersonName,
  duty: Duty,
})
export type PersonInvite = z.infer<typeof PersonInvite>

export const PersonUpdate = z
  .object({ duty: Duty, user_status: z.enum(['active', 'suspended'], 'Estado no válido') })
  .partial()
export type PersonUpdate = z.infer<typeof PersonUpdate>

const companies = ['issuer', 'affiliate'] as const

export const people = {
  list: endpoint({
    need: 'people',
    method: 'GET',
    path: '/api/v1/people/',
    access: companies,
    summary: 'Las personas de la empresa propia',
    response: z.array(Person),
  }),
  create: endpoint({
    need: 'people',
    elevated: true,
    method: 'POST',
    path: '/api/v1/people/',
    access: companies,
    summary: 'Invitar a una persona a la empresa propia; elige su contraseña con un enlace',
    body: PersonInvite,
    response: Person.extend({ invitation: AccessLink }),
    status: 201,
  }),
  update: endpoint({
    need: 'people',
    elevated: true,
    method: 'PUT',
    path: '/api/v1/people/:id/',
    access: companies,
    summary: 'Cambiar el perfil de una persona de la empresa propia, suspenderla o reactivarla',
    params: IdParams,
    body: PersonUpdate,
    response: Person,
    message: 'Persona actualizada exitosamente',
  }),
  invite: endpoint({
    need: 'people',
    elevated: true,
    method: 'POST',
    path: '/api/v1/people/:id/invitation/',
    access: companies,
    summary: 'Repetir la invitación de quien todavía no ha entrado; el enlace anterior deja de servir',
    params: IdParams,
    response: AccessLink,
    status: 201,
  }),
}
