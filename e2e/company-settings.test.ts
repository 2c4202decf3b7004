import type { Page } from '@playwright/test'
import { affiliates } from '#contract/affiliates.ts'
import { auth } from '#contract/auth.ts'
import { issuers } from '#contract/issuers.ts'
import { makeUser, unique } from '#db/factories.ts'
import { factOf } from './facts.ts'
import { become, expect, forgetProof, PASSWORD, test } from './fixtures.ts'
import { choose, expectRow, expectToast, failNext } from './screen.ts'
import { readServed } from './server.ts'

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

/** Masked until asked for, and again afterwards. */
async function expectShownOnDemand(page: Page, key: string) {
  await expectMasked(page, 'API key', key)
  await page.getByRole('button', { name: 'Mostrar API key' }).click()
  await expect(factOf(page, 'API key')).toContainText(key)
  await page.getByRole('button', { name: 'Ocultar API key' }).click()
  await expectMasked(page, 'API key', key)
}

const statusOf = async (key: string) =>
  (await fetch(`${readServed().baseURL}/api/v1/events/lead-events/`, { headers: { 'x-api-key': key } })).status

test('an issuer reads its data, changes its keys, and ends one that somebody else may have seen', async ({
  page,
  context,
  db,
  signIn,
  issuer,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const api = await signIn('issuer', issuer)
  const params = { id: issuer.id }
  const { api_key: first = '' } = await api.call(issuers.rotateKey, { params })
  const { postback_token: token = '' } = await api.call(issuers.rotatePostbackToken, { params })
  await failNext(page, issuers.get)
  await page.goto('/app/issuer/settings')
  const question = page.getByRole('alertdialog')

  await test.step('data that fail to load can be asked for again, and are there to read', async () => {
    const failure = page.getByRole('alert').filter({ hasText: 'No se pudieron cargar los datos del emisor' })
    await failure.getByRole('button', { name: 'Reintentar' }).click()
    await expectOwnData(page, issuer, 'Emisor')
  })

  await test.step('a key is masked until it is asked for, and copied whole', async () => {
    await expectMasked(page, 'Token de postback', token)
    await expectShownOnDemand(page, first)
    await page.getByRole('button', { name: 'Copiar API key' }).click()
    await expectToast(page, 'Información copiada al portapapeles')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first)
  })

  const second = await test.step('a key is changed, knowing how long the old one lasts', async () => {
    await page.getByRole('button', { name: 'Cambiar API key' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Cambiar la API key' })).toContainText(
      'seguirá siendo válido 24 horas más',
    )
    await question.getByRole('button', { name: 'Cancelar' }).click()
    await expectMasked(page, 'API key', first)
    await page.getByRole('button', { name: 'Cambiar API key' }).click()
    await question.getByRole('button', { name: 'Cambiar' }).click()
    await expectToast(page, 'API key actualizada exitosamente')
    await expect(question).toHaveCount(0)
    await expect(factOf(page, 'API key')).toContainText(`La anterior (${first.slice(0, 8)}…) vale hasta`)
    const { api_key: now = '' } = await api.call(issuers.get, { params })
    await expectMasked(page, 'API key', now)
    return now
  })

  await test.step('a key ends at once with its change', async () => {
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200])
    await page.getByRole('button', { name: 'Cambiar API key' }).click()
    await question.getByRole('checkbox', { name: 'Revocar la anterior de inmediato' }).check()
    await expect(question).toContainText('dejará de funcionar en este momento')
    await question.getByRole('button', { name: 'Cambiar y revocar' }).click()
    await expect(question).toHaveCount(0)
    await expect(factOf(page, 'API key')).not.toContainText(second.slice(0, 8))
    expect(await statusOf(second)).toBe(401)
  })

  await test.step('what a change left valid is ended later', async () => {
    await page.getByRole('button', { name: 'Cambiar token de postback' }).click()
    await question.getByRole('button', { name: 'Cambiar' }).click()
    const revoke = page.getByRole('button', { name: 'Revocar de inmediato el anterior del token de postback' })
    await revoke.click()
    await question.getByRole('button', { name: 'Revocar' }).click()
    await expectToast(page, 'La clave anterior dejó de funcionar')
    await expect(revoke).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
  })

  await test.step('who is no owner reads why there are no people, and is not offered their tab', async () => {
    await become('reader', db, api)
    await page.goto('/app/issuer/people')
    await expect(page.getByText('Tu perfil no incluye esta acción')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Invitar a una persona' })).toHaveCount(0)
    const menu = page.getByRole('navigation', { name: 'Panel Emisor' })
    await menu.getByRole('link', { name: 'Configuraciones' }).click()
    const tabs = page.getByRole('navigation', { name: 'Secciones' })
    await expect(tabs.getByRole('link', { name: 'Webhooks' })).toBeVisible()
    // Once the duty is known, which a button says.
    await expect(page.getByRole('button', { name: /API key$/ }).first()).toHaveAccessibleDescription(
      'Tu perfil es de consulta',
    )
    await expect(tabs.getByRole('link', { name: 'Personas' })).toHaveCount(0)
  })
})

test('an affiliate reads its data and its key, and its owner invites, changes, suspends and reactivates people', async ({
  page,
  db,
  signIn,
  affiliate,
}) => {
  const api = await signIn('affiliate', affiliate)
  const { api_key: key = '' } = await api.call(affiliates.rotateKey, { params: { id: affiliate.id } })
  const { id } = await api.call(auth.profile)
  const closed = { first_name: 'Cerrada', user_status: 'suspended' }
  await makeUser(db, { role: 'affiliate', affiliateId: affiliate.id }, closed)
  await failNext(page, affiliates.get)
  await page.goto('/app/affiliate/settings')

  await test.step('data that fail to load are announced, and the page reloads', async () => {
    await expectToast(page, 'No se pudieron cargar los datos del afiliado')
    await expectToast(page, 'Error')
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Reintentar' }).click()])
    await expectOwnData(page, affiliate, 'Afiliado')
    await expectShownOnDemand(page, key)
  })

  await test.step('the own duty, and who was closed by the network, are not in reach', async () => {
    await page.getByRole('navigation', { name: 'Secciones' }).getByRole('link', { name: 'Personas' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Personas' })).toBeVisible()
    await expectRow(page, { Nombre: 'Ana Prueba', Perfil: 'Responsable', 'Dos pasos': 'No', Estado: 'Activo' })
    await expect(page.getByRole('button', { name: 'Cambiar el perfil de Ana Prueba' })).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Suspender a Ana Prueba' })).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Reactivar a Cerrada Prueba' })).toBeDisabled()
  })

  await test.step('a colleague is invited, also once more', async () => {
    await page.getByRole('button', { name: 'Invitar a una persona' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invitar a una persona' })
    await dialog.getByRole('button', { name: 'Invitar', exact: true }).click()
    await expect(dialog.getByText('El correo electrónico es requerido')).toBeVisible()
    await dialog.getByLabel('Nombre', { exact: true }).fill('Nora')
    await dialog.getByLabel('Apellidos').fill('Colega')
    await dialog.getByLabel('Email').fill(`nora${unique()}@empresa.mx`)
    await dialog.getByRole('button', { name: 'Invitar', exact: true }).dblclick()
    const shown = page.getByRole('dialog', { name: 'Enlace para Nora Colega' })
    await expect(shown.getByText('Copia este enlace ahora')).toBeVisible()
    await expect(shown.getByText('SMTP_URL')).toHaveCount(0)
    await expect(shown.locator('code')).toHaveText(/\/acceso#[\w-]{43}$/)
    await shown.getByRole('button', { name: 'Listo' }).click()
    await expectRow(page, { Nombre: 'Nora Colega', Perfil: 'Consulta', 'Último acceso': 'Nunca', Estado: 'Invitado' })
    await page.getByRole('button', { name: 'Repetir la invitación a Nora Colega' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Enviar invitación' }).click()
    await shown.getByRole('button', { name: 'Listo' }).click()
    await expect(shown).toBeHidden()
  })

  await test.step('her duty is changed', async () => {
    await page.getByRole('button', { name: 'Cambiar el perfil de Nora Colega' }).click()
    const duty = page.getByRole('dialog', { name: 'Cambiar perfil' })
    await choose(duty, 'Perfil', 'Finanzas')
    await duty.getByRole('button', { name: 'Guardar' }).click()
    await expectToast(page, 'Persona actualizada exitosamente')
    await expectRow(page, { Nombre: 'Nora Colega', Perfil: 'Finanzas' })
  })

  await test.step('she is suspended by who confirms first, and reactivated', async () => {
    await forgetProof(db, id)
    await page.getByRole('button', { name: 'Suspender a Nora Colega' }).click()
    const question = page.getByRole('alertdialog', { name: 'Suspender a Nora Colega' })
    await question.getByRole('button', { name: 'Suspender' }).click()
    const confirm = page.getByRole('dialog', { name: 'Confirma que eres tú para continuar' })
    await confirm.getByLabel('Tu contraseña').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expectRow(page, { Nombre: 'Nora Colega', Estado: 'Suspendido' })
    await page.getByRole('button', { name: 'Reactivar a Nora Colega' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reactivar' }).click()
    await expectRow(page, { Nombre: 'Nora Colega', Estado: 'Invitado' })
  })
})
