import fc from 'fast-check'
import { type Endpoint, endpoint, isNothing } from '#contract/endpoint.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { utmFields } from '#contract/leads.ts'
import { extraParams } from '#contract/tracking.ts'
import { fieldsOf, goodBodies, type Ids } from './bad-input.testing.ts'
import { PRIVACY_PATH } from './legal/page.ts'
import { complaint, saysTooMuch, sendRaw } from './raw.testing.ts'
import type { TestAnswer } from './testing.ts'

/** Where input is sent, and with which credentials. */
export interface Aim {
  origin: string
  ids: Ids
  bearer: string
  keys: { api: string; postback: string }
}

export const CLICK = 'click'
const PAGE = 'page'
const page = (path: string) => ({
  name: PAGE,
  endpoint: endpoint({ method: 'GET', path, access: 'public', summary: '' }),
})

/** Clicks, every call of the contract, and what is served besides the API. */
export const entryPoints: { name: string; endpoint: Endpoint }[] = [
  ...(['GET', 'POST'] as const).map((method) => ({
    name: CLICK,
    endpoint: endpoint({ method, path: '/api/v1/leads/redirect/:id/', access: 'public', summary: '' }),
  })),
  ...allEndpoints,
  ...['/healthz', PRIVACY_PATH, '/assets/:id', '/api/:id'].map(page),
]

const CLICK_FIELDS = ['product_id', 'external_id', ...utmFields, ...extraParams]
const PROTOTYPE = ['__proto__', 'constructor', 'toString', '__proto__[x]']

/** One character for each byte, so that invalid text can be mixed with text. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')

/** As sent on the wire, percent-encoding included. */
const wireText = fc.oneof(
  fc.constantFrom(
    ...['', '0', '-1', '1.5', '2147483648', '9223372036854775807', '9223372036854775808', '1e309', 'NaN', 'null'],
    ...[
      '%00',
      'a%00b',
      '%E0%A4%A',
      '%ED%A0%80',
      '%ED%BF%BF',
      '%C0%AF',
      '%FF',
      '%',
      '%%',
      '%2500',
      '%252e',
      '..%2f..%2f',
    ],
    ...[
      '%E2%80%AE',
      '%E2%80%8D',
      '%0D%0AX-Injected:%201',
      '\r\nX-Injected: 1',
      '\r\n\r\n',
      '\n',
      "'--",
      '[]',
      '{}',
      '$',
    ],
    ...['__proto__', '*', '../../etc/passwd', 'x'.repeat(300), 'x'.repeat(9_000), '9'.repeat(400), '#', ';a=1', '\0'],
  ),
  fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.string({ unit: 'grapheme' }).map(bytesOf),
  fc.array(fc.nat(255), { maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.stringMatching(/^(%[0-9a-fA-F]{0,2}){1,8}$/),
  fc.bigInt().map(String),
  fc.double().map(String),
)

/** A value as JSON writes it, or nearly. */
const jsonText = fc.oneof(
  fc.constantFrom(
    ...['null', 'true', '-1', '0.1', '2147483648', '9223372036854775808', '1e309', '-0', '1e-400', 'NaN', '"1e309"'],
    ...[
      '""',
      '" "',
      '"\\u0000"',
      '"a\\u0000b"',
      '"\\ud800"',
      '"\\udfff\\ud800"',
      '"\u202etxt"',
      '"\u200d"',
      '"\\r\\nX: 1"',
    ],
    ...['[]', '{}', '[[]]', '{"$ne":1}', '{"__proto__":{"x":1}}', '{"toString":1}', '["a","b"]', '"0000-01-01"'],
    ...['"9999-99-99"', `"${'x'.repeat(6_000)}"`, `"${'9'.repeat(400)}"`, `${'['.repeat(3_000)}${']'.repeat(3_000)}`],
  ),
  fc.json(),
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  fc.array(fc.nat(0xffff), { maxLength: 8 }).map((units) => JSON.stringify(String.fromCharCode(...units))),
)

const HEADERS = [
  ...['accept', 'user-agent', 'referer', 'origin', 'if-match', 'idempotency-key', 'x-forwarded-for', 'accept-language'],
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature', 'x-request-id', 'range', 'content-encoding', 'expect'],
]

/** The index of a field, and its new value. */
const change = (value: fc.Arbitrary<string>) => fc.record({ which: fc.nat(40), value })

const seldom = <T>(weight: number, arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })

const shots = fc.record({
  id: seldom(2, wireText),
  query: fc.array(change(wireText), { maxLength: 4 }),
  headers: fc.array(change(wireText), { maxLength: 2 }),
  /** Instead of the good credentials. */
  credentials: seldom(8, wireText),
  type: seldom(8, fc.oneof(fc.constant('application/x-www-form-urlencoded'), wireText)),
  body: fc.oneof(
    { weight: 8, arbitrary: fc.array(change(jsonText), { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: jsonText.map(bytesOf) },
    { weight: 1, arbitrary: wireText },
  ),
})
type Shot = typeof shots extends fc.Arbitrary<infer T> ? T : never

const pick = <T>(list: readonly T[], which: number): T | undefined => list[which % list.length]

function queryOf(name: string, { access, query }: Endpoint, shot: Shot, { keys, ids }: Aim): string {
  const fields = name === CLICK ? CLICK_FIELDS : fieldsOf(query)
  const names = [...fields, ...fields, ...PROTOTYPE]
  const token = shot.credentials ?? keys.postback
  const given = [
    ...(name === CLICK ? [`product_id=${ids.product_id}`] : []),
    ...(access === 'postback-token' ? [`token=${token}`] : []),
    ...shot.query.map(({ which, value }) => `${pick(names, which)}=${value}`),
  ]
  return given.length ? `?${given.join('&')}` : ''
}

function headersOf({ access }: Endpoint, { headers, credentials }: Shot, { bearer, keys }: Aim): string[] {
  const right =
    access === 'issuer-key'
      ? [`x-api-key: ${credentials ?? keys.api}`]
      : Array.isArray(access)
        ? [`authorization: Bearer ${credentials ?? bearer}`]
        : []
  return [...right, ...headers.map(({ which, value }) => `${pick(HEADERS, which)}: ${value}`)]
}

/** The good body with some fields spoiled, or with members of every object's prototype added. */
function bodyOf(name: string, { body }: Shot, { ids }: Aim): string {
  if (typeof body === 'string') return body
  const good = new Map(
    Object.entries(goodBodies[name]?.(ids) ?? {}).map(([key, value]) => [key, JSON.stringify(value)]),
  )
  const names = [...good.keys(), ...good.keys(), ...PROTOTYPE]
  for (const { which, value } of body) good.set(pick(names, which) ?? '', value)
  return bytesOf(`{${[...good].map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`)
}

function requestOf(name: string, endpoint: Endpoint, shot: Shot, aim: Aim): string {
  const target = name === CLICK ? String(aim.ids.relationship_id) : aim.ids.idOf(endpoint)
  const path = endpoint.path.replace(':id', () => shot.id ?? target) + queryOf(name, endpoint, shot, aim)
  const hasBody = !isNothing(endpoint.body) || endpoint.method !== 'GET'
  const body = hasBody ? bodyOf(name, shot, aim) : ''
  const lines = [
    ...[`${endpoint.method} ${path} HTTP/1.1`, 'host: x', 'connection: close', ...headersOf(endpoint, shot, aim)],
    ...(hasBody ? [`content-type: ${shot.type ?? 'application/json'}`, `content-length: ${body.length}`] : []),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Nothing of ours breaks, whatever came; undefined when it did not. */
function complaintAbout(name: string, answer: TestAnswer): string | undefined {
  if (answer.headers.has('x-injected')) return 'a header came out of a value'
  const isHtml = /^text\/html/.test(answer.headers.get('content-type') ?? '')
  if (name === CLICK || isHtml) {
    if (!(answer.status < 500)) return `${answer.status} ${answer.text}`
    return answer.status >= 400 && saysTooMuch(answer.text) ? `says too much: ${answer.text}` : undefined
  }
  const text = complaint(answer, false)
  if (text || answer.status >= 400 || !answer.headers.has('content-length')) return text
  return /^application\/json/.test(answer.headers.get('content-type') ?? '') ? unreadable(answer) : undefined
}

function unreadable(answer: TestAnswer): string | undefined {
  try {
    answer.json()
    return undefined
  } catch {
    return `no JSON: ${answer.text}`
  }
}

interface Volley {
  sent: number
  statuses: Record<string, number>
}

/** Sends `runs` bad requests to one entry point; throws with the smallest that was answered wrongly. */
export async function fuzz(
  entryPoint: (typeof entryPoints)[number],
  runs: number,
  aim: () => Promise<Aim>,
): Promise<Volley> {
  const volley: Volley = { sent: 0, statuses: {} }
  const { name, endpoint } = entryPoint
  let current = await aim()
  await fc.assert(
    fc.asyncProperty(shots, async (shot) => {
      const request = requestOf(name, endpoint, shot, current)
      const answer = await sendRaw(current.origin, Buffer.from(request, 'latin1'))
      volley.sent += 1
      volley.statuses[answer.status] = (volley.statuses[answer.status] ?? 0) + 1
      const text = complaintAbout(name, answer)
      if (text) throw new Error(`${text.slice(0, 500)}\n${JSON.stringify(request.slice(0, 2_000))}`)
      // A request that removes users may remove its own.
      if (answer.status === 401 && shot.credentials === null) current = await aim()
    }),
    { numRuns: runs },
  )
  return volley
}
