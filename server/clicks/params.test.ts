import fc from 'fast-check'
import { expect, test } from 'vitest'
import { extraParams, PARAM_LIMIT } from '#contract/tracking.ts'
import { readClickParams } from './params.ts'

test.for<[query: string, external_id: string, notes: string[]]>([
  ['', '', []],
  ['external_id=abc', 'abc', []],
  ['external_id=', '', []],
  ['external_id=%7Bexternal_id%7D', '', []],
  ['external_id={external_id}', '', []],
  ['external_id=a&external_id=b', 'a', []],
  ['external_id=a+b%20c', 'a b c', []],
  ['external_id=Jos%C3%A9', 'José', []],
  ['external_id=Jose%CC%81', 'José', []],
  ['external_id=a%00b', 'ab', ['external_id:cleaned']],
  ['external_id=a%0D%0Ab', 'ab', ['external_id:cleaned']],
  ['external_id=a%E2%80%AEb', 'ab', ['external_id:cleaned']],
  ['external_id=a%ED%A0%80b', 'ab', ['external_id:cleaned']],
  ['external_id=%E0%A4%A', '%A', ['external_id:cleaned']],
  ['external_id=%', '%', []],
  [`external_id=${'x'.repeat(255)}`, 'x'.repeat(255), []],
  [`external_id=${'x'.repeat(256)}`, 'x'.repeat(255), ['external_id:truncated']],
  [`external_id=${'%F0%9F%98%80'.repeat(256)}`, '😀'.repeat(255), ['external_id:truncated']],
  ['external_id=x4111.1111.1111.1111', 'x[tarjeta omitida]', ['external_id:masked']],
  ['external_id=PEGJ%20850101%20HDFRRN09', '[CURP omitida]', ['external_id:masked']],
  ['external_id=%EF%BC%94111111111111111', '[tarjeta omitida]', ['external_id:masked']],
  [`external_id=${'x'.repeat(242)}4111111111111111`, `${'x'.repeat(242)}[tarjeta omit`, ['external_id:masked']],
  [`external_id=4111111111111111${'x'.repeat(300)}`, `[tarjeta omitida]${'x'.repeat(238)}`, ['external_id:masked']],
])('%s', ([query, external_id, notes]) => {
  expect(readClickParams(query)).toMatchObject({ external_id, notes })
})

test('campaign parameters are masked, ours and those of other systems', () => {
  const query = 'utm_source=GODE561231HDFRRN04&utm_term=a+4111+1111+1111+1111&sub1=5500000000000004&gclid=Cj0KCQiA4rmr'
  const { params, notes, ...values } = readClickParams(query)
  expect(values).toMatchObject({ utm_source: '[CURP omitida]', utm_term: 'a [tarjeta omitida]' })
  expect(params).toEqual({ sub1: '[tarjeta omitida]', gclid: 'Cj0KCQiA4rmr' })
  expect(notes).toEqual(['utm_source:masked', 'utm_term:masked', 'sub1:masked'])
})

test('only the listed parameters of other systems are stored', () => {
  const names = [...extraParams, 'sub11', 'url', '__proto__', 'constructor', 'token']
  const { params } = readClickParams(names.map((name) => `${name}=1`).join('&'))
  expect(Object.keys(params).sort()).toEqual([...extraParams].sort())
})

const fits = (value: string) => value.isWellFormed() && !value.includes('\u0000') && [...value].length <= PARAM_LIMIT

test('nothing that can stand in an address throws, and every result fits the database', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, noise) => {
      const query = `external_id=${text}&utm_term=${noise}&${text}=${noise}`
      const { params: _, notes: __, ...values } = readClickParams(query)
      return Object.values(values).every(fits)
    }),
  )
})
