import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { auth } from '#contract/auth.ts'
import { expect, forgetProof, PASSWORD, test } from './fixtures.ts'
import { expectNoViolations, expectToast } from './screen.ts'

const SETTINGS = '/app/admin/settings'
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

async function typePassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
}

test('an application with codes is added, asked for at the sign-in, and taken away after a confirmation', async ({
  page,
  db,
  signIn,
}) => {
  const { email, id } = await (await signIn('admin')).call(auth.profile)
  await page.goto(SETTINGS)
  await page.getByRole('button', { name: 'Agregar aplicación de códigos' }).click()
  const dialog = page.getByRole('dialog', { name: 'Agregar aplicación de códigos' })
  await expect(dialog.getByRole('img', { name: 'Código QR para tu aplicación de códigos' })).toBeVisible()
  await expectNoViolations(page)
  const secret = (await dialog.locator('code').textContent()) ?? ''
  await dialog.getByLabel('Código de seis cifras').fill('000000')
  await dialog.getByRole('button', { name: 'Activar' }).click()
  await expect(dialog.getByText('El código no es correcto o ya se usó.')).toBeVisible()
  await dialog.getByLabel('Código de seis cifras').fill(codeOf(secret))
  await dialog.getByRole('button', { name: 'Activar' }).click()
  const codes = page.getByRole('dialog', { name: 'Códigos de recuperación' })
  await expect(codes.getByRole('list', { name: 'Códigos' }).getByRole('listitem')).toHaveCount(10)
  await expectNoViolations(page)
  await codes.getByRole('button', { name: 'Ya los guardé' }).click()
  await expect(page.getByText('Te quedan 10 códigos')).toBeVisible()

  await page.getByRole('button', { name: 'Salir' }).click()
  await typePassword(page, email)
  await expect(page.getByText('Confirma que eres tú con tu segundo factor.')).toBeVisible()
  await expectNoViolations(page)
  await page.getByLabel('Código', { exact: true }).fill('111111')
  const refused = page.waitForResponse((answer) => answer.url().includes(auth.loginSecond.path))
  await page.keyboard.press('Enter')
  expect((await refused).status()).toBe(401)
  await expectToast(page, 'El código no es correcto o ya se usó.')
  // The next one: of this half minute one was taken already.
  await page.getByLabel('Código', { exact: true }).fill(codeOf(secret, 1))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/app/admin/dashboard')

  await forgetProof(db, id)
  await page.goto(SETTINGS)
  await page.getByRole('button', { name: 'Quitar Aplicación de códigos' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Quitar' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirma que eres tú para continuar' })
  await confirm.getByLabel('Tu contraseña').fill('equivocada')
  await confirm.getByRole('button', { name: 'Confirmar' }).click()
  await expect(confirm.getByText('La contraseña actual no es correcta')).toBeVisible()
  await confirm.getByLabel('Tu contraseña').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Segundo factor quitado')
  await expect(confirm).toBeHidden()
  await expect(page.getByText('Todavía no la usas')).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})

test('a passkey is added and lets in without a password', async ({ page, context, makePerson, baseURL }) => {
  const named = (baseURL ?? '').replace('127.0.0.1', 'localhost')
  const devtools = await context.newCDPSession(page)
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
  const { email } = await makePerson('admin')
  await page.goto(`${named}/login`)
  await typePassword(page, email)
  await expect(page).toHaveURL(`${named}/app/admin/dashboard`)
  await page.goto(`${named}${SETTINGS}`)
  await page.getByRole('button', { name: 'Agregar llave de acceso' }).click()
  const dialog = page.getByRole('dialog', { name: 'Agregar llave de acceso' })
  await dialog.getByLabel('Nombre').fill('Mi portátil')
  await dialog.getByRole('button', { name: 'Crear llave de acceso' }).click()
  await page.getByRole('button', { name: 'Ya los guardé' }).click()
  await expect(page.getByRole('list', { name: 'Segundos factores' })).toContainText('Mi portátil')
  await page.getByRole('button', { name: 'Salir' }).click()
  await page.getByRole('button', { name: 'Entrar con una llave de acceso' }).click()
  await expect(page).toHaveURL(`${named}/app/admin/dashboard`)
  await page.getByRole('button', { name: 'Salir' }).click()
  await typePassword(page, email)
  await page.getByRole('button', { name: 'Usar una llave de acceso' }).click()
  await expect(page).toHaveURL(`${named}/app/admin/dashboard`)
})
