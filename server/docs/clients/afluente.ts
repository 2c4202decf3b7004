// afluente.ts — Node 22.18 o posterior lo ejecuta tal cual; uno anterior, compilado. Sin dependencias. Envía eventos a Afluente y
// comprueba los avisos que llegan de él.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'

/** Qué le pasó a un lead. Con el mismo event_id se guarda una sola vez, por más veces que se envíe. */
export interface Event {
  tracking_id: string
  event_id: string
  step_id?: number
  event_type?: string
  [field: string]: unknown
}

/** Cómo llegar al servidor. */
export interface Account {
  /** https://afluente.example.mx/api/v1/events/lead-events/ */
  url: string
  /** iss_… */
  apiKey: string
  /** whsec_…, con el que se firma; sin él el evento va sin firma. */
  secret?: string
  /** Cuántas veces se intenta en total. */
  attempts?: number
  /** La espera antes del segundo intento; después se duplica. */
  pauseMs?: number
}

/** Por qué no se guardó. Si retryable es true conviene enviarlo más tarde; si no, repetirlo tal cual no sirve. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly retryable: boolean

  constructor(status: number, code: string, message: string, retryable: boolean) {
    super(message)
    this.status = status
    this.code = code
    this.retryable = retryable
  }
}

/** `v1,` y el HMAC-SHA256 en base64 de id.timestamp.cuerpo (Standard Webhooks). */
export function sign(secret: string, id: string, timestamp: string, body: string | Uint8Array): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  // Con una clave vacía firmaría cualquiera, y su firma se daría por buena.
  if (key.length < 16) throw new TypeError('Falta el secreto whsec_…, o está incompleto')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

/**
 * Lo guarda, o dice por qué no: lo que puede salir bien después se intenta otra vez, con pausas cada vez mayores. Si al final
 * lanza un Refusal con retryable en true, no se guardó o no se sabe: déjalo en tu cola y envíalo otra vez, con el mismo
 * event_id, a los 5 s, 30 s, 2 min, 10 min, 1 h, 3 h, 6 h, 12 h y 24 h, hasta tres días.
 */
export async function sendEvent(account: Account, event: Event): Promise<Record<string, unknown>> {
  const { attempts = 6, pauseMs = 500 } = account
  for (let attempt = 1; ; attempt += 1) {
    const { refusal, data, waitMs } = await tryOnce(account, JSON.stringify(event))
    if (data) return data
    if (!refusal.retryable || attempt >= attempts) throw refusal
    // Al azar entre la mitad y el total, para que muchos no vuelvan a la vez.
    const backoff = pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
    await new Promise((resolve) => setTimeout(resolve, Math.max(waitMs, backoff)))
  }
}

type Outcome =
  | { data: Record<string, unknown>; refusal?: never; waitMs?: never }
  | { refusal: Refusal; waitMs: number; data?: never }

interface Answer {
  success: boolean
  data: Record<string, unknown>
  message: string
  meta: { code: string; retryable: boolean }
}

async function tryOnce(account: Account, body: string): Promise<Outcome> {
  const { url, apiKey } = account
  const [id, timestamp] = [`msg_${randomUUID()}`, String(Math.floor(Date.now() / 1000))]
  // Un secreto que se nombra y falta, como el de una variable de entorno sin valor, no es lo mismo que ninguno.
  const signed = 'secret' in account && {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': sign(account.secret ?? '', id, timestamp, body),
  }
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey, ...signed },
      body,
      signal: AbortSignal.timeout(15_000),
    })
    const { success, data, message, meta } = (await answer.json()) as Answer
    if (success) return { data }
    const waitMs = Number(answer.headers.get('retry-after') ?? 0) * 1000
    return { refusal: new Refusal(answer.status, meta.code, message, meta.retryable), waitMs }
  } catch (error) {
    // Sin respuesta, o de un intermediario que no es Afluente: quizá se guardó, y con el mismo event_id repetir no lo duplica.
    return { refusal: new Refusal(0, 'NO_ANSWER', String(error), true), waitMs: 0 }
  }
}

const TOLERANCE_SECONDS = 300

/**
 * Si un aviso es de Afluente: su cuerpo tal como llegó, sin pasarlo por JSON. Durante un cambio de secreto firman dos; uno
 * que corresponda basta. Guarda el webhook-id y no hagas nada si lo vuelves a ver.
 */
export function verify(
  secret: string,
  headers: Record<string, string | string[] | undefined>,
  body: string | Uint8Array,
  now = Date.now(),
): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': given } = headers
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof given !== 'string') return false
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false
  const expected = Buffer.from(sign(secret, id, timestamp, body))
  return given.split(' ').some((each) => {
    const actual = Buffer.from(each)
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  })
}
