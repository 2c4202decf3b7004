import { expect, test } from 'vitest'
import { decodeText, readParameters } from './outside-text.ts'

test.for<[query: string, read: [string, string][]]>([
  ['', []],
  [
    'a=1&b=2',
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  [
    '?a=1&a=2&b=&c',
    [
      ['a', '1'],
      ['a', '2'],
    ],
  ],
  ['a=1&amp;b=2&amp;amp;c=3&#038;d=4&%23038;e=5&amp%3Bf=6', [...'abcdef'].map((name, at) => [name, `${at + 1}`])],
  [
    'a=1?b=2',
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  [
    'a=¿qué?&b=x?y',
    [
      ['a', '¿qué?'],
      ['b', 'x?y'],
    ],
  ],
  ['n=Pe%F1a+L%E9on', [['n', 'Peña Léon']]],
  ['n=Pe%C3%B1a', [['n', 'Peña']]],
  [
    'n=100%&m=%E0%A4%A',
    [
      ['n', '100%'],
      ['m', 'à¤%A'],
    ],
  ],
  ['%20CLICK_ID%20=1=2', [['CLICK_ID', '1=2']]],
])('%j is read', ([query, read]) => {
  expect(readParameters(query)).toEqual(read)
})

test.for([
  Buffer.from('Núñez'),
  Buffer.from('\uFEFFNúñez'),
  Buffer.from('Núñez', 'latin1'),
  Buffer.from('\uFEFFNúñez', 'utf16le'),
  Buffer.from('\uFEFFNúñez', 'utf16le').swap16(),
])('%j is a text in some encoding', (bytes) => {
  expect(decodeText(bytes)).toBe('Núñez')
})
