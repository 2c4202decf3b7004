import { LoginAnswer } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { IdParams } from './fields.ts'

export const VIEW_MINUTES = 30
export const NOT_AS_ADMIN = 'No es posible ver Afluente como un administrador'

export const viewAs = {
  start: endpoint({
    need: 'people',
    elevated: true,
    method: 'POST',
    path: '/api/v1/auth/users/:id/view-as/',
    access: ['admin'],
    summary: 'Ver Afluente como una persona de un emisor o afiliado: treinta minutos, solo consulta y sin claves',
    params: IdParams,
    response: LoginAnswer,
    status: 201,
  }),
}
