import { type QueryClient, type UseMutationResult, useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import type { z } from 'zod'
import { auth, type Login, type LoginAnswer, type SecondLogin, type SecondStep } from '#contract/auth.ts'
import type { User } from '#contract/users.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/errors.ts'
import { useSingleMutation } from '#web/api/query-client.ts'
import { type SessionUser, session } from '#web/api/session.ts'
import { toast } from '#web/ui/toast.ts'

interface Auth {
  /** Null when signed out, or when the stored user cannot be read. */
  user: SessionUser | null
  signedIn: boolean
  /** After an explicit sign-out, the next sign-in does not return to the old location. */
  leaving: boolean
  /** Undefined: a second step is to follow, `step`. */
  login: UseMutationResult<SessionUser | undefined, Error, Login>
  step: SecondStep | undefined
  second: UseMutationResult<SessionUser, Error, z.output<typeof SecondLogin>>
  passkey: UseMutationResult<SessionUser, Error, undefined>
  /** Back to the password. */
  startOver: () => void
  logout: () => void
}

export const AuthContext = createContext<Auth | undefined>(undefined)

/** For pages rendered at build time. */
const nobody = () => false

export function AuthProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const signedIn = useSyncExternalStore(session.subscribe, () => session.accessToken() !== null, nobody)
  const user = useSyncExternalStore(session.subscribe, session.user, () => null)
  const [leaving, setLeaving] = useState(false)
  const [step, setStep] = useState<SecondStep>()
  const startOver = useCallback(() => setStep(undefined), [])
  const entered = () => {
    setLeaving(false)
    setStep(undefined)
  }
  const login = useSingleMutation({
    mutationFn: async (credentials: Login) => {
      const answer = await call(auth.login, { body: credentials, fallback: FALLBACK })
      if (!isStep(answer)) return open(answer, client)
      setStep(answer.second_factor)
      return undefined
    },
    meta: { quiet: true },
    onSuccess: (user) => user && entered(),
  })
  const second = useSingleMutation({
    mutationFn: async (body: z.output<typeof SecondLogin>) => open(await call(auth.loginSecond, { body }), client),
    meta: { quiet: true },
    onSuccess: entered,
  })
  const passkey = useSingleMutation({
    mutationFn: async (_: undefined) => {
      const { askPasskey } = await import('#web/second-factors/queries.ts')
      return open(await call(auth.loginPasskey, { body: await askPasskey() }), client)
    },
    meta: { quiet: true },
    onSuccess: entered,
  })

  const leave = useCallback(() => {
    setLeaving(true)
    void client.cancelQueries()
    client.removeQueries()
    toast.success('Sesión cerrada', { description: 'Has salido de tu cuenta.' })
  }, [client])

  const logout = useCallback(() => {
    // The session of the page to come is not this one.
    if (session.isLeft()) {
      session.leaveAgain()
      return
    }
    // Revokes the session without making the person wait.
    const ended = revoke(session.refreshToken())
    if (session.isView()) {
      // The page is left, which would take the call with it.
      void ended.finally(session.endView)
      return
    }
    session.logout()
    leave()
  }, [leave])

  useEffect(
    () =>
      session.onEndedElsewhere(() => {
        for (const refresh of session.refreshTokens()) void revoke(refresh)
        session.clear()
        leave()
      }),
    [leave],
  )

  const value = useMemo(
    () => ({ user, signedIn, leaving, login, step, second, passkey, startOver, logout }),
    [user, signedIn, leaving, login, step, second, passkey, startOver, logout],
  )
  return <AuthContext value={value}>{children}</AuthContext>
}

export function useAuth(): Auth {
  const value = use(AuthContext)
  if (!value) throw new Error('useAuth debe usarse dentro de AuthProvider')
  return value
}

const revoke = (refresh: string | null) =>
  call(auth.logout, { body: refresh ? { refresh } : {} }).catch((error: unknown) => console.error('logout', error))

const FALLBACK = 'No se pudo iniciar sesión. Inténtalo de nuevo.'

const isStep = (answer: unknown): answer is { second_factor: SecondStep } =>
  typeof answer === 'object' && answer !== null && 'second_factor' in answer

function open(data: LoginAnswer, client: QueryClient): SessionUser {
  const answer = loginAnswer(data)
  // Nothing cached for the last person may be shown to the next.
  client.removeQueries()
  session.open(answer, answer.user)
  return session.user() ?? { email: '' }
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
