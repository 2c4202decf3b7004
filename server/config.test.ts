import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const SECRET = '9f2c4e8b7a6d5031c2e4f6a8b0d1e3f597a1b3c5d7e9f0a2b4c6d8e0f1a3b5c7'
const DATABASE_URL = 'postgres://afluente:clave@db.interno:5432/afluente'

test('nothing set: one machine, the embedded database and demo data', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    publicUrl: 'http://127.0.0.1:3000',
    databaseUrl: undefined,
    demo: true,
    admin: undefined,
    corsOrigins: [],
    apiOrigins: [],
    trustProxy: 0,
    logLevel: 'info',
  })
})

test('a database of one’s own: no demo data unless asked for', () => {
  expect(readConfig({ DATABASE_URL, SECRET }).demo).toBe(false)
  expect(readConfig({ DATABASE_URL, SECRET, DEMO: '1' }).demo).toBe(true)
})

test.each([
  [{ HOST: '0.0.0.0' }, false],
  [{ HOST: '::' }, false],
  [{ HOST: '192.168.1.20' }, false],
  [{ PUBLIC_URL: 'https://red.ejemplo.mx' }, false],
  [{ PUBLIC_URL: 'https://127.0.0.1.ejemplo.mx' }, false],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' }, false],
  [{ HOST: '::1' }, true],
  [{ HOST: 'localhost', PUBLIC_URL: 'http://localhost:3000' }, true],
  [{ PUBLIC_URL: 'http://[::1]:3000' }, true],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://red.ejemplo.mx', DEMO: '1' }, true],
  [{ TRUST_PROXY: '1' }, false],
  [{ DEMO: '0' }, false],
])('with %j the demonstration: %s', (env, demo) => {
  expect(readConfig(env).demo).toBe(demo)
})

test('metrics are served nowhere unless a port is given, and then to this machine alone', () => {
  expect(readConfig({}).metrics).toBeUndefined()
  expect(readConfig({ METRICS_PORT: '9400' }).metrics).toEqual({ host: '127.0.0.1', port: 9400 })
  expect(readConfig({ METRICS_PORT: '9400', METRICS_HOST: '10.0.0.5' }).metrics?.host).toBe('10.0.0.5')
  expect(() => readConfig({ METRICS_PORT: '0' })).toThrow('METRICS_PORT debe ser un número entero de 1 a 65535')
})

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '', DEMO: '' })).toMatchObject({ port: 3000, demo: true })
})

test('what is of people is kept as long as the privacy notice says', () => {
  expect(readConfig({}).retention).toEqual({ rejectedDays: 90, addressDays: 30, dataMonths: 24, recordYears: 5 })
  const retention = { RETENTION_DATA_MONTHS: '84', RETENTION_RECORD_YEARS: '7' }
  expect(readConfig(retention).retention).toMatchObject({ dataMonths: 84, recordYears: 7 })
})

test('values are tidied', () => {
  const config = readConfig({
    PUBLIC_URL: 'https://red.ejemplo.mx/',
    ADMIN_EMAIL: ' Ana@Ejemplo.MX ',
    ADMIN_PASSWORD: ' con espacios ',
    CORS_ORIGINS: 'https://a.mx, https://b.mx',
    API_ORIGINS: 'https://api.mx',
    DASHBOARD_ORIGINS: 'https://tableros.mx',
    SUPPORT_URL: 'mailto:ayuda@red.mx',
  })
  expect(config.publicUrl).toBe('https://red.ejemplo.mx')
  expect(config.admin).toEqual({ email: 'ana@ejemplo.mx', password: ' con espacios ' })
  expect(config.corsOrigins).toEqual(['https://a.mx', 'https://b.mx'])
  expect(config.apiOrigins).toEqual(['https://api.mx'])
  expect(config.supportUrl).toBe('mailto:ayuda@red.mx')
  expect(config.dashboardOrigins).toEqual(['https://tableros.mx'])
  expect(readConfig({ HOST: '0.0.0.0', PORT: '8080' }).publicUrl).toBe('http://127.0.0.1:8080')
  expect(readConfig({ HOST: '::1' }).publicUrl).toBe('http://[::1]:3000')
})

test.each([
  [{ PORT: 'abc' }, 'PORT debe ser un número entero de 0 a 65535'],
  [{ PORT: '70000' }, 'PORT debe ser un número entero de 0 a 65535'],
  [{ PUBLIC_URL: 'ftp://x' }, 'PUBLIC_URL debe ser una dirección http:// o https://'],
  [{ DEMO: 'yes' }, 'DEMO debe ser 0 o 1'],
  [{ RETENTION_RECORD_YEARS: '4' }, 'RETENTION_RECORD_YEARS debe ser un número entero de 5 a 50'],
  [{ RETENTION_ADDRESS_DAYS: '0' }, 'RETENTION_ADDRESS_DAYS debe ser un número entero de 1 a 3650'],
  [{ RETENTION_DATA_MONTHS: '61' }, 'RETENTION_DATA_MONTHS no puede pasar de RETENTION_RECORD_YEARS'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL debe ser silent'],
  [{ DATABASE_URL: 'mysql://x/y', SECRET }, 'DATABASE_URL debe tener la forma postgres://'],
  [{ DATABASE_URL: 'postgres://u:c@bd1,bd2/afluente', SECRET }, 'DATABASE_URL lleva un solo equipo'],
  [{ DATABASE_URL: 'postgres://u:c@bd1:5432,bd2:5432/afluente', SECRET }, 'DATABASE_URL lleva un solo equipo'],
  [{ DATABASE_URL }, 'hace falta SECRET'],
  [{ REQUIRE_SYNC: '1' }, 'REQUIRE_SYNC es para DATABASE_URL'],
  [{ DATABASE_APP_URL: DATABASE_URL, SECRET }, 'DATABASE_APP_URL acompaña a DATABASE_URL'],
  [{ SECRET: 'short' }, 'SECRET debe ser un texto al azar'],
  [{ SECRET: 'change-me-please-this-is-a-sample-secret' }, 'SECRET debe ser un texto al azar'],
  [{ SECRET: 'a'.repeat(64) }, 'SECRET debe ser un texto al azar'],
  [{ CORS_ORIGINS: '*' }, 'CORS_ORIGINS debe ser una lista de orígenes'],
  [{ API_ORIGINS: 'https://*.mx' }, 'API_ORIGINS debe ser una lista de orígenes'],
  [{ METRICS_PORT: '3000' }, 'METRICS_PORT y PORT deben ser puertos distintos'],
  [{ DASHBOARD_ORIGINS: "https://a.mx;script-src'self'" }, 'DASHBOARD_ORIGINS debe ser una lista de orígenes'],
  [{ DASHBOARD_ORIGINS: 'https://*.tableros.mx' }, 'DASHBOARD_ORIGINS debe ser una lista de orígenes'],
  [{ DASHBOARD_ORIGINS: 'http://tableros.mx' }, 'DASHBOARD_ORIGINS solo admite orígenes https://'],
  [{ SUPPORT_URL: 'javascript:alert(1)' }, 'SUPPORT_URL debe ser una dirección https://, mailto: o tel:'],
  [{ LEGAL_EMAIL: 'privacidad' }, 'LEGAL_EMAIL debe ser un correo electrónico'],
  [{ TRUST_PROXY: '-1' }, 'TRUST_PROXY debe ser un número entero de 0 a 10'],
  [{ ADMIN_EMAIL: 'ana@ejemplo.mx' }, 'se indican juntas'],
  [{ ADMIN_EMAIL: 'ana', ADMIN_PASSWORD: '12345678' }, 'ADMIN_EMAIL debe ser un correo electrónico'],
])('refuses %j', (env, message) => {
  expect(() => readConfig(env)).toThrow(message)
})

test.each([
  [{ SMTP_URL: 'smtps://u:p@smtp.ejemplo.mx:465' }, 'SMTP_URL y MAIL_FROM se indican juntas'],
  [{ MAIL_FROM: 'avisos@ejemplo.mx' }, 'SMTP_URL y MAIL_FROM se indican juntas'],
  [{ SMTP_URL: 'https://smtp.ejemplo.mx', MAIL_FROM: 'avisos@ejemplo.mx' }, 'SMTP_URL debe tener la forma'],
  [{ SMTP_URL: 'smtp://smtp.ejemplo.mx', MAIL_FROM: 'avisos@ejemplo.mx\r\nBcc: x@y.mx' }, 'MAIL_FROM debe ser'],
  [{ SMTP_URL: 'smtp://smtp.ejemplo.mx', MAIL_FROM: 'uno@ejemplo.mx, dos@ejemplo.mx' }, 'MAIL_FROM debe ser'],
])('mail settings %j are refused', (env, text) => {
  expect(() => readConfig(env)).toThrow(text)
})

test('quotes that came along from a file of settings are named, since they are part of the value', () => {
  const quoted = { SMTP_URL: "'smtps://u:p@smtp.ejemplo.mx:465'", MAIL_FROM: '"Afluente <avisos@ejemplo.mx>"' }
  expect(() => readConfig(quoted)).toThrow(/SMTP_URL debe [^;]+, sin comillas; MAIL_FROM debe [^;]+, sin comillas\.$/)
  expect(() => readConfig({ ...quoted, SMTP_URL: 'nada' })).toThrow(/SMTP_URL debe [^;]+:465; MAIL_FROM/)
})

test.each(['avisos@ejemplo.mx', 'Afluente <avisos@ejemplo.mx>'])('mail may come from %s', (from) => {
  const url = 'smtps://u:p@smtp.ejemplo.mx:465'
  expect(readConfig({ SMTP_URL: url, MAIL_FROM: from }).mailing).toEqual({ url, from })
  expect(readConfig({}).mailing).toBeUndefined()
})
