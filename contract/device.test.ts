import { expect, test } from 'vitest'
import { deviceOf } from './device.ts'

const APPLE = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${APPLE} Chrome/140.0.0.0 Safari/537.36`, 'Chrome en Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${APPLE} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`, 'Edge en Windows'],
  [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${APPLE} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome en Android'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1', 'Safari en iPhone'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14.5; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox en Mac'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['', 'Dispositivo desconocido'],
])('%j is %j', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device)
})
