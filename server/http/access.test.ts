import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { Duty, fulfils, ReadsOnly } from '#contract/duties.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { KeyScope, opens } from '#contract/key-scopes.ts'
import { everyone, type Role } from '#contract/roles.ts'
import type { KeyReader, Viewer } from '../viewer.ts'
import { hooksOf } from './access.ts'
import { AppError } from './errors.ts'
import type { App } from './http.ts'

// Everybody who may ask, for every call: what `server/access.test.ts` and `server/duties.test.ts` ask over HTTP for one of each.

const SIDES = {
  admin: { role: 'admin' },
  issuer: { role: 'issuer', issuerId: 1 },
  affiliate: { role: 'affiliate', affiliateId: 1 },
} as const
const caller = { name: 'Eva Luna', duty: 'owner', requestId: 'x', address: '127.0.0.1' } as const
const states = { elevated: true, readOnly: false, lacksFactor: false, hasGivenPassword: false }
const person = (role: Role, changes: Partial<Viewer> = {}) =>
  ({ ...caller, userId: 1, sessionId: 'x', ...states, ...SIDES[role], ...changes }) as Viewer
const system = (role: Role, scope: KeyScope): KeyReader => ({ ...caller, keyId: 1, scope, ...SIDES[role] })

/** The code of the refusal and its words, or 'let in'. */
async function outcome(endpoint: Endpoint, { viewer, key }: { viewer?: Viewer; key?: KeyReader }): Promise<string> {
  const app = {
    findViewer: async () => viewer,
    findKeyReader: async () => key,
    limitViewer: async () => undefined,
    limitKeyReader: async () => undefined,
  } as unknown as App
  const headers = key ? { 'x-api-key': 'a key' } : {}
  try {
    await hooksOf(app, endpoint).onRequest({ headers } as FastifyRequest)
    return 'let in'
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.code === 'FORBIDDEN' ? error.message : error.code
  }
}

const forRoles = allEndpoints.filter(({ endpoint }) => Array.isArray(endpoint.access))
const isFor = ({ access }: Endpoint, role: Role) => (access as readonly Role[]).includes(role)
const NOT_OF_ROLE = 'No tienes permisos para realizar esta acción'

interface Case {
  who: string
  viewer?: Viewer
  key?: KeyReader
}

/** The calls, by name and by who asked, that were not answered as `expected` says. */
async function surprises(cases: Case[], expected: (endpoint: Endpoint, case_: Case) => string): Promise<string[]> {
  const found: string[] = []
  for (const { name, endpoint } of forRoles)
    for (const each of cases) {
      const [is, should] = [await outcome(endpoint, each), expected(endpoint, each)]
      if (is !== should) found.push(`${name} by ${each.who}: ${is}, not ${should}`)
    }
  return found
}

const roleOf = ({ viewer, key }: Case) => (viewer ?? key)?.role as Role

test('a call is for its roles and the duties that it needs, and for nobody else', async () => {
  const cases = everyone.flatMap((role) =>
    Duty.options.map((duty) => ({ who: `${role} ${duty}`, viewer: person(role, { duty }) })),
  )
  const wrong = await surprises(cases, (endpoint, { viewer }) => {
    const { duty = 'owner', role = 'admin' } = viewer ?? {}
    if (!isFor(endpoint, role)) return NOT_OF_ROLE
    if (fulfils(duty, endpoint.need)) return 'let in'
    return duty === 'reader' && endpoint.method !== 'GET'
      ? 'Tu perfil es de consulta'
      : 'Tu perfil no incluye esta acción'
  })
  expect(wrong).toEqual([])
})

test('nobody who did not say who they are gets into what is for roles', async () => {
  expect(await surprises([{ who: 'a visitor' }], () => 'UNAUTHENTICATED')).toEqual([])
})

const perRole = (who: string, changes: Partial<Viewer>): Case[] =>
  everyone.map((role) => ({ who: `${role} ${who}`, viewer: person(role, changes) }))

test('an inactive company reads, and changes only what is of each person', async () => {
  const wrong = await surprises(perRole('of an inactive company', { readOnly: true }), (endpoint, each) => {
    if (!isFor(endpoint, roleOf(each))) return NOT_OF_ROLE
    const writes = endpoint.method !== 'GET' && endpoint.need !== 'own'
    return writes ? 'La empresa está inactiva: solo es posible consultar' : 'let in'
  })
  expect(wrong).toEqual([])
})

test('who sees as somebody else reads, and neither changes anything nor sees what needs a confirmation', async () => {
  const wrong = await surprises(perRole('seen', { impersonator: { id: 2, name: 'Ana' } }), (endpoint, each) => {
    if (endpoint.method !== 'GET' || endpoint.elevated) return 'VIEW_ONLY'
    return isFor(endpoint, roleOf(each)) ? 'let in' : NOT_OF_ROLE
  })
  expect(wrong).toEqual([])
  expect(ReadsOnly.options).toEqual(['view', 'company'])
})

test.each([
  ['must choose a password', { hasGivenPassword: true, lacksFactor: true }, 'givenPassword', 'OWN_PASSWORD_REQUIRED'],
  ['must register a factor', { lacksFactor: true }, 'unenrolled', 'SECOND_FACTOR_REQUIRED'],
] as const)('who %s gets to that and to nothing else', async (who, changes, door, code) => {
  const wrong = await surprises(perRole(`who ${who}`, changes), (endpoint, each) => {
    if (!isFor(endpoint, roleOf(each))) return NOT_OF_ROLE
    return endpoint[door] ? 'let in' : code
  })
  expect(wrong).toEqual([])
})

test('what needs a confirmation needs it of everybody', async () => {
  const wrong = await surprises(perRole('who has not confirmed', { elevated: false }), (endpoint, each) => {
    if (!isFor(endpoint, roleOf(each))) return NOT_OF_ROLE
    return endpoint.elevated ? 'ELEVATION_REQUIRED' : 'let in'
  })
  expect(wrong).toEqual([])
})

test('a key opens what is read with keys, to its role and by its scope', async () => {
  const cases = everyone.flatMap((role) =>
    KeyScope.options.map((scope) => ({ who: `a key of ${role}, ${scope}`, key: system(role, scope) })),
  )
  const wrong = await surprises(cases, (endpoint, { key }) => {
    if (endpoint.byKey === null)
      return 'Con una clave solo se consultan leads, comisiones, pagos, reportes y exportaciones'
    if (!key || !isFor(endpoint, key.role)) return NOT_OF_ROLE
    return opens(key.scope, endpoint.byKey) ? 'let in' : 'El alcance de la clave no incluye esta consulta'
  })
  expect(wrong).toEqual([])
})
