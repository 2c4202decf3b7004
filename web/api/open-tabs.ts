import { type Shared, session } from './session.ts'

const NAME = 'afluente.session'
/** How long a screen waits for an answer; one that comes later is still taken. */
const WAIT_MS = 200
/** How long other tabs have after one that nobody looks at. */
const BETTER_MS = 30

type Message =
  | { kind: 'ask'; from: string }
  | { kind: 'give'; to: string; seenAt: number; shared: Shared }
  | { kind: 'end'; person: number }

/** Of the same origin alone (BroadcastChannel), and never in an address or a storage that other tabs read. */
const channel = new BroadcastChannel(NAME)
const self = crypto.getRandomValues(new Uint32Array(4)).join('-')

/** When a person last saw this tab: of two accounts in two tabs, a new one continues that which it was opened from. */
let seenAt = Date.now()
const look = () => {
  seenAt = document.visibilityState === 'visible' ? Number.POSITIVE_INFINITY : Date.now()
}

const post = (message: Message) => channel.postMessage(message)

let best: { seenAt: number; shared: Shared } | undefined
let settle: (() => void) | undefined

function take({ seenAt, shared }: { seenAt: number; shared: Shared }) {
  if (!settle || session.accessToken() !== null) return
  if (best && best.seenAt >= seenAt) return
  if (!best) setTimeout(adopt, seenAt === Number.POSITIVE_INFINITY ? 0 : BETTER_MS)
  best = { seenAt, shared }
}

function adopt() {
  if (best && session.accessToken() === null) session.adopt(best.shared)
  settle?.()
  settle = undefined
}

function hear({ data }: MessageEvent<Message>) {
  if (data.kind === 'ask') {
    const shared = session.shared()
    if (shared) post({ kind: 'give', to: data.from, seenAt, shared })
  } else if (data.kind === 'give') {
    if (data.to === self) take(data)
  } else if (session.person() === data.person) session.endFromElsewhere()
}

/**
 * A page that another site frames neither asks nor answers: what stands in it is decided there. Asks only without a session,
 * and is done at once with one.
 */
export function joinOpenTabs(asks: boolean): Promise<void> {
  look()
  document.addEventListener('visibilitychange', look)
  channel.addEventListener('message', hear)
  session.onLogout((person) => post({ kind: 'end', person }))
  if (!asks || session.accessToken() !== null) return Promise.resolve()
  return new Promise((resolve) => {
    settle = resolve
    post({ kind: 'ask', from: self })
    setTimeout(resolve, WAIT_MS)
  })
}
