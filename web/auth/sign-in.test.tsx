import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#web/api/errors.ts'
import { session } from '#web/api/session.ts'
import { toast } from '#web/ui/toast.ts'
import { AuthProvider, useAuth } from './auth-context.tsx'
import { loginNotices } from './login-notices.ts'

const stored = new Map<string, string>()
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
}
beforeEach(() => {
  stored.clear()
  // Node has neither.
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('sessionStorage', storage)
})
afterAll(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

type Login = ReturnType<typeof useAuth>['login']

function Form({ take }: { take: (login: Login) => void }) {
  take(useAuth().login)
  return null
}

/** Signs in where the server gives this answer. */
async function signIn(status: number, answer: unknown) {
  const headers = { 'content-type': 'application/json' }
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(answer), { status, headers }))
  let login: Login | undefined
  const take = (given: Login) => {
    login = given
  }
  renderToString(
    <QueryClientProvider client={new QueryClient()}>
      <AuthProvider>
        <Form take={take} />
      </AuthProvider>
    </QueryClientProvider>,
  )
  if (!login) throw new Error('Nothing was drawn')
  return (login as Login).mutateAsync({ email: 'ana@mail.com', password: '123456' })
}

const success = (data: unknown) => ({ success: true, data, message: null, errors: null, meta: {} })
const user = { id: 1, email: 'ana@mail.com', full_name: 'Ana Paz', role: 'admin' }
const tokens = { access: 'a', refresh: 'r' }

test.each([
  ['as user', { ...tokens, user }],
  ['beside the tokens', { ...tokens, ...user }],
])('the person may stand in the answer %s', async (_, data) => {
  expect(await signIn(200, success(data))).toEqual(user)
  expect([session.accessToken(), session.refreshToken(), session.user()]).toEqual(['a', 'r', user])
})

test.each([
  ['a refusal without a word', 400, { message: '' }, 'No se pudo iniciar sesión. Inténtalo de nuevo.'],
  ['an answer without the refresh token', 200, success({ access: 'a', user }), 'Respuesta inválida del servidor'],
  ['an answer without the access token', 200, success({ refresh: 'r', user }), 'Respuesta inválida del servidor'],
  ['an answer without anything', 200, success(null), 'Respuesta inválida del servidor'],
])('%s opens no session and says so', async (_, status, answer, text) => {
  await expect(signIn(status, answer)).rejects.toThrow(text)
  expect([...stored.keys()]).toEqual([])
})

test('who is asked for a second step is not signed in yet', async () => {
  const second_factor = { challenge: 'c', methods: ['totp'] }
  expect(await signIn(200, success({ second_factor }))).toBeUndefined()
  expect([...stored.keys()]).toEqual([])
})

test.each([
  [new ApiError(401, 'Correo o contraseña incorrectos'), 'Correo o contraseña incorrectos'],
  [new TypeError('x is not a function'), 'Error de conexión. Inténtalo de nuevo.'],
])('%s reads %j', (error, description) => {
  const told = vi.spyOn(toast, 'error').mockImplementation(() => {})
  loginNotices.onError(error)
  expect(told).toHaveBeenLastCalledWith('Error de inicio de sesión', expect.objectContaining({ description }))
})
