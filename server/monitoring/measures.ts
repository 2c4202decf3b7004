export type ClickOutcome =
  | 'stored'
  | 'spooled'
  | 'repeated'
  | 'preview'
  | 'bot'
  | 'prefetch'
  | 'invalid'
  | 'unknown'
  | 'inactive'
  | 'refused'
  | 'failed'

/** Of one attempt: `waiting` is tried again. */
export type DeliveryVerdict = 'delivered' | 'waiting' | 'failed' | 'skipped'

export type EventVerdict = 'accepted' | 'duplicate' | 'test' | 'rejected' | 'failed'

/** What the metrics read of the spool and of readiness. */
export interface Watched {
  spool: {
    readonly folder: string
    readonly depth: { records: number; bytes: number; capacity: number; age: number }
    readonly refused: number
    readonly lost: number
    readonly unreadable: number
    readonly fault: string | undefined
  }
  readiness: { readonly isReady: boolean }
}

/** What the server reports of its work. Stored clicks are reported by the batch, so that a single one costs nothing. */
export interface Measures {
  clicks(outcome: ClickOutcome, count: number): void
  /** One COPY that holds `leads`, from its sending to its COMMIT. */
  committed(leads: number, seconds: number): void
  /** Leads moved from the spool into the database. */
  drained(leads: number): void
  event(verdict: EventVerdict): void
  delivery(verdict: DeliveryVerdict): void
  request(kind: string, status: number, seconds: number): void
  /** Parts to read whenever the metrics are read. */
  watch(parts: Watched): void
}

export const unmeasured: Measures = {
  clicks: () => undefined,
  committed: () => undefined,
  drained: () => undefined,
  event: () => undefined,
  delivery: () => undefined,
  request: () => undefined,
  watch: () => undefined,
}
