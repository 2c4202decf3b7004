import fc from 'fast-check'
import { expect, test } from 'vitest'
import { extraParams, PARAM_LIMIT } from '#contract/tracking.ts'
import { readClickParams } from './params.ts'

test.for<[query: string, external_id: string, notes: string[]]>([
  ['', '', []],
  ['external_id=abc', 'abc', []],
  ['external_id=', '', []],
  ['external_id=%7Bexternal_id%7D', '', ['external_id:placeholder']],
  ['external_id={external_id}', '', ['external_id:placeholder']],
  ['external_id=%25clickid%25', '', ['external_id:placeholder']],
  ['external_id={external_id}&external_id=cliente-7', 'cliente-7', []],
  ['external_id=&external_id=cliente-7', 'cliente-7', []],
  ['EXTERNAL_ID=abc', 'abc', []],
  ['external_id=%22abc%22', 'abc', []],
  ['external_id=Pe%F1a', 'Peña', []],
  ['external_id=N%FA%F1ez', 'Núñez', []],
  ['external_id=Pe\u00F1a', 'Peña', []],
  ['external_id=Pe\u00C3\u00B1a', 'Peña', []],
  ['external_id=v-5?fbclid=IwAR0abc', 'v-5', []],
  ['external_id=v-5%3Ffbclid%3DIwAR0abc', 'v-5', []],
  ['utm_source=boletin&amp;external_id=v-6', 'v-6', []],
  ['utm_source=boletin&amp;amp;external_id=v-6', 'v-6', []],
  ['utm_source=boletin&#038;external_id=v-6', 'v-6', []],
  ['utm_source%3Dboletin%26external_id%3Dv-6', 'v-6', []],
  ['external_id=https://blog.example/?p=7', 'https://blog.example/?p=7', []],
  ['external_id=a&external_id=b', 'a', []],
  ['external_id=a+b%20c', 'a b c', []],
  ['external_id=Jos%C3%A9', 'José', []],
  ['external_id=Jose%CC%81', 'José', []],
  ['external_id=a%00b', 'ab', ['external_id:cleaned']],
  ['external_id=a%0D%0Ab', 'ab', ['external_id:cleaned']],
  ['external_id=a%E2%80%AEb', 'ab', ['external_id:cleaned']],
  ['external_id=a%ED%A0%80b', 'aí\u00A0€b', []],
  ['external_id=%E0%A4%A', 'à¤%A', []],
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

test('macros that nobody replaced are no campaigns either, and what they were is said', () => {
  const { utm_campaign, params, notes, unreplaced } = readClickParams(
    'utm_campaign={{campaign.name}}&gclid={gclid}&fbclid=IwAR0abc&external_id=[CLICKID]&utm_medium=verano-{x}',
  )
  expect({ utm_campaign, params, unreplaced }).toEqual({
    utm_campaign: '',
    params: { fbclid: 'IwAR0abc' },
    unreplaced: '[CLICKID]',
  })
  expect(notes).toEqual(['utm_campaign:placeholder', 'gclid:placeholder', 'external_id:placeholder'])
})

test('of product_id the first counts, also behind an apps own parameters', () => {
  expect(readClickParams('product_id=1&product_id=2').product_id).toBe('1')
  expect(readClickParams('external_id=v-4&product_id=1?fbclid=IwAR0abc')).toMatchObject({
    product_id: '1',
    external_id: 'v-4',
  })
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
