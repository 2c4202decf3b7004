import { type Endpoint, pathOf, type ResponseOf } from '#contract/endpoint.ts'

type Parts = { params?: Record<string, string | number>; query?: Record<string, string | number>; body?: unknown }

/** Calls of one person, or of nobody, for what a story needs but does not tell. */
export class Api {
  readonly #baseURL: string
  readonly #headers: Record<string, string>

  constructor(baseURL: string, headers: Record<string, string> = {}) {
    this.#baseURL = baseURL
    this.#headers = headers
  }

  /** The data of the answer; a refusal fails the test with its words. */
  async call<E extends Endpoint>(endpoint: E, { params, query, body }: Parts = {}): Promise<ResponseOf<E>> {
    const url = new URL(pathOf(endpoint, params), this.#baseURL)
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value))
    const answer = await fetch(url, {
      method: endpoint.method,
      headers: { ...this.#headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${endpoint.method} ${url.pathname} answered ${answer.status}: ${text}`)
    return (text ? JSON.parse(text).data : undefined) as ResponseOf<E>
  }
}
