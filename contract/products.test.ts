import { expect, test } from 'vitest'
import { destination, RedirectUrl } from './products.ts'

const ID = '0198c0de-1234-7abc-8def-0123456789ab'
const messages = (url: string) => RedirectUrl.safeParse(url).error?.issues.map((issue) => issue.message)

test.each([
  'https://banco.mx/alta?ref={tracking_id}',
  'http://banco.mx/alta?ref={tracking_id}',
  'https://banco.mx/{tracking_id}/alta',
  'https://banco.mx/alta#{tracking_id}',
  'https://banco.mx?ref={tracking_id}&otra={tracking_id}',
  'https://banco.mx:8443/alta?ref={tracking_id}&correo=a@b.mx',
  'https://crédito.mx/solicitud-rápida?ref={tracking_id}',
  'HTTPS://Banco.MX/?ref={tracking_id}&de=%7Btracking_id%7D',
  'https://banco.mx/alta?ref=%7Btracking_id%7D',
])('%s is a target', (url) => {
  expect(RedirectUrl.parse(url)).toBe(url)
})

test.each([
  ['https://banco.mx/alta?ref={{tracking_id}}', 'Escribe {tracking_id} con una sola llave de cada lado'],
  ['https://banco.mx/alta?ref=%7B%7Btracking_id%7D%7D', 'Escribe {tracking_id} con una sola llave de cada lado'],
  ['https://banco.mx/alta?a=1&amp;ref={tracking_id}', 'La URL trae &amp; donde va &: corrígelo'],
  ['https://banco.mx/alta?a=1&#038;ref={tracking_id}', 'La URL trae &#038; donde va &: corrígelo'],
  ['https://banco.mx/alta?a=1?ref={tracking_id}', 'La URL trae dos signos ?: une los parámetros con &'],
  ['https://banco.mx/alta?ref=“{tracking_id}”', 'La URL trae comillas: quítalas'],
  ["https://banco.mx/alta?ref='{tracking_id}'", 'La URL trae comillas: quítalas'],
  [
    'https://banco.mx/alta?ref={tracking_id}&utm_campaign={utm_campaign}',
    'Solo se reemplaza {tracking_id}: quita {utm_campaign}',
  ],
  ['https://banco.mx/alta?ref=%7Bclickid%7D', 'Solo se reemplaza {tracking_id}: quita {clickid}'],
  ['https://banco.mx/alta?ref=[tracking_id]', 'La URL debe incluir el parámetro {tracking_id} para el tracking'],
])('%s is refused with what is meant', (url, message) => {
  expect(messages(url)).toEqual([message])
})

test.each(['\0', 'a\u0000b', '\u202e', '\u007f'])('%j is refused, not dropped', (hidden) => {
  const [before, after] = [
    `https://banco.mx/${hidden}?ref={tracking_id}`,
    `https://banco.mx/?ref={tracking_id}${hidden}`,
  ]
  for (const url of [before, after])
    expect(messages(url)).toEqual(['La URL contiene caracteres invisibles o de control'])
})

test('spaces around an address are dropped, and its letters composed', () => {
  expect(RedirectUrl.parse(' https://banco.mx/cre\u0301dito?ref={tracking_id}\n')).toBe(
    'https://banco.mx/cr\u00e9dito?ref={tracking_id}',
  )
})

test.each([
  ['no scheme', 'banco.mx/alta?ref={tracking_id}'],
  ['not an address', 'mi sitio {tracking_id}'],
  ['another scheme', 'ftp://banco.mx/{tracking_id}'],
  ['a script', 'javascript:alert(1)//banco.mx/{tracking_id}'],
  ['data', 'data:text/html,banco.mx/{tracking_id}'],
  ['a user', 'https://usuario@banco.mx/{tracking_id}'],
  ['a user and a password', 'https://usuario:clave@banco.mx/{tracking_id}'],
  ['an empty user', 'https://@banco.mx/{tracking_id}'],
  ['a host without a dot', 'https://intranet/{tracking_id}'],
  ['localhost', 'http://localhost/{tracking_id}'],
  ['localhost with a dot', 'http://localhost./{tracking_id}'],
  ['a name under localhost', 'http://banco.localhost/{tracking_id}'],
  ['an IPv4 address', 'http://10.0.0.1/{tracking_id}'],
  ['a short IPv4 address', 'http://127.1/{tracking_id}'],
  ['a hexadecimal IPv4 address', 'http://0x7f000001.0/{tracking_id}'],
  ['a number as address', 'http://0x7f000001/{tracking_id}'],
  ['an IPv4 address with a dot', 'http://127.0.0.1./{tracking_id}'],
  ['an IPv6 address', 'http://[::1]/{tracking_id}'],
  ['an IPv4 address within IPv6', 'http://[::ffff:127.0.0.1]/{tracking_id}'],
  ['the id in the host', 'https://{tracking_id}.banco.mx/?ref={tracking_id}'],
  ['the encoded id in the host', 'https://%7Btracking_id%7D.banco.mx/?ref={tracking_id}'],
  ['the id in the port', 'https://banco.mx:{tracking_id}/'],
  ['the id as user', 'https://{tracking_id}@banco.mx/'],
  ['a backslash', 'https://banco.mx\\alta?ref={tracking_id}'],
  ['a backslash in the host', 'https://banco.mx\\@otro.mx/{tracking_id}'],
  ['a space', 'https://banco.mx/alta ya?ref={tracking_id}'],
  ['a tab', 'https://banco.mx/al\tta?ref={tracking_id}'],
  ['a line break', 'https://banco.mx/\r\nSet-Cookie: a=b?ref={tracking_id}'],
  ['one slash', 'https:/banco.mx/{tracking_id}'],
  ['no slashes', 'https:banco.mx/{tracking_id}'],
  ['three slashes', 'https:///banco.mx/{tracking_id}'],
  ['no host of its own', '//banco.mx/{tracking_id}'],
])('%s is refused', (_, url) => {
  expect(messages(url)).toEqual(['Debe ser una URL válida'])
})

test.each(['https://banco.mx/alta', 'https://banco.mx/?ref={TRACKING_ID}'])('%s lacks the id', (url) => {
  expect(messages(url)).toEqual(['La URL debe incluir el parámetro {tracking_id} para el tracking'])
})

test('a target may have 2048 characters', () => {
  const url = (length: number) => 'https://banco.mx/{tracking_id}/'.padEnd(length, 'a')
  expect(messages(url(2048))).toBeUndefined()
  expect(messages(url(2049))).toEqual(['La URL es demasiado larga'])
})

test('the id takes every place that waits for it, and the rest stays letter by letter', () => {
  expect(destination('https://banco.mx/{tracking_id}?r={tracking_id}&s=%7btracking_id%7d&k={otro}&q=%20+', ID)).toBe(
    `https://banco.mx/${ID}?r=${ID}&s=${ID}&k={otro}&q=%20+`,
  )
})

test('letters that a header cannot carry are encoded', () => {
  expect(destination('https://banco.mx/créditos?ref={tracking_id}&a=ñ€😀', ID)).toBe(
    `https://banco.mx/cr%C3%A9ditos?ref=${ID}&a=%C3%B1%E2%82%AC%F0%9F%98%80`,
  )
})
