import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ComponentProps, ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import type { Rights } from '#contract/auth.ts'
import type { Role } from '#contract/roles.ts'
import { AuthContext } from './auth/auth-context.tsx'
import { rightsQuery } from './auth/rights.ts'

/** What became of all that a screen asks for. */
type Asked = 'waiting' | 'failed' | { answer: unknown }

/** Each question is born with what became of it, so that nobody has to know how the questions of a screen are called. */
class KnowingCache extends QueryCache {
  readonly #asked: Asked
  constructor(asked: Asked) {
    super()
    this.#asked = asked
  }
  override build: QueryCache['build'] = (client, options, state) => {
    const isNew = options.queryKey !== undefined && !this.find({ queryKey: options.queryKey, exact: true })
    const query = QueryCache.prototype.build.call(this, client, options as never, state as undefined)
    if (isNew && this.#asked === 'failed') query.setState({ status: 'error', error: new Error('Sin conexión') })
    if (isNew && typeof this.#asked === 'object')
      query.setState({ status: 'success', data: this.#asked.answer as never, dataUpdatedAt: Date.now() })
    return query as never
  }
}

type Auth = ComponentProps<typeof AuthContext>['value']

interface Look {
  role: Role
  /** What stands behind the path of the address: '?q=nadie'. */
  search?: string
  asked: Asked
}

const ALL_RIGHTS: Rights = {
  duty: 'owner',
  reads_only: null,
  manages_people: true,
  factor: 'fine',
  factor_due: null,
  must_choose_password: false,
}

/** The texts of a screen as it is drawn without a browser, element by element, for who may do everything there. */
export function textsOf(Screen: ComponentType, { role, search = '', asked }: Look): string[] {
  const client = new QueryClient({
    queryCache: new KnowingCache(asked),
    defaultOptions: { queries: { retryOnMount: false } },
  })
  client.setQueryData(rightsQuery().queryKey, ALL_RIGHTS)
  const user = { id: 1, email: 'ana@pruebas.mx', role, issuer_id: 1, affiliate_id: 1 }
  const router = createMemoryRouter([{ path: '*', element: <Screen /> }], { initialEntries: [`/${search}`] })
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <AuthContext value={{ user, signedIn: true } as Auth}>
        <RouterProvider router={router} />
      </AuthContext>
    </QueryClientProvider>,
  )
  return markup.split(/<[^>]*>/).filter((text) => text.trim() !== '')
}
