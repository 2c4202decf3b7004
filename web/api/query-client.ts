import {
  MutationCache,
  type MutationKey,
  QueryCache,
  QueryClient,
  type QueryKey,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { SESSION_EXPIRED } from '#contract/auth.ts'
import { toast } from '#web/ui/toast.ts'
import { ApiError, ELEVATION_CANCELLED } from './errors.ts'
import { keys } from './queries.ts'
import { saved } from './saved.ts'
import { session } from './session.ts'

interface Meta extends Record<string, unknown> {
  /** No toast when it fails: the screen says it, or nobody needs to know. */
  quiet?: boolean
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: Meta
    mutationMeta: Meta
  }
}

const ERROR_SHOWN_MS = 8000
/** What has to be done before anything else. */
const GATES: (string | undefined)[] = ['OWN_PASSWORD_REQUIRED', 'SECOND_FACTOR_REQUIRED']

/** The one place where failed loads and saves are announced. The same text is shown once, however many calls failed. */
function announce(error: Error, meta: Meta | undefined) {
  // Whoever stopped it knows.
  if (error.name === 'AbortError') return
  if (error instanceof ApiError && error.code === ELEVATION_CANCELLED) return
  // The gate around every screen says it.
  if (error instanceof ApiError && GATES.includes(error.code)) {
    void queryClient.invalidateQueries({ queryKey: keys.rights })
    return
  }
  if (meta?.quiet) return
  const text = error.message || 'Ocurrió un error'
  toast.error('Error', { id: text, description: text, duration: ERROR_SHOWN_MS })
}

// Queries in flight are cancelled with their screen, so the expiry is announced here.
session.onExpired(() => announce(new Error(SESSION_EXPIRED), undefined))

/** The server would refuse again; every other error is retried once. */
const retryOnce = (failures: number, error: Error): boolean =>
  failures < 1 && !(error instanceof ApiError && error.status >= 400 && error.status < 500)

export const MINUTE_MS = 60_000

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => announce(error, query.meta) }),
  mutationCache: new MutationCache({
    onError: (error, _values, _result, mutation) => announce(error, mutation.meta),
  }),
  defaultOptions: {
    queries: {
      staleTime: 5 * MINUTE_MS,
      gcTime: 10 * MINUTE_MS,
      retry: retryOnce,
      refetchOnWindowFocus: false,
      // Offline, a call should fail and say so instead of waiting behind a skeleton.
      networkMode: 'always',
    },
    mutations: { retry: 0, networkMode: 'always' },
  },
})

type Start<Values, Result> = UseMutationResult<Result, Error, Values>['mutate']

/**
 * A mutation that cannot start while it runs: the second click of a double click comes before the button is rendered
 * busy. Those of a scope wait for each other instead.
 */
export function useSingleMutation<Values, Result>(
  options: UseMutationOptions<Result, Error, Values>,
): UseMutationResult<Result, Error, Values> {
  const { mutate, ...mutation } = useMutation(options)
  const started = useRef(false)
  // It is pending from the moment it starts, before the next render.
  useEffect(() => {
    started.current = mutation.isPending
  })
  const start = useCallback<Start<Values, Result>>(
    (...values) => {
      if (started.current && !options.scope) return
      started.current = true
      mutate(...values)
    },
    [mutate, options.scope],
  )
  return { ...mutation, mutate: start } as UseMutationResult<Result, Error, Values>
}

interface Save<Values, Result> {
  /** A creation sends the key, one for as long as its form is open: however often it is sent, it is written once (D27). */
  save: (values: Values, requestKey: string) => Promise<Result>
  /** The toast of success; nothing when the caller shows its own. */
  success: string | ((result: Result, values: Values) => string | undefined)
  /** The lists that show the row and so must load again. */
  refreshes: readonly QueryKey[]
  /** The list with the row that is the answer: whoever edits it before the list is loaded begins with what was saved. */
  list?: QueryKey
  meta?: Meta
  /** A key by which other components can see that such a save is running. */
  key?: MutationKey
  /** Saves of one scope are sent one after the other, also once their screen is left. */
  scope?: string
}

/** Cancels loads that began before the change, which could return the state before it. */
export async function reload(client: QueryClient, queryKey: QueryKey): Promise<void> {
  await client.cancelQueries({ queryKey })
  await client.invalidateQueries({ queryKey })
}

/** In its list, and alone. Cancels a load first: when it is cancelled afterwards, the rows are again what they were. */
async function showSaved(client: QueryClient, list: QueryKey, row: { id: number }): Promise<void> {
  const alone = [...list, row.id]
  for (const queryKey of [list, alone]) await client.cancelQueries({ queryKey, exact: true })
  client.setQueryData<{ id: number }[]>(list, (rows) => rows?.map((each) => (each.id === row.id ? row : each)))
  client.setQueryData(alone, (known: unknown) => known && row)
}

/** Not `randomUUID`, which a page without https does not have. */
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-')

const PERHAPS_SAVED = 'Lo que enviaste antes quizá ya se guardó. Cierra esta ventana y revisa la lista.'

/** Somebody else changed or removed the row; or nobody heard what became of the save. */
const isOutdated = (error: Error): boolean =>
  error instanceof ApiError &&
  ([0, 404, 409, 412].includes(error.status) || error.status >= 500 || error.code === 'IDEMPOTENCY_MISMATCH')

/** A create, update or delete: calls, announces, and reloads the lists that it changed. */
export function useSave<Values, Result>({ save, success, refreshes, list, meta, key, scope }: Save<Values, Result>) {
  const client = useQueryClient()
  const [requestKey] = useState(randomKey)
  const reloadAll = () => {
    for (const queryKey of refreshes) void reload(client, queryKey)
  }
  const unanswered = useRef(false)
  return useSingleMutation<Values, Result>({
    mutationFn: (values) =>
      save(values, requestKey).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        const isOwn = unanswered.current && error.status === 412
        unanswered.current ||= error.status === 0 || error.status >= 500
        throw isOwn ? new ApiError(error.status, PERHAPS_SAVED) : error
      }),
    ...(meta && { meta }),
    ...(key && { mutationKey: key }),
    ...(scope && { scope: { id: scope } }),
    onSuccess: async (result, values) => {
      if (list) await showSaved(client, list, result as { id: number })
      const text = typeof success === 'string' ? success : success(result, values)
      if (text) toast.success(text)
      saved.mark(result, values)
      reloadAll()
    },
    onError: (error) => {
      if (isOutdated(error)) reloadAll()
    },
  })
}
