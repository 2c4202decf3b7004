import { z } from 'zod'
import { AccessLink } from './access-links.ts'
import { Duty } from './duties.ts'
import { endpoint } from './endpoint.ts'
import { Email, Id, IdParams, ListQuery, Moment, NewPassword, PersonName, QueryId, REQUIRED } from './fields.ts'
import { Role } from './roles.ts'

export const UserStatus = z.enum(['active', 'inactive', 'suspended'], 'Estado es requerido')
export type UserStatus = z.infer<typeof UserStatus>
export const userStatusLabels: Record<UserStatus, string> = {
  active: 'Activo',
  inactive: 'Inactivo',
  suspended: 'Suspendido',
}

export const EMAIL_IN_USE = 'Ya existe un usuario con este email'
/** How the form says it beside the address (specification section 5). */
export const EMAIL_TAKEN = 'Este correo ya está en uso.'
export const USER_SAVE_FAILED = 'Ocurrió un error al procesar la solicitud'
export const ASSOCIATION_REQUIRED = 'Debe seleccionar la asociación correspondiente según el rol'

/** Some administrator who can sign in must remain (D10). */
export const LAST_ADMIN = 'No es posible: es el último administrador activo'
/** The same of a company's own people. */
export const LAST_OWNER = 'No es posible: es el último Responsable activo de la empresa'
export const SELF_ACTION = 'No puedes eliminar, desactivar ni cambiar el rol de tu propio usuario'
export const SELF_FACTORS = 'Quita tus propios factores en Configuración'
export const SELF_PASSWORD = 'Cambia tu propia contraseña en Configuración'

export const User = z.object({
  id: Id,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  full_name: z.string(),
  role: Role,
  duty: Duty,
  user_status: UserStatus,
  last_login: Moment.nullable(),
  created_at: Moment,
  updated_at: Moment,
  issuer_id: Id.nullable(),
  affiliate_id: Id.nullable(),
  affiliate_name: z.string().nullable(),
  issuer_name: z.string().nullable(),
})
export type User = z.infer<typeof User>

const person = { email: Email, first_name: PersonName, last_name: PersonName }
const association = { role: Role, duty: Duty.optional(), affiliate_id: Id.nullish(), issuer_id: Id.nullish() }

interface Association {
  role?: Role | undefined
  affiliate_id?: number | null | undefined
  issuer_id?: number | null | undefined
}

/**
 * An affiliate's person needs the affiliate, an issuer's person the issuer (specification section 5). Said even while
 * other fields are still wrong, so that a form says all it has to say at once.
 */
const associated = <S extends z.ZodType<Association>>(schema: S): S =>
  (['affiliate', 'issuer'] as const).reduce(
    (checked, role) =>
      checked.refine((user: Association | null | undefined) => user?.role !== role || user[`${role}_id`], {
        path: [`${role}_id`],
        message: ASSOCIATION_REQUIRED,
        when: () => true,
      }),
    schema,
  )

/** A first password, or a link with which the person chooses it. */
const entrance = { password: NewPassword.optional(), invite: z.boolean('invite debe ser true o false').optional() }

const enterable = <S extends z.ZodType<{ password?: string | undefined; invite?: boolean | undefined }>>(
  schema: S,
): S =>
  schema.refine((user) => user?.invite || user?.password !== undefined, {
    path: ['password'],
    message: REQUIRED,
    when: () => true,
  })

export const UserCreate = enterable(associated(z.object({ ...person, ...entrance, ...association })))
export type UserCreate = z.infer<typeof UserCreate>

export const CreatedUser = User.extend({ invitation: AccessLink.optional() })
export type CreatedUser = z.infer<typeof CreatedUser>

/** What the forms also ask: the status of a new user travels once the user exists (decisions). */
export const UserCreateForm = enterable(
  associated(z.object({ ...person, ...entrance, ...association, user_status: UserStatus })),
)
export type UserCreateForm = z.infer<typeof UserCreateForm>
export const UserEditForm = associated(z.object({ ...person, ...association, user_status: UserStatus }))
export type UserEditForm = z.infer<typeof UserEditForm>

/** The admin user that is created together with a company. */
export const NestedUser = z.object({ ...person, password: NewPassword })
export type NestedUser = z.infer<typeof NestedUser>
/** The forms make that person in a second call, which can also invite. */
export const FirstPerson = enterable(z.object({ ...person, ...entrance }))
export type FirstPerson = z.infer<typeof FirstPerson>

/** Known fields are merged (D16); a password is ignored here (D15). */
export const UserUpdate = z.object({ id: Id, ...person, ...association, user_status: UserStatus }).partial()
export type UserUpdate = z.infer<typeof UserUpdate>

export const UserFilters = ListQuery.extend({
  role: Role.optional(),
  user_status: UserStatus.optional(),
  association: z.literal('none').optional(),
  association_type: z.enum(['affiliate', 'issuer']).optional(),
  association_id: QueryId.optional(),
})
export type UserFilters = z.infer<typeof UserFilters>

export const PasswordReset = z.object({ password: NewPassword })

export const users = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/auth/users/',
    access: ['admin'],
    summary: 'Usuarios',
    query: UserFilters,
    response: z.array(User),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/auth/users/:id/',
    access: ['admin'],
    summary: 'Un usuario',
    params: IdParams,
    response: User,
  }),
  create: endpoint({
    need: 'people',
    elevated: true,
    method: 'POST',
    path: '/api/v1/auth/users/',
    access: ['admin'],
    summary: 'Crear un usuario',
    body: UserCreate,
    response: CreatedUser,
    status: 201,
    message: 'Usuario creado exitosamente',
  }),
  update: endpoint({
    need: 'people',
    elevated: true,
    method: 'PUT',
    path: '/api/v1/auth/users/:id/',
    access: ['admin'],
    summary: 'Actualizar un usuario',
    params: IdParams,
    body: UserUpdate,
    response: User,
    message: 'Usuario actualizado exitosamente',
  }),
  remove: endpoint({
    need: 'people',
    elevated: true,
    method: 'DELETE',
    path: '/api/v1/auth/users/:id/',
    access: ['admin'],
    summary: 'Eliminar un usuario',
    params: IdParams,
    status: 204,
  }),
  resetPassword: endpoint({
    need: 'people',
    elevated: true,
    method: 'POST',
    path: '/api/v1/auth/users/:id/password/',
    access: ['admin'],
    summary: 'Poner una contraseña y cerrar las sesiones del usuario',
    params: IdParams,
    body: PasswordReset,
    message: 'Contraseña restablecida exitosamente',
  }),
  removeFactors: endpoint({
    need: 'people',
    elevated: true,
    method: 'DELETE',
    path: '/api/v1/auth/users/:id/second-factors/',
    access: ['admin'],
    summary: 'Quitar los segundos factores de un usuario que los perdió; cierra sus sesiones',
    params: IdParams,
    status: 204,
  }),
  endSessions: endpoint({
    need: 'people',
    method: 'DELETE',
    path: '/api/v1/auth/users/:id/sessions/',
    access: ['admin'],
    summary: 'Cerrar las sesiones de un usuario',
    params: IdParams,
    status: 204,
  }),
}
