import type { Endpoint } from '#contract/endpoint.ts'
import { isWhole } from '#db/testing.ts'
import { parseQuery, sane } from './http/input.ts'

export interface Attack {
  what: string
  query?: string
  id?: string
  method?: string
  rawBody?: string
  headers?: Record<string, string>
}

export const JSON_TYPE = { 'content-type': 'application/json' }
export const json = (what: string, rawBody: string): Attack => ({ what, rawBody, headers: JSON_TYPE })

/** All for `npm run test:all`; else so many in turns, so that all calls together meet each of them many times. */
export function inTurns<T>(all: readonly T[], index: number, few: number): T[] {
  if (isWhole || all.length <= few) return [...all]
  return Array.from({ length: few }, (_, step) => all[(index * few + step) % all.length] as T)
}

export const BAD_IDS = [
  ...[
    '0',
    '-1',
    '1.5',
    'NaN',
    '1e309',
    'abc',
    '%00',
    '1%00',
    '%E0%A4%A',
    '%ED%A0%80',
    '__proto__',
    '%2e%2e%2f1',
    "1'--",
    '1;2',
  ],
  ...[
    '2147483648',
    '9223372036854775807',
    '9223372036854775808',
    '9'.repeat(90),
    '9'.repeat(500),
    '[1]',
    '%F0%9F%92%A9',
  ],
]
export function isIdTaken({ params }: Endpoint, text: string): boolean {
  try {
    return params.safeParse({ id: decodeURIComponent(text) }).success
  } catch {
    return false
  }
}

export const BAD_PARAMETERS = [
  '%00',
  '%E0%A4%A',
  '%ED%A0%80',
  '9223372036854775808',
  '-1',
  '1e309',
  '[]',
  '%25',
  'x'.repeat(3000),
]
/** Whether the schema takes it, so that it comes to what lies behind. */
export function isTaken({ query }: Endpoint, text: string): boolean {
  try {
    return query.safeParse(parseQuery(text)).success
  } catch {
    return false
  }
}

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
export const BAD_BODIES: Attack[] = [
  ...['{"a":', '{', '{"a":1,}', "{'a':1}", 'undefined', 'NaN', '', '{"a":1e}', '\u0000', '{"a":1}}', '"\\ud800'],
  ...['[]', '"text"', '1', 'true', '[{}]'],
]
  .map((body) => json(body, body))
  .concat(
    [20, 1000, 10_000].map((levels) => json(`${levels} levels`, deep(levels))),
    json('a list of 5000 levels', `${'['.repeat(5000)}${']'.repeat(5000)}`),
    json('__proto__', '{"__proto__":{"role":"admin"}}'),
    json('constructor', '{"constructor":{"prototype":{"role":"admin"}}}'),
    ['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/json-seq'].map((type) => ({
      ...{ what: type, rawBody: '{}', headers: { 'content-type': type } },
    })),
  )

/** Written as they stand in the text, since JSON.stringify cannot write some of them. */
export const BAD_VALUES = [
  ...['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '2147483648', '9223372036854775808', '-1', '1e309', '0.1'],
  ...['null', 'true', '""', `"${'x'.repeat(6000)}"`, `"${'9'.repeat(400)}"`, '"9999-99-99"', '"0000-01-01"', '"‮txt"'],
]
export const spoil = (body: Record<string, unknown>, field: string, value: string) =>
  JSON.stringify({ ...body, [field]: '@@' }).replace('"@@"', value)

/** Whether a body with this in a field comes to what lies behind the schema. */
export function isBodyTaken({ body }: Endpoint, text: string): boolean {
  try {
    return body.safeParse(sane(JSON.parse(text))).success
  } catch {
    return false
  }
}
