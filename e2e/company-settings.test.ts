import type { Page } from '@playwright/test'
import { affiliates } from '#contract/affiliates.ts'
import { issuers } from '#contract/issuers.ts'
import { factOf } from './facts.ts'
import { expect, test } from './fixtures.ts'
import { expectNoViolations, expectToast, failNext } from './screen.ts'
import { readServed } from './server.ts'

const [ISSUER, AFFILIATE] = ['/app/issuer/settings', '/app/affiliate/settings']
const FAILED = {
  issuer: 'No se pudieron cargar los datos del emisor',
  affiliate: 'No se pudieron cargar los datos del afiliado',
}

interface Company {
  company_name: string
  rfc: string
  address: string
  contact_name: string
  contact_email: string
  url: string
}

async function expectOwnData(page: Page, company: Company, role: string) {
  await expect(page.getByRole('heading', { level: 1, name: 'Configuraciones' })).toBeVisible()
  await expect(page.getByText('Esta información es de solo consulta').first()).toBeVisible()
  await expect(factOf(page, 'Nombre completo')).toHaveText('Ana Prueba')
  await expect(factOf(page, 'Rol')).toHaveText(role)
  await expect(factOf(page, 'Último acceso')).toHaveText(/\d{4}.* \d{2}:\d{2}$/)
  await expect(factOf(page, 'Email')).toHaveText([/^persona\d+@pruebas\.mx$/, company.contact_email])
  await expect(factOf(page, 'Fecha de registro')).toHaveText([/ de \d{4}$/, / de \d{4}$/])
  await expect(factOf(page, 'Empresa')).toHaveText(company.company_name)
  await expect(factOf(page, 'RFC')).toHaveText(company.rfc)
  await expect(factOf(page, 'Dirección')).toHaveText(company.address)
  await expect(factOf(page, 'Contacto')).toHaveText(company.contact_name)
  await expect(factOf(page, 'Teléfono')).toHaveText('+52 551 234 5678')
  await expect(factOf(page, 'URL')).toHaveText(company.url)
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /Guardar|Editar/ })).toHaveCount(0)
}

async function expectMasked(page: Page, label: string, key: string) {
  const fact = factOf(page, label)
  await expect(fact).toContainText(`${key.slice(0, 8)}•`)
  await expect(fact).not.toContainText(key.slice(0, 9))
}

test('an issuer reads its data and its keys', async ({ page, context, signIn, issuer }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const api = await signIn('issuer', issuer)
  const { api_key: key = '' } = await api.call(issuers.rotateKey, { params: { id: issuer.id } })
  const { postback_token: token = '' } = await api.call(issuers.rotatePostbackToken, { params: { id: issuer.id } })
  await page.goto(ISSUER)
  await expectOwnData(page, issuer, 'Emisor')
  await expectMasked(page, 'API key', key)
  await expectMasked(page, 'Token de postback', token)
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Mostrar API key' }).click()
  await expect(factOf(page, 'API key')).toContainText(key)
  await page.getByRole('button', { name: 'Ocultar API key' }).click()
  await expectMasked(page, 'API key', key)
  await page.getByRole('button', { name: 'Copiar API key' }).click()
  await expectToast(page, 'Información copiada al portapapeles')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
})

test('an issuer changes a key, knowing how long the old one lasts', async ({ page, signIn, issuer }) => {
  const api = await signIn('issuer', issuer)
  const { api_key: old = '' } = await api.call(issuers.rotateKey, { params: { id: issuer.id } })
  await page.goto(ISSUER)
  await page.getByRole('button', { name: 'Cambiar API key' }).click()
  const question = page.getByRole('alertdialog', { name: 'Cambiar la API key' })
  await expect(question).toContainText('seguirá siendo válido 24 horas más')
  await question.getByRole('button', { name: 'Cancelar' }).click()
  await expectMasked(page, 'API key', old)
  await page.getByRole('button', { name: 'Cambiar API key' }).click()
  await question.getByRole('button', { name: 'Cambiar' }).click()
  await expectToast(page, 'API key actualizada exitosamente')
  await expect(question).toHaveCount(0)
  await expect(factOf(page, 'API key')).toContainText(`La anterior (${old.slice(0, 8)}…) vale hasta`)
  const { api_key: now = '' } = await api.call(issuers.get, { params: { id: issuer.id } })
  await expectMasked(page, 'API key', now)
})

test('an issuer ends a key that somebody else may have seen', async ({ page, signIn, issuer }) => {
  const api = await signIn('issuer', issuer)
  const { api_key: old = '' } = await api.call(issuers.rotateKey, { params: { id: issuer.id } })
  const status = async (key: string) =>
    (await fetch(`${readServed().baseURL}/api/v1/events/lead-events/`, { headers: { 'x-api-key': key } })).status
  expect(await status(old)).toBe(200)
  await page.goto(ISSUER)
  await page.getByRole('button', { name: 'Cambiar API key' }).click()
  const question = page.getByRole('alertdialog', { name: 'Cambiar la API key' })
  await question.getByRole('checkbox', { name: 'Revocar la anterior de inmediato' }).check()
  await expect(question).toContainText('dejará de funcionar en este momento')
  await expectNoViolations(page)
  await question.getByRole('button', { name: 'Cambiar y revocar' }).click()
  await expectToast(page, 'API key actualizada exitosamente')
  expect(await status(old)).toBe(401)
  await api.call(issuers.rotatePostbackToken, { params: { id: issuer.id } })
  await page.reload()
  await page.getByRole('button', { name: 'Cambiar token de postback' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cambiar' }).click()
  const revoke = page.getByRole('button', { name: 'Revocar de inmediato el anterior del token de postback' })
  await revoke.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revocar' }).click()
  await expectToast(page, 'La clave anterior dejó de funcionar')
  await expect(revoke).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
})

test('an affiliate reads its data and its key', async ({ page, signIn, affiliate }) => {
  const api = await signIn('affiliate', affiliate)
  const { api_key: key = '' } = await api.call(affiliates.rotateKey, { params: { id: affiliate.id } })
  await page.goto(AFFILIATE)
  await expectOwnData(page, affiliate, 'Afiliado')
  await expectMasked(page, 'API key', key)
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Mostrar API key' }).click()
  await expect(factOf(page, 'API key')).toContainText(key)
  await page.getByRole('button', { name: 'Ocultar API key' }).click()
  await expectMasked(page, 'API key', key)
})

test("an issuer's data that fail to load can be asked for again", async ({ page, signIn, issuer }) => {
  await signIn('issuer', issuer)
  await failNext(page, issuers.get)
  await page.goto(ISSUER)
  await expect(page.getByRole('alert').filter({ hasText: FAILED.issuer })).toBeVisible()
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await expect(factOf(page, 'Empresa')).toHaveText(issuer.company_name)
})

test("an affiliate's data that fail to load are announced, and the page reloads", async ({
  page,
  signIn,
  affiliate,
}) => {
  await signIn('affiliate', affiliate)
  await failNext(page, affiliates.get)
  await page.goto(AFFILIATE)
  await expectToast(page, FAILED.affiliate)
  await expectToast(page, 'Error')
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Reintentar' }).click()])
  await expect(factOf(page, 'Empresa')).toHaveText(affiliate.company_name)
})
