import { Secret, TOTP } from 'otpauth'
import { auth } from '#contract/auth.ts'
import { unique } from '#db/factories.ts'
import { expect, PASSWORD, test } from './fixtures.ts'
import { callsOf, choose, expectNoViolations, expectToast } from './screen.ts'

const LIST = 'Seguridad por rol'

// The rule is of a whole network: it is changed here alone, for roles whose people no other story concerns, and taken back.
test.describe.configure({ mode: 'serial' })
test.afterEach(async ({ db }) => {
  await db.updateTable('security_policy').set({ second_factor: 'off', grace_days: 14, replaces_given: false }).execute()
})

test('an administrator asks the affiliates for a second factor; wrong days are named', async ({ page, signIn }) => {
  await signIn('admin')
  await page.goto('/app/admin/settings')
  const line = page.getByRole('list', { name: LIST }).getByRole('listitem').filter({ hasText: 'Afiliado' })
  await expect(line).toContainText('Verificación en dos pasos: opcional')
  await page.getByRole('button', { name: 'Cambiar la seguridad de Afiliado' }).click()
  const dialog = page.getByRole('dialog', { name: 'Seguridad' })
  await choose(dialog, 'Verificación en dos pasos', 'Obligatoria')
  await dialog.getByLabel('Días de gracia').fill('91')
  await expectNoViolations(page)
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(dialog.getByText('Debe ser un número entero de 0 a 90')).toBeVisible()
  await dialog.getByLabel('Días de gracia').fill('30')
  await dialog.getByRole('button', { name: 'Guardar' }).dblclick()
  await expectToast(page, 'Política actualizada exitosamente')
  await expect(line).toContainText('obligatoria · 30 días de gracia')
  await page.getByRole('button', { name: 'Cambiar la seguridad de Afiliado' }).click()
  await dialog.getByLabel('Días de gracia').fill('')
  await choose(dialog, 'Verificación en dos pasos', 'Se pide')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(line).toContainText('Verificación en dos pasos: se pide')
})

test('who has to register one does it before anything else; until then a banner asks', async ({
  page,
  db,
  signIn,
  affiliate,
}) => {
  const DAYS_AGO = new Date(Date.now() - 2 * 86_400_000).toISOString()
  const rule = (second_factor: string, grace_days: number) =>
    db
      .updateTable('security_policy')
      .set({ second_factor, grace_days, since: DAYS_AGO })
      .where('role', '=', 'affiliate')
      .execute()
  await rule('asked', 0)
  await signIn('affiliate', affiliate)
  await page.goto('/app/affiliate/products')
  const banner = page.getByRole('region', { name: 'Verificación en dos pasos' })
  await expect(banner).toContainText('Protege tu cuenta con la verificación en dos pasos.')
  await expectNoViolations(page)
  await banner.getByRole('link', { name: 'Activarla' }).click()
  await expect(page.getByRole('button', { name: 'Agregar aplicación de códigos' })).toBeInViewport()
  await rule('required', 10)
  await page.reload()
  await expect(banner).toContainText('Tu perfil exige verificación en dos pasos desde el')
  // Only this account is older than the days of grace.
  await db.updateTable('user').set({ created_at: DAYS_AGO }).where('affiliate_id', '=', affiliate.id).execute()
  await rule('required', 1)
  await page.goto('/app/affiliate/products')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Registra tu segundo factor')
  await expect(page.getByRole('button', { name: 'Continuar' })).toBeDisabled()
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Agregar aplicación de códigos' }).click()
  const dialog = page.getByRole('dialog', { name: 'Agregar aplicación de códigos' })
  const secret = (await dialog.locator('code').textContent()) ?? ''
  await dialog.getByLabel('Código de seis cifras').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
  await dialog.getByRole('button', { name: 'Activar' }).click()
  await page.getByRole('button', { name: 'Ya los guardé' }).click()
  await page.getByRole('button', { name: 'Continuar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Productos' })).toBeVisible()
  await expect(banner).toHaveCount(0)
  await page.goto('/app/affiliate/settings')
  await page.getByRole('button', { name: 'Quitar Aplicación de códigos' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Quitar' }).click()
  await expectToast(page, 'Tu perfil exige un segundo factor: registra otro antes de quitar este.')
})

test('who was given a password chooses their own before anything else, where the role asks for it', async ({
  page,
  browser,
  signIn,
}) => {
  await signIn('admin')
  await page.goto('/app/admin/settings')
  const line = page.getByRole('list', { name: LIST }).getByRole('listitem').filter({ hasText: 'Administrador' })
  await expect(line).toContainText('Contraseña puesta por otra persona: se conserva')
  await page.getByRole('button', { name: 'Cambiar la seguridad de Administrador' }).click()
  const rule = page.getByRole('dialog', { name: 'Seguridad' })
  await rule.getByLabel('Cambiar al entrar la contraseña que puso otra persona').check()
  await rule.getByRole('button', { name: 'Guardar' }).click()
  await expect(line).toContainText('Contraseña puesta por otra persona: se cambia al entrar')
  await page.goto('/app/admin/users')
  await page.getByRole('button', { name: 'Nuevo Usuario' }).click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo Usuario' })
  const email = `dada${unique()}@empresa.mx`
  await dialog.getByLabel('Nombre', { exact: true }).fill('Elena')
  await dialog.getByLabel('Apellidos').fill('Dada')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await choose(dialog, 'Rol', 'Administrador')
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  await expectToast(page, 'Usuario creado exitosamente')

  const theirs = await browser.newPage()
  const enter = async (password: string) => {
    await theirs.getByLabel('Correo electrónico').fill(email)
    await theirs.getByLabel('Contraseña', { exact: true }).fill(password)
    await theirs.keyboard.press('Enter')
  }
  const heading = theirs.getByRole('heading', { level: 1 })
  await theirs.goto('/login')
  await enter(PASSWORD)
  await expect(heading).toHaveText('Elige tu contraseña')
  await theirs.goto('/app/admin/leads')
  await expect(heading).toHaveText('Elige tu contraseña')
  await expect(theirs.getByText('Otra persona conoce tu contraseña: elige la tuya para continuar.')).toBeVisible()
  const [given, own] = [theirs.getByLabel('Contraseña que te dieron'), theirs.getByLabel('Contraseña nueva')]
  await expect(given).toBeFocused()
  const main = theirs.getByRole('main')
  const save = main.getByRole('button', { name: 'Guardar contraseña' })
  await save.click()
  await expect(main.getByText('Este campo es requerido')).toBeVisible()
  await expect(main.getByText('La contraseña debe tener al menos 8 caracteres')).toBeVisible()
  await expectNoViolations(theirs)
  await given.fill(PASSWORD)
  await own.fill(PASSWORD)
  await save.click()
  await expect(main.getByText('Elige una contraseña distinta de la actual')).toBeVisible()
  await given.fill('no es esta')
  await own.fill('Propia-Corriente-29')
  await save.click()
  await expect(main.getByText('La contraseña actual no es correcta')).toBeVisible()
  await given.fill(PASSWORD)
  await main.getByRole('button', { name: 'Mostrar contraseña' }).last().click()
  await expect(own).toHaveAttribute('type', 'text')
  const calls = callsOf(theirs, auth.changePassword)
  await save.dblclick()
  await expectToast(theirs, 'Contraseña actualizada exitosamente')
  await expect(heading).toHaveText('Gestión de Leads')
  expect(calls).toHaveLength(1)
  await theirs.getByRole('button', { name: 'Salir' }).click()
  await enter('Propia-Corriente-29')
  await expect(heading).toHaveText('Dashboard')
  await theirs.close()
})
