import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Line, Moment } from './fields.ts'
import { FactorCode, PasskeyAnswer, PasskeyQuestion } from './proofs.ts'
import { everyone } from './roles.ts'

export const CONFIRM_WITH_FACTOR = 'Confirma con tu segundo factor, o con un código de recuperación'
export const WRONG_CODE = 'El código no es correcto o ya se usó.'
export const CHALLENGE_OVER = 'El inicio de sesión tardó demasiado. Escribe otra vez tu contraseña.'
export const PASSKEY_REFUSED = 'La llave de acceso no se aceptó. Inténtalo de nuevo o entra con tu contraseña.'
export const NO_PASSKEYS = 'Las llaves de acceso necesitan que Afluente se abra con https.'
export const TOTP_EXISTS = 'Ya tienes una aplicación de códigos. Quítala antes de registrar otra.'
export const RECOVERY_CODES = 10
export const PASSKEYS = 10

export const FactorKind = z.enum(['totp', 'passkey'])
export type FactorKind = z.infer<typeof FactorKind>
export const factorKindLabels: Record<FactorKind, string> = {
  totp: 'Aplicación de códigos',
  passkey: 'Llave de acceso',
}

export const SecondFactor = z.object({
  id: Id,
  kind: FactorKind,
  label: z.string(),
  created_at: Moment,
  last_used_at: Moment.nullable(),
})
export type SecondFactor = z.infer<typeof SecondFactor>

export const SecondFactors = z.object({
  factors: z.array(SecondFactor),
  recovery_codes_left: z.number().int(),
  /** Whether this address can have passkeys at all: https, or localhost. */
  passkeys_possible: z.boolean(),
})
export type SecondFactors = z.infer<typeof SecondFactors>

/** Shown this once; null where the person has some already. */
const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()).nullable() })

/** Something that shows. */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}]/u
export const FactorLabel = Line.pipe(
  z.string().regex(VISIBLE, 'Ponle un nombre').max(60, 'No puede exceder 60 caracteres'),
)

/** Confirms that the application shows the codes of the seed. */
export const TotpCode = z.object({ code: FactorCode })

export const secondFactors = {
  own: endpoint({
    unenrolled: true,
    method: 'GET',
    path: '/api/v1/auth/second-factors/',
    access: everyone,
    summary: 'Los segundos factores propios',
    response: SecondFactors,
  }),
  startTotp: endpoint({
    unenrolled: true,
    need: 'own',
    elevated: true,
    method: 'POST',
    path: '/api/v1/auth/second-factors/totp/',
    access: everyone,
    summary: 'Registrar una aplicación de códigos; vale desde que se confirma con uno',
    response: z.object({ secret: z.string(), uri: z.string() }),
  }),
  confirmTotp: endpoint({
    unenrolled: true,
    need: 'own',
    elevated: true,
    method: 'POST',
    path: '/api/v1/auth/second-factors/totp/confirm/',
    access: everyone,
    summary: 'Confirmar la aplicación de códigos con un código suyo, dentro de la hora siguiente a registrarla',
    body: TotpCode,
    response: RecoveryCodes,
    message: 'Segundo factor activado',
  }),
  startPasskey: endpoint({
    unenrolled: true,
    need: 'own',
    elevated: true,
    method: 'POST',
    path: '/api/v1/auth/second-factors/passkeys/options/',
    access: everyone,
    summary: 'Lo que el navegador necesita para crear una llave de acceso (passkey)',
    response: PasskeyQuestion,
  }),
  addPasskey: endpoint({
    unenrolled: true,
    need: 'own',
    elevated: true,
    method: 'POST',
    path: '/api/v1/auth/second-factors/passkeys/',
    access: everyone,
    summary: 'Registrar la llave de acceso (passkey) que el navegador creó',
    body: PasskeyAnswer.extend({ label: FactorLabel }),
    response: RecoveryCodes,
    status: 201,
    message: 'Llave de acceso registrada',
  }),
  renewRecoveryCodes: endpoint({
    need: 'own',
    elevated: true,
    method: 'POST',
    path: '/api/v1/auth/second-factors/recovery-codes/',
    access: everyone,
    summary: 'Diez códigos de recuperación nuevos; los anteriores dejan de valer',
    response: RecoveryCodes,
  }),
  remove: endpoint({
    need: 'own',
    elevated: true,
    method: 'DELETE',
    path: '/api/v1/auth/second-factors/:id/',
    access: everyone,
    summary: 'Quitar un segundo factor propio',
    params: IdParams,
    status: 204,
  }),
}
