import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const TOLERANCE_SECONDS = 300
const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

export const isSigned = (headers: IncomingHttpHeaders): boolean => names.some((name) => headers[name] !== undefined)

/** `v1,<base64>` as in Standard Webhooks, over the bytes received. */
export function signatureOf(secret: Uint8Array, id: string, timestamp: string, body: Uint8Array): string {
  const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64')
  return `v1,${mac}`
}

/** The header may list several signatures, for senders that are changing secrets; one that fits any secret is enough. */
export function isSignatureGood(
  headers: IncomingHttpHeaders,
  secrets: readonly Uint8Array[],
  body: Uint8Array,
  now: number,
): boolean {
  const [id, timestamp, given] = names.map((name) => headers[name])
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof given !== 'string') return false
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false
  const expected = secrets.map((secret) => Buffer.from(signatureOf(secret, id, timestamp, body)))
  return given.split(' ').some((signature) => {
    const actual = Buffer.from(signature)
    return expected.some((each) => actual.length === each.length && timingSafeEqual(actual, each))
  })
}
