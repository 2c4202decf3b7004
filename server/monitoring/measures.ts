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

export type EventVerdict = 'accepted' | 'duplicate' | 'test' | 'rejected' | 'failed'

/** What is looked at of the spool and of the gate. */
export interface Watched {
  spool: {
    readonly depth: { records: number; bytes: number; capacity: number; age: number }
    readonly refused: number
    readonly fault: string | undefined
  }
  gate: { readonly isOpen: boolean }
}

/** What the server tells of its work. Clicks that are stored are told by the batch, so that one alone costs nothing. */
export interface Measures {
  clicks(outcome: ClickOutcome, count: number): void
  /** One INSERT that holds `leads`, from its sending to its COMMIT. */
  committed(leads: number, seconds: number): void
  /** Leads that came from the spool into the database. */
  drained(leads: number): void
  event(verdict: EventVerdict): void
  request(kind: string, status: number, seconds: number): void
  /** What to look at when somebody asks. */
  watch(parts: Watched): void
}

export const unmeasured: Measures = {
  clicks: () => undefined,
  committed: () => undefined,
  drained: () => undefined,
  event: () => undefined,
  request: () => undefined,
  watch: () => undefined,
}
