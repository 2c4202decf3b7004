import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Moment } from './fields.ts'
import { Role } from './roles.ts'

export const SECOND_FACTOR_REQUIRED = 'Tu perfil exige verificación en dos pasos: regístrala para continuar'
export const OWN_PASSWORD_REQUIRED = 'Otra persona conoce tu contraseña: elige la tuya para continuar'
export const LAST_FACTOR = 'Tu perfil exige un segundo factor: registra otro antes de quitar este.'
const GRACE_DAYS = 90

/** Whether the people of a role need a second factor. */
export const FactorRule = z.enum(['off', 'asked', 'required'], 'Elige una opción')
export type FactorRule = z.infer<typeof FactorRule>
export const factorRuleLabels: Record<FactorRule, string> = {
  off: 'Opcional',
  asked: 'Se pide',
  required: 'Obligatoria',
}

const GRACE = `Debe ser un número entero de 0 a ${GRACE_DAYS}`

export const SecurityPolicy = z.object({
  role: Role,
  second_factor: FactorRule,
  grace_days: z.number().int(),
  /** Whether a password that somebody else typed is replaced before anything else. */
  replaces_given: z.boolean(),
  /** Since when the second factor is as it is; the days of grace begin then, or with the account. */
  since: Moment,
  /** Who can sign in, how many of them have no second factor, and how many the password that they were given. */
  people: z.number().int(),
  without_factor: z.number().int(),
  with_given_password: z.number().int(),
})
export type SecurityPolicy = z.infer<typeof SecurityPolicy>

export const PolicyUpdate = z.object({
  role: Role,
  second_factor: FactorRule,
  grace_days: z.number(GRACE).int(GRACE).min(0, GRACE).max(GRACE_DAYS, GRACE),
  /** Left out: as it is. */
  replaces_given: z.boolean('replaces_given debe ser true o false').optional(),
})
export type PolicyUpdate = z.infer<typeof PolicyUpdate>

export const securityPolicy = {
  list: endpoint({
    need: 'people',
    method: 'GET',
    path: '/api/v1/auth/policy/',
    access: ['admin'],
    summary: 'Si cada rol necesita verificación en dos pasos y una contraseña que nadie más conozca',
    response: z.array(SecurityPolicy),
  }),
  update: endpoint({
    need: 'people',
    elevated: true,
    method: 'PUT',
    path: '/api/v1/auth/policy/',
    access: ['admin'],
    summary: 'Pedir o exigir a un rol la verificación en dos pasos, con días de gracia, y una contraseña propia',
    body: PolicyUpdate,
    response: z.array(SecurityPolicy),
    message: 'Política actualizada exitosamente',
  }),
}
