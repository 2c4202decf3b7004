import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPlaceholder, readNumberId, readOutsideId, readTrackingId, readTransactionId } from './outside-ids.ts'

const ID = '01a22136-7f8e-7cef-9c70-4307ff26749d'
const OTHER = '01a22136-7f8e-76f0-9c70-4307ff26749d'

test.for([
  ID,
  ID.toUpperCase(),
  ID.replaceAll('-', ''),
  ...[`{${ID}}`, `{{${ID}}}`, `%7B${ID}%7D`, `[${ID}]`, `(${ID})`, `<${ID}>`],
  ...[
    `${ID} `,
    ` ${ID}`,
    `${ID}\n`,
    `${ID}\r\n`,
    `\t${ID}`,
    `${ID}\u00A0`,
    `${ID}\u200B`,
    `\uFEFF${ID}`,
    `\u202A${ID}\u202C`,
  ],
  ...[`"${ID}"`, `'${ID}'`, `="${ID}"`, `\\"${ID}\\"`, `“${ID}”`, `'${ID}`, `«${ID}»`],
  ...[
    `urn:uuid:${ID}`,
    `${ID}.`,
    `${ID}/`,
    `${ID},`,
    `${ID};`,
    `${ID}&`,
    `ref=${ID}`,
    `https://banco.mx/alta?ref=${ID}&x=1`,
  ],
  ...[
    `${ID},${ID}`,
    ID.replaceAll('-', '\u2011'),
    ID.replaceAll('-', '–'),
    ID.replace('f8e', 'f8\u00ADe'),
    ID.replace('a', 'а'),
  ],
])('%j names the lead', (text) => {
  expect(readTrackingId(text)).toBe(ID)
})

test.for(['', ' ', '{clickid}', 'null', '0', 'x', `${ID}0`, `a${ID}`, ID.slice(1), `${ID},${OTHER}`, 'x'.repeat(5000)])(
  '%j names no lead',
  (text) => {
    expect(readTrackingId(text)).toBeUndefined()
  },
)

test.for([
  ['abc', 'abc'],
  [' abc ', 'abc'],
  ['\u200Babc\u00A0', 'abc'],
  ['a\u200Bbc', 'abc'],
  ['a b', 'a b'],
  ['"abc"', 'abc'],
  ['="0012"', '0012'],
  ["'-987", '-987'],
  ["'=2+5", '=2+5'],
  ["'@canal", '@canal'],
  ["D'Angelo", "D'Angelo"],
  ['-987', '-987'],
  ['{12345}', '12345'],
  [`{${ID}}`, ID],
  [`urn:uuid:${ID}`, ID],
  ['Peña', 'Peña'],
  ['0', '0'],
  ['100%', '100%'],
  ['#12', '#12'],
  ['@canal', '@canal'],
  ['ana😀', 'ana😀'],
  ['a_b__c', 'a_b__c'],
  ['{"a":1}', '{"a":1}'],
])('%j is the id %j', ([text, id]) => {
  expect(readOutsideId(text as string)).toBe(id)
})

const placeholders = [
  ...[
    '{external_id}',
    '{EXTERNAL_ID}',
    '{clickid}',
    '{{ad.id}}',
    '{{ ad.id }}',
    '[CLICKID]',
    '[[sub1]]',
    '<click_id>',
    `$${'{SUBID}'}`,
  ],
  ...[
    '__CLICKID__',
    '#clickid#',
    '##CLICKID##',
    '%clickid%',
    '%%CLICKID%%',
    '$clickid$',
    '$clickid',
    '*|EMAIL|*',
    '{% sub %}',
    '@clickid@',
  ],
  ...['undefined', 'null', 'NULL', 'NaN', 'None', '(null)', '(not set)', '[object Object]', '{transaction id}'],
]
test.for([
  ...placeholders,
  ...placeholders.map((text) => ` "${text}" `),
  '',
  '{external_id}cliente-7',
  'promo_{clickid}',
  'a-__CLICKID__',
])('%j is no id', (text) => {
  expect([readOutsideId(text), readTransactionId(text)]).toEqual(['', ''])
})

test.for(placeholders)('%j is a placeholder', (text) => {
  expect(isPlaceholder(text)).toBe(true)
})

test.for(['0', '00', ' 0 ', '"0"'])('%j is no transaction', (text) => {
  expect(readTransactionId(text)).toBe('')
})

test.for([
  ...([
    '12',
    ' 12',
    '12,',
    '12)',
    '12.',
    '12"',
    '{12}',
    '"12"',
    '12/',
    '12.0',
    '12\u200B',
    '１２',
    '12&',
    '12…',
    '012',
  ] as const),
])('%j is the number 12', (text) => {
  expect(readNumberId(text)).toBe(12)
})

test.for(['', '0', '-12', '12a', 'a12', '12 34', '1e3', '12.5', 'null', '{id}', '1'.repeat(16)])(
  '%j is no number',
  (text) => {
    expect(readNumberId(text)).toBeUndefined()
  },
)

const dirt = fc.array(
  fc.constantFrom(' ', '\n', '\t', '\u00A0', '\u200B', '\uFEFF', '\u202A', '\u202C', '\u2800', '\r'),
  { maxLength: 4 },
)
const wraps = fc.array(fc.constantFrom(['"', '"'], ["'", "'"], ['="', '"'], ['{', '}'], ['“', '”']), { maxLength: 3 })

test('dirt around an id never makes another one of it', () => {
  fc.assert(
    fc.property(
      fc.uuid(),
      fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,40}$/),
      dirt,
      dirt,
      wraps,
      (uuid, plain, before, after, around) => {
        const soil = (id: string, pairs: (readonly [string, string])[]) =>
          before.join('') + pairs.reduce((inner, [open, end]) => `${open}${inner}${end}`, id) + after.join('')
        expect(readTrackingId(soil(uuid, around))).toBe(uuid)
        const quoted = around.filter(([open]) => open !== '{')
        expect([readOutsideId(plain), '']).toContain(readOutsideId(soil(plain, quoted)))
        expect(readOutsideId(soil(`x-${plain}`, quoted))).toBe(`x-${plain}`)
      },
    ),
  )
})

test('nothing throws, and what is read is read again to the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const [id, tracking] = [readOutsideId(text), readTrackingId(text)]
      return readOutsideId(id).length <= id.length && (tracking === undefined || readTrackingId(tracking) === tracking)
    }),
  )
})
