import { type QueryClient, type UseMutationResult, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import { toast } from 'sonner'
import { auth, type Login } from '#contract/auth.ts'
import type { User } from '#contract/users.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/errors.ts'
import { useSingleMutation } from '#web/api/query-client.ts'
import { type SessionUser, session } from '#web/api/session.ts'

interface Auth {
  /** Null when signed out, or when the stored user cannot be read. */
  user: SessionUser | null
  signedIn: boolean
  /** After an explicit sign-out, the next sign-in does not return to the old location. */
  leaving: boolean
  login: UseMutationResult<SessionUser, Error, Login>
  logout: () => void
}

const AuthContext = createContext<Auth | undefined>(undefined)

/** For pages rendered at build time. */
const nobody = () => false

export function AuthProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const signedIn = useSyncExternalStore(session.subscribe, () => session.accessToken() !== null, nobody)
  const user = useSyncExternalStore(session.subscribe, session.user, () => null)
  const [leaving, setLeaving] = useState(false)
  const login = useSingleMutation({
    mutationFn: (credentials: Login) => signIn(credentials, client),
    meta: { quiet: true },
    onSuccess: () => setLeaving(false),
  })

  const logout = useCallback(() => {
    // Revokes the session without making the person wait.
    const refresh = session.refreshToken()
    call(auth.logout, { body: refresh ? { refresh } : {} }).catch((error: unknown) => console.error('logout', error))
    setLeaving(true)
    session.clear()
    void client.cancelQueries()
    client.removeQueries()
    toast.success('Sesión cerrada', { description: 'Has salido de tu cuenta.' })
  }, [client])

  const value = useMemo(() => ({ user, signedIn, leaving, login, logout }), [user, signedIn, leaving, login, logout])
  return <AuthContext value={value}>{children}</AuthContext>
}

export function useAuth(): Auth {
  const value = use(AuthContext)
  if (!value) throw new Error('useAuth debe usarse dentro de AuthProvider')
  return value
}

const FALLBACK = 'No se pudo iniciar sesión. Inténtalo de nuevo.'

async function signIn(credentials: Login, client: QueryClient): Promise<SessionUser> {
  const answer = loginAnswer(await call(auth.login, { body: credentials, fallback: FALLBACK }))
  // Nothing cached for the last person may be shown to the next.
  client.removeQueries()
  session.open(answer, answer.user)
  return session.user() ?? { email: credentials.email }
}

/** The person may stand in the answer nested as `user` or flat beside the tokens. */
function loginAnswer(data: unknown): { access: string; refresh: string; user: Partial<User> } {
  const { access, refresh, user, ...flat } = (data ?? {}) as Record<string, unknown>
  if (typeof access !== 'string' || typeof refresh !== 'string' || !access || !refresh) {
    throw new ApiError(200, 'Respuesta inválida del servidor')
  }
  return { access, refresh, user: (user ?? flat) as Partial<User> }
}

/** The full name, else the first name, else the address. */
export const nameOf = (user: SessionUser | null): string => user?.full_name || user?.first_name || user?.email || ''
