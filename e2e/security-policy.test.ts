import { Secret, TOTP } from 'otpauth'
import { auth } from '#contract/auth.ts'
import { users } from '#contract/users.ts'
import { unique } from '#db/factories.ts'
import { expect, PASSWORD, test } from './fixtures.ts'
import { callsOf, choose, expectToast } from './screen.ts'

// The rule is of a whole network: it is changed here alone, for roles whose people no other story concerns, and taken back.
test.describe.configure({ mode: 'serial' })
test.afterEach(async ({ db }) => {
  await db.updateTable('security_policy').set({ second_factor: 'off', grace_days: 14, replaces_given: false }).execute()
})

test('an administrator says what a role needs to come in, and who was given a password chooses their own first', async ({
  page,
  browser,
  signIn,
}) => {
  const api = await signIn('admin')
  await page.goto('/app/admin/settings')
  const lineOf = (role: string) =>
    page.getByRole('list', { name: 'Seguridad por rol' }).getByRole('listitem').filter({ hasText: role })
  const change = (role: string) => page.getByRole('button', { name: `Cambiar la seguridad de ${role}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Seguridad' })
  const save = dialog.getByRole('button', { name: 'Guardar' })

  await test.step('a second factor of the affiliates, and wrong days are named', async () => {
    const line = lineOf('Afiliado')
    await expect(line).toContainText('Verificación en dos pasos: opcional')
    await change('Afiliado')
    await choose(dialog, 'Verificación en dos pasos', 'Obligatoria')
    await dialog.getByLabel('Días de gracia').fill('91')
    await save.click()
    await expect(dialog.getByText('Debe ser un número entero de 0 a 90')).toBeVisible()
    await dialog.getByLabel('Días de gracia').fill('30')
    await save.click()
    await expectToast(page, 'Política actualizada exitosamente')
    await expect(line).toContainText('obligatoria · 30 días de gracia')
    await change('Afiliado')
    await dialog.getByLabel('Días de gracia').fill('')
    await choose(dialog, 'Verificación en dos pasos', 'Se pide')
    await save.click()
    await expect(line).toContainText('Verificación en dos pasos: se pide')
  })

  await test.step('an own password of the administrators', async () => {
    const line = lineOf('Administrador')
    await expect(line).toContainText('Contraseña puesta por otra persona: se conserva')
    await change('Administrador')
    await dialog.getByLabel('Cambiar al entrar la contraseña que puso otra persona').check()
    await save.click()
    await expect(line).toContainText('Contraseña puesta por otra persona: se cambia al entrar')
  })

  await test.step('who comes in with a password of somebody else finds nothing but the choice of one', async () => {
    const email = `dada${unique()}@empresa.mx`
    const body = { email, first_name: 'Elena', last_name: 'Dada', role: 'admin', password: PASSWORD }
    await api.call(users.create, { body })
    const theirs = await browser.newPage()
    const heading = theirs.getByRole('heading', { level: 1 })
    await theirs.goto('/app/admin/leads')
    await theirs.getByLabel('Correo electrónico').fill(email)
    await theirs.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
    await theirs.keyboard.press('Enter')
    await expect(theirs).toHaveURL(/\/app\/admin\/leads$/)
    await expect(heading).toHaveText('Elige tu contraseña')
    await expect(theirs.getByText('Otra persona conoce tu contraseña: elige la tuya para continuar.')).toBeVisible()
    const [given, own] = [theirs.getByLabel('Contraseña que te dieron'), theirs.getByLabel('Contraseña nueva')]
    await expect(given).toBeFocused()
    const main = theirs.getByRole('main')
    const choice = main.getByRole('button', { name: 'Guardar contraseña' })
    await choice.click()
    await expect(main.getByText('Este campo es requerido')).toBeVisible()
    await expect(main.getByText('La contraseña debe tener al menos 8 caracteres')).toBeVisible()
    await given.fill('no es esta')
    await own.fill('Propia-Corriente-29')
    await choice.click()
    await expect(main.getByText('La contraseña actual no es correcta')).toBeVisible()
    await given.fill(PASSWORD)
    await main.getByRole('button', { name: 'Mostrar contraseña' }).last().click()
    await expect(own).toHaveAttribute('type', 'text')
    const calls = callsOf(theirs, auth.changePassword)
    await choice.dblclick()
    await expectToast(theirs, 'Contraseña actualizada exitosamente')
    await expect(heading).toHaveText('Gestión de Leads')
    expect(calls).toHaveLength(1)
    await theirs.close()
  })
})

test('who has to register a second factor does it before anything else; until then a banner asks', async ({
  page,
  db,
  signIn,
  affiliate,
}) => {
  const DAYS_AGO = new Date(Date.now() - 2 * 86_400_000).toISOString()
  const api = await signIn('affiliate', affiliate)
  /** Until the server knows it, too. */
  const rule = async (second_factor: string, grace_days: number, factor: string) => {
    const columns = { second_factor, grace_days, since: DAYS_AGO }
    await db.updateTable('security_policy').set(columns).where('role', '=', 'affiliate').execute()
    await expect.poll(async () => (await api.call(auth.rights)).factor).toBe(factor)
  }
  await rule('asked', 0, 'asked')
  await page.goto('/app/affiliate/products')
  const banner = page.getByRole('region', { name: 'Verificación en dos pasos' })
  await expect(banner).toContainText('Protege tu cuenta con la verificación en dos pasos.')
  await banner.getByRole('link', { name: 'Activarla' }).click()
  const add = page.getByRole('button', { name: 'Agregar aplicación de códigos' })
  await expect(add).toBeInViewport()
  await rule('required', 10, 'soon')
  await page.reload()
  await expect(banner).toContainText('Tu perfil exige verificación en dos pasos desde el')

  // Only this account is older than the days of grace.
  await db.updateTable('user').set({ created_at: DAYS_AGO }).where('affiliate_id', '=', affiliate.id).execute()
  await rule('required', 1, 'due')
  await page.reload()
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Registra tu segundo factor')
  const goOn = page.getByRole('button', { name: 'Continuar' })
  await expect(goOn).toBeDisabled()
  await add.click()
  const dialog = page.getByRole('dialog', { name: 'Agregar aplicación de códigos' })
  const secret = (await dialog.locator('code').textContent()) ?? ''
  await dialog.getByLabel('Código de seis cifras').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
  await dialog.getByRole('button', { name: 'Activar' }).click()
  await page.getByRole('button', { name: 'Ya los guardé' }).click()
  await goOn.click()
  await expect(heading).toHaveText('Configuraciones')
  await expect(banner).toHaveCount(0)
  await page.getByRole('button', { name: 'Quitar Aplicación de códigos' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Quitar' }).click()
  await expectToast(page, 'Tu perfil exige un segundo factor: registra otro antes de quitar este.')
})
