import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { cleanText } from '#contract/fields.ts'
import type { Role } from '#contract/roles.ts'
import type { Actor, PersonActor } from '../audit.ts'
import { addressOf } from '../http/addresses.ts'

interface Named {
  id: number
  first_name: string
  last_name: string
  role: string
}

/** Where a call without a viewer comes from. */
export interface Origin {
  address: string
  userAgent: string
  log: FastifyBaseLogger
  /** The user whose password or refresh token this call has proved to know. */
  actor: (user: Named) => PersonActor
  stranger: Actor
}

export function originOf(request: FastifyRequest): Origin {
  const address = addressOf(request)
  const seen = { requestId: request.id, address }
  return {
    address,
    userAgent: cleanText(request.headers['user-agent'] ?? '').slice(0, 255),
    log: request.log,
    actor: ({ id, first_name, last_name, role }) => ({
      ...seen,
      userId: id,
      name: `${first_name} ${last_name}`,
      role: role as Role,
    }),
    stranger: { ...seen, role: 'system', name: '' },
  }
}
