import type { User } from '#contract/users.ts'
import { paths } from '#web/paths.ts'

const ACCESS = 'accessToken'
const REFRESH = 'refreshToken'
const USER = 'authUser'
/** One's own session, while one sees the product as somebody else. */
const OWN = 'ownSession'
const KEPT = [ACCESS, REFRESH, USER]

/** All that the browser stores of the person: identity, role and company (ASVS 14.3.3). */
const kinds = {
  id: 'number',
  first_name: 'string',
  last_name: 'string',
  full_name: 'string',
  role: 'string',
  affiliate_id: 'number',
  issuer_id: 'number',
} as const
type Kinds = { number: number; string: string }
export type SessionUser = { email: string } & { [Name in keyof typeof kinds]?: Kinds[(typeof kinds)[Name]] | null }

/** By hand: what every screen needs does without zod. */
function sessionUser(given: object): SessionUser {
  const { email, ...rest } = given as Record<string, unknown>
  const known = Object.entries(kinds).flatMap(([name, kind]) => {
    const value = rest[name]
    if (value === undefined) return []
    if (value !== null && typeof value !== kind) throw new TypeError(`${name} no es ${kind}`)
    return [[name, value]]
  })
  return { email: typeof email === 'string' ? email : '', ...Object.fromEntries(known) }
}

/** A session as another tab of this browser takes it over. */
export type Shared = [key: string, value: string][]

const listeners = new Set<() => void>()
const expiryListeners = new Set<() => void>()
const elsewhereListeners = new Set<() => void>()
let tellLogout: ((person: number) => void) | undefined
let known: { stored: string | null; user: SessionUser | null } = { stored: null, user: null }

function parseUser(stored: string): SessionUser | null {
  try {
    return sessionUser(JSON.parse(stored))
  } catch (error) {
    console.error(`${USER} no se puede leer`, error)
    return null
  }
}

function changed() {
  for (const listener of listeners) listener()
}

/** A page that has not come by then was stopped, or its line is slow: asked for earlier, it would begin anew. */
export const STOPPED_MS = 10_000
let leftAt = 0

const reloadKept = ({ persisted }: PageTransitionEvent) => {
  if (persisted) location.reload()
}

/** To the other session's page: this one is there until that one comes, and the browser may bring it back as it was. */
function leave() {
  leftAt = Date.now()
  addEventListener('pageshow', reloadKept)
  location.assign(session.isView() ? paths.dashboard : paths.admin.users)
}

/** Of the page as it was loaded; one drawn at build time has no storage. */
let isPageOfView = globalThis.sessionStorage?.getItem(OWN) != null

/** What is kept while one sees the product as somebody else. */
const ownSession = (): Map<string, string | null> => new Map(JSON.parse(sessionStorage.getItem(OWN) ?? '[]'))

/** The one place that touches the browser's session storage. */
export const session = {
  accessToken: (): string | null => sessionStorage.getItem(ACCESS),
  refreshToken: (): string | null => sessionStorage.getItem(REFRESH),

  /** The same object while the stored text is the same, so that React can compare it. */
  user(): SessionUser | null {
    const stored = sessionStorage.getItem(USER)
    if (stored !== known.stored) known = { stored, user: stored === null ? null : parseUser(stored) }
    return known.user
  },

  open(tokens: { access: string; refresh: string }, user: Partial<User>) {
    sessionStorage.setItem(ACCESS, tokens.access)
    sessionStorage.setItem(REFRESH, tokens.refresh)
    sessionStorage.setItem(USER, JSON.stringify(sessionUser(user)))
    changed()
  },

  replaceAccess(access: string) {
    sessionStorage.setItem(ACCESS, access)
  },

  /** Whether the product is seen as somebody else. */
  isView: (): boolean => sessionStorage.getItem(OWN) !== null,

  /** A view began or ended, and its page is still on its way: what is alive in this one must not act with those tokens. */
  isLeft: (): boolean => session.isView() !== isPageOfView,

  /** Whoever stopped the page that was on its way would be left with one that does nothing. */
  leaveAgain() {
    if (session.isLeft() && Date.now() - leftAt >= STOPPED_MS) leave()
  },

  /** Sees the product as somebody else, on a page anew, so that nothing of the one is shown to the other. */
  beginView(tokens: { access: string; refresh: string }, user: Partial<User>) {
    sessionStorage.setItem(OWN, JSON.stringify(KEPT.map((key) => [key, sessionStorage.getItem(key)])))
    sessionStorage.setItem(ACCESS, tokens.access)
    sessionStorage.setItem(REFRESH, tokens.refresh)
    sessionStorage.setItem(USER, JSON.stringify(sessionUser(user)))
    leave()
  },

  /** Back to one's own session, on a page anew. */
  endView() {
    for (const [key, value] of ownSession()) if (value !== null) sessionStorage.setItem(key, value)
    sessionStorage.removeItem(OWN)
    leave()
  },

  /** What a new tab goes on with, a view included: it was opened from one. */
  shared(): Shared | null {
    if (session.accessToken() === null) return null
    return [...KEPT, OWN].flatMap((key) => {
      const value = sessionStorage.getItem(key)
      return value === null ? [] : [[key, value]]
    })
  },

  adopt(shared: Shared) {
    for (const [key, value] of shared) if ([...KEPT, OWN].includes(key)) sessionStorage.setItem(key, value)
    isPageOfView = session.isView()
    changed()
  },

  /** Whose browser this is: in a view, the administrator's. */
  person(): number | null {
    const kept = ownSession().get(USER)
    return (kept ? parseUser(kept) : session.user())?.id ?? null
  },

  /** Every refresh token that this tab holds: its own, and that of a view. */
  refreshTokens: (): string[] => [session.refreshToken(), ownSession().get(REFRESH)].filter((token) => token != null),

  /** Signed out in this tab: the person's other tabs follow. */
  logout() {
    const person = session.person()
    session.clear()
    if (person !== null) tellLogout?.(person)
  },

  onLogout(tell: (person: number) => void) {
    tellLogout = tell
  },

  /** Signed out in another tab. */
  endFromElsewhere() {
    for (const listener of elsewhereListeners) listener()
  },

  onEndedElsewhere(listener: () => void): () => void {
    elsewhereListeners.add(listener)
    return () => elsewhereListeners.delete(listener)
  },

  clear() {
    for (const key of [...KEPT, OWN]) sessionStorage.removeItem(key)
    isPageOfView = false
    changed()
  },

  /** Ends the session because the server no longer knows it. */
  expire() {
    if (session.isView()) {
      session.endView()
      return
    }
    session.clear()
    for (const listener of expiryListeners) listener()
  },

  onExpired(listener: () => void): () => void {
    expiryListeners.add(listener)
    return () => expiryListeners.delete(listener)
  },

  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
