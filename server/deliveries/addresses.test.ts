import { expect, test } from 'vitest'
import { isCallable, isPublicAddress } from './addresses.ts'

const reach = { ownHost: 'afluente.example.mx', loopback: false }
const callable = (url: string) => isCallable(new URL(url), reach)

test.for(['https://postback.keitaro.io/abc?subid=1', 'https://red.example.mx:8443/p', 'https://red.example.mx.:443/p'])(
  '%s may be called',
  (url) => {
    expect(callable(url)).toBe(true)
  },
)

test.for([
  'http://red.example.mx/p',
  'https://red.example.mx:8080/p',
  'https://red.example.mx:22/p',
  'ftp://red.example.mx/p',
  'https://ana:clave@red.example.mx/p',
  'https://localhost/p',
  'https://localhost./p',
  'https://algo.localhost/p',
  'https://servidor/p',
  'https://metadata.google.internal/p',
  'https://impresora.local/p',
  'https://127.0.0.1/p',
  'https://127.1/p',
  'https://2130706433/p',
  'https://0x7f000001/p',
  'https://0177.0.0.1/p',
  'https://1.1.1.1/p',
  'https://[::1]/p',
  'https://[::ffff:127.0.0.1]/p',
  'https://１２７.０.０.１/p',
  'https://afluente.example.mx/api/v1/',
  'https://AFLUENTE.example.mx./api/v1/',
])('%s may not', (url) => {
  expect(callable(url)).toBe(false)
})

test.for(['1.1.1.1', '189.240.1.1', '2606:4700::1111', '::ffff:1.1.1.1'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.for([
  ...['0.0.0.0', '127.0.0.1', '127.8.8.8', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['169.254.169.254', '100.64.0.1', '100.127.255.255', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1'],
  ...['168.63.129.16', '::ffff:168.63.129.16'],
  ...['203.0.113.1', '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255', '192.88.99.1'],
  ...[
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::',
    '2002:a00:1::',
  ],
  ...[
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::7f00:1',
    '64:ff9b::a00:1',
    '64:ff9b:1::a00:1',
  ],
  ...['::127.0.0.1', '::7f00:1', '::a9fe:a9fe', '4000::1', '5f00::1', 'fec0::1', '100::1', '', 'banco.mx', '127.1'],
])('%s is not', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test('on the machine of who tries it out, 127.0.0.1 alone may be called too', () => {
  const trial = { ...reach, loopback: true }
  expect(isCallable(new URL('http://127.0.0.1:9000/p'), trial)).toBe(true)
  for (const url of ['http://10.0.0.1/', 'http://127.0.0.2/', 'http://localhost/', 'http://red.example.mx/'])
    expect(isCallable(new URL(url), trial)).toBe(false)
})
