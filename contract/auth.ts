import { z } from 'zod'
import { Duty, ReadsOnly } from './duties.ts'
import { endpoint } from './endpoint.ts'
import { EMAIL_PATTERN, Moment, NewPassword, REQUIRED } from './fields.ts'
import { FactorCode, PasskeyAnswer, PasskeyQuestion } from './proofs.ts'
import { everyone } from './roles.ts'
import { cleanEmail } from './typed.ts'
import { User } from './users.ts'

/** One text for every reason, so that nobody learns which addresses have an account (security 2.4). */
export const LOGIN_REFUSED = 'Correo o contraseña incorrectos, o cuenta no disponible.'
export const SESSION_EXPIRED = 'Sesión expirada. Inicia sesión nuevamente.'
export const COMMON_PASSWORD = 'Esta contraseña es demasiado común. Elige otra.'
export const EASY_PASSWORD = 'Esta contraseña es demasiado fácil de adivinar. Elige otra.'
export const WRONG_CURRENT_PASSWORD = 'La contraseña actual no es correcta'
export const SAME_PASSWORD = 'Elige una contraseña distinta de la actual'
export const TOO_MANY_ATTEMPTS = 'Demasiados intentos. Espera un momento e inténtalo de nuevo.'

const LOGIN_EMAIL_FORMAT = 'El formato del correo electrónico no es válido. Ejemplo: usuario@empresa.com'

export const Login = z.object({
  email: z
    .string()
    .transform(cleanEmail)
    .pipe(
      z
        .string()
        .min(1, { error: 'El correo electrónico es requerido', abort: true })
        .max(254, LOGIN_EMAIL_FORMAT)
        .regex(EMAIL_PATTERN, LOGIN_EMAIL_FORMAT),
    ),
  password: z.string().min(6, 'La contraseña debe tener al menos 6 caracteres').max(1024),
})
export type Login = z.infer<typeof Login>

/** `user.last_login` is the one before this one. */
export const LoginAnswer = z.object({ access: z.string(), refresh: z.string(), user: User.omit({ duty: true }) })
export type LoginAnswer = z.infer<typeof LoginAnswer>

/** What is still to be shown by whose password was right, and how. */
export const SecondStep = z.object({
  challenge: z.string(),
  methods: z.array(z.enum(['totp', 'passkey', 'recovery'])),
})
export type SecondStep = z.infer<typeof SecondStep>

/** Who has a second factor gets the second form; everybody else the first. */
export const LoginResult = z.union([LoginAnswer, z.object({ second_factor: SecondStep })])
export type LoginResult = z.infer<typeof LoginResult>

export const ELEVATION_REQUIRED = 'Confirma que eres tú para continuar'
/** One of the three shows who somebody is. */
export const Proof = z
  .object({ password: z.string().max(1024), code: FactorCode, passkey: PasskeyAnswer })
  .partial()
  .refine((proof) => Object.values(proof).filter((one) => one !== undefined).length === 1, {
    path: ['password'],
    message: REQUIRED,
  })
export type Proof = z.infer<typeof Proof>
export const Elevation = z.object({ elevated_until: Moment })
export type Elevation = z.infer<typeof Elevation>

export const SecondLogin = z.object({ challenge: z.string().max(200), code: FactorCode })

/** What the screens offer this person besides what the role sees. */
export const Rights = z.object({
  duty: Duty,
  /** Nothing can be changed, whatever the duty. */
  reads_only: ReadsOnly.nullable(),
  /** Whether they change the people of their own company. */
  manages_people: z.boolean(),
  /** What their role asks of a second factor that they do not have: nothing, one, one from a day on, one before anything else. */
  factor: z.enum(['fine', 'asked', 'soon', 'due']),
  factor_due: Moment.nullable(),
  /** Somebody else typed their password, and their role has to choose an own one before anything else. */
  must_choose_password: z.boolean(),
})
export type Rights = z.infer<typeof Rights>

export const Session = z.object({
  id: z.string(),
  created_at: Moment,
  last_used_at: Moment,
  expires_at: Moment,
  user_agent: z.string(),
  address: z.string(),
  current: z.boolean(),
  /** An administrator sees the product as this person, who can end it. */
  is_view: z.boolean(),
})
export type Session = z.infer<typeof Session>

export const PasswordChange = z.object({
  current_password: z.string().min(1, REQUIRED).max(1024),
  new_password: NewPassword,
})

export const DemoAccount = z.object({ role: z.string(), email: z.string(), password: z.string() })

export const auth = {
  login: endpoint({
    method: 'POST',
    path: '/api/v1/auth/login/',
    access: 'public',
    summary: 'Iniciar sesión',
    body: Login,
    response: LoginResult,
  }),
  loginSecond: endpoint({
    method: 'POST',
    path: '/api/v1/auth/login/second/',
    access: 'public',
    summary: 'El segundo paso: un código de la aplicación o uno de recuperación',
    body: SecondLogin,
    response: LoginAnswer,
  }),
  passkeyOptions: endpoint({
    method: 'POST',
    path: '/api/v1/auth/login/passkey/options/',
    access: 'public',
    summary: 'Lo que el navegador necesita para entrar con una llave de acceso (passkey)',
    response: PasskeyQuestion,
  }),
  loginPasskey: endpoint({
    method: 'POST',
    path: '/api/v1/auth/login/passkey/',
    access: 'public',
    summary: 'Entrar con una llave de acceso (passkey), que vale por la contraseña y el segundo factor',
    body: PasskeyAnswer,
    response: LoginAnswer,
  }),
  /** The access token also stands at the top level of the answer (D3). */
  refresh: endpoint({
    method: 'POST',
    path: '/api/v1/token/refresh/',
    access: 'public',
    summary: 'Renovar el token de acceso',
    body: z.object({ refresh: z.string().max(512) }),
    response: z.object({ access: z.string() }),
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/v1/auth/logout/',
    access: 'public',
    summary: 'Cerrar sesión; también sin cuerpo, con el token de acceso',
    body: z.object({ refresh: z.string().max(512).optional() }).optional(),
  }),
  profile: endpoint({
    unenrolled: true,
    givenPassword: true,
    method: 'GET',
    path: '/api/v1/auth/profile/',
    access: everyone,
    summary: 'El usuario propio',
    response: User,
  }),
  rights: endpoint({
    unenrolled: true,
    givenPassword: true,
    method: 'GET',
    path: '/api/v1/auth/rights/',
    access: everyone,
    summary: 'El perfil propio y lo que permite',
    response: Rights,
  }),
  changePassword: endpoint({
    givenPassword: true,
    need: 'own',
    method: 'POST',
    path: '/api/v1/auth/password/change/',
    access: everyone,
    summary: 'Cambiar la contraseña propia; cierra las demás sesiones',
    body: PasswordChange,
    message: 'Contraseña actualizada exitosamente',
  }),
  elevate: endpoint({
    unenrolled: true,
    need: 'own',
    method: 'POST',
    path: '/api/v1/auth/elevate/',
    access: everyone,
    summary: 'Confirmar la identidad, con contraseña, código o llave de acceso; vale diez minutos en esta sesión',
    body: Proof,
    response: Elevation,
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/v1/auth/sessions/',
    access: everyone,
    summary: 'Las sesiones abiertas propias',
    response: z.array(Session),
  }),
  endSession: endpoint({
    need: 'own',
    method: 'DELETE',
    path: '/api/v1/auth/sessions/:id/',
    access: everyone,
    summary: 'Cerrar una sesión propia',
    params: z.object({ id: z.uuid() }),
    status: 204,
  }),
  /** Empty unless the server runs with demonstration data (D65). */
  demoAccounts: endpoint({
    method: 'GET',
    path: '/api/v1/auth/demo-accounts/',
    access: 'public',
    summary: 'Las cuentas de demostración, si las hay',
    response: z.array(DemoAccount),
  }),
}
