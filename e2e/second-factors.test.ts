import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { auth } from '#contract/auth.ts'
import { expect, forgetProof, PASSWORD, test } from './fixtures.ts'
import { expectToast, fillSilently } from './screen.ts'

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

async function typePassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
}

/** A device of the browser that makes passkeys and answers for its owner. */
async function addDevice(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('codes and a passkey are added, asked for at the sign-in, and taken away after a confirmation', async ({
  page,
  db,
  makePerson,
  baseURL,
}) => {
  // A passkey is of a name, which 127.0.0.1 is not.
  const named = (baseURL ?? '').replace('127.0.0.1', 'localhost')
  await addDevice(page)
  const { email } = await makePerson('admin')
  const dashboard = () => expect(page).toHaveURL(`${named}/app/admin/dashboard`)
  const settings = () => page.getByRole('link', { name: 'Configuración', exact: true }).click()
  const leave = () => page.getByRole('button', { name: 'Salir' }).click()
  await page.goto(`${named}/login`)
  await typePassword(page, email)
  await dashboard()
  await settings()

  const { secret, recovery } = await test.step('an application is added with a code of its own', async () => {
    await page.getByRole('button', { name: 'Agregar aplicación de códigos' }).click()
    const dialog = page.getByRole('dialog', { name: 'Agregar aplicación de códigos' })
    await expect(dialog.getByRole('img', { name: 'Código QR para tu aplicación de códigos' })).toBeVisible()
    const shown = (await dialog.locator('code').textContent()) ?? ''
    await dialog.getByLabel('Código de seis cifras').fill('000000')
    await dialog.getByRole('button', { name: 'Activar' }).click()
    await expect(dialog.getByText('El código no es correcto o ya se usó.')).toBeVisible()
    await dialog.getByLabel('Código de seis cifras').fill(codeOf(shown))
    await dialog.getByRole('button', { name: 'Activar' }).click()
    const codes = page.getByRole('dialog', { name: 'Códigos de recuperación' })
    await expect(codes.getByRole('list', { name: 'Códigos' }).getByRole('listitem')).toHaveCount(10)
    const recovery = (await codes.getByRole('listitem').first().textContent()) ?? ''
    await codes.getByRole('button', { name: 'Ya los guardé' }).click()
    await expect(page.getByText('Te quedan 10 códigos')).toBeVisible()
    return { secret: shown, recovery }
  })

  await test.step('the sign-in asks for a code', async () => {
    await leave()
    await typePassword(page, email)
    await expect(page.getByText('Confirma que eres tú con tu segundo factor.')).toBeVisible()
    await fillSilently(page.getByLabel('Código', { exact: true }), '111111')
    const refused = page.waitForResponse((answer) => answer.url().includes(auth.loginSecond.path))
    await page.keyboard.press('Enter')
    expect((await refused).status()).toBe(401)
    await expectToast(page, 'El código no es correcto o ya se usó.')
    // The next one: of this half minute one was taken already.
    await page.getByLabel('Código', { exact: true }).fill(codeOf(secret, 1))
    await page.keyboard.press('Enter')
    await dashboard()
  })

  await test.step('it is taken away by who shows who they are', async () => {
    const { id } = await db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    await forgetProof(db, id)
    await settings()
    await page.getByRole('button', { name: 'Quitar Aplicación de códigos' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Quitar' }).click()
    const confirm = page.getByRole('dialog', { name: 'Confirma que eres tú para continuar' })
    await fillSilently(confirm.getByLabel('Código'), '111111')
    await confirm.getByRole('button', { name: 'Confirmar' }).click()
    await expect(confirm.getByText('El código no es correcto o ya se usó.')).toBeVisible()
    await confirm.getByLabel('Código').fill(recovery)
    await page.keyboard.press('Enter')
    await expectToast(page, 'Segundo factor quitado')
    await expect(confirm).toBeHidden()
    await expect(page.getByText('Todavía no la usas')).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
  })

  await test.step('a passkey is added, and lets in without a password or beside it', async () => {
    await page.getByRole('button', { name: 'Agregar llave de acceso' }).click()
    const dialog = page.getByRole('dialog', { name: 'Agregar llave de acceso' })
    await dialog.getByLabel('Nombre').fill('Mi portátil')
    await dialog.getByRole('button', { name: 'Crear llave de acceso' }).click()
    await page.getByRole('button', { name: 'Ya los guardé' }).click()
    await expect(page.getByRole('list', { name: 'Segundos factores' })).toContainText('Mi portátil')
    await leave()
    await page.getByRole('button', { name: 'Entrar con una llave de acceso' }).click()
    await dashboard()
    await leave()
    await typePassword(page, email)
    await page.getByRole('button', { name: 'Usar una llave de acceso' }).click()
    await dashboard()
  })
})
