import { unavailable } from '../http/errors.ts'
import { type InTurn, oneAtATime } from '../one-at-a-time.ts'
import { partyOf, type Viewer } from '../viewer.ts'

/** Calls of one party beside the one that has its turn; any more are a 503. */
const WAITING_MAX = 20

/**
 * Calls that read a whole file, or wait for one that is being worked on: of each party one after another, so that they take
 * one of the connections that all share, however many are sent. Those that wait hold none.
 */
export class Turns {
  readonly #parties = new Map<string, { inTurn: InTurn; calls: number }>()
  readonly #asked = new Map<string, Promise<unknown>>()

  async run<T>(viewer: Viewer, call: () => Promise<T>): Promise<T> {
    const party = partyOf(viewer)
    const turn = this.#parties.get(party) ?? { inTurn: oneAtATime(), calls: 0 }
    if (turn.calls > WAITING_MAX) throw unavailable()
    this.#parties.set(party, turn)
    turn.calls += 1
    return turn.inTurn(call).finally(() => {
      turn.calls -= 1
      if (!turn.calls) this.#parties.delete(party)
    })
  }

  /** For what does not change: who asks the same before it is answered gets the same answer. */
  share<T>(viewer: Viewer, question: string, call: () => Promise<T>): Promise<T> {
    const key = `${partyOf(viewer)} ${question}`
    const asked = this.#asked.get(key) as Promise<T> | undefined
    if (asked) return asked
    const answer = this.run(viewer, call).finally(() => this.#asked.delete(key))
    this.#asked.set(key, answer)
    return answer
  }
}
