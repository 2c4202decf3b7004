import { makeUser, TestClient, type TestServer } from '../testing.ts'
import { hashPassword } from '../users/passwords.ts'

export const PASSWORD = 'una clave larga y tranquila'

const hashed = hashPassword(PASSWORD)

/** A user who can sign in with PASSWORD; an administrator by default. */
export const makeAccount = async (server: TestServer, columns: Record<string, unknown> = {}) =>
  makeUser(server.db, { role: 'admin' }, { password_hash: await hashed, ...columns })

export const signIn = (server: TestServer, email: string, password = PASSWORD, address = '198.51.100.1') =>
  server.anonymous.post('/api/v1/auth/login/', { email, password }, { headers: { 'x-forwarded-for': address } })

/** The tokens of a new session, and clients that use them. */
export async function openSession(server: TestServer, email: string) {
  const answer = await signIn(server, email)
  const { access, refresh } = answer.json().data as { access: string; refresh: string }
  return { access, refresh, client: bearing(server, access) }
}

export const bearing = (server: TestServer, token: string) =>
  new TestClient(server.origin, { authorization: `Bearer ${token}` })

export const refreshWith = (server: TestServer, refresh: unknown) =>
  server.anonymous.post('/api/v1/token/refresh/', { refresh })

export const trailOf = async (server: TestServer, userId: number | null) => {
  const entries = await server.db
    .selectFrom('audit_entry')
    .selectAll()
    .where('entity', '=', 'user')
    .where('entity_id', userId === null ? 'is' : '=', userId)
    .orderBy('id')
    .execute()
  return entries.map((entry) => entry.action)
}
