import { Secret, TOTP } from 'otpauth'
import { expect, test } from './fixtures.ts'
import { choose, expectNoViolations, expectToast } from './screen.ts'

const LIST = 'Verificación en dos pasos por rol'

// The rule is of a whole network: it is changed here alone, for the affiliates, and taken back.
test.describe.configure({ mode: 'serial' })
test.afterEach(async ({ db }) => {
  await db.updateTable('security_policy').set({ second_factor: 'off', grace_days: 14 }).execute()
})

test('an administrator asks the affiliates for a second factor; wrong days are named', async ({ page, signIn }) => {
  await signIn('admin')
  await page.goto('/app/admin/settings')
  const line = page.getByRole('list', { name: LIST }).getByRole('listitem').filter({ hasText: 'Afiliado' })
  await expect(line).toContainText('Opcional')
  await page.getByRole('button', { name: 'Cambiar la verificación de Afiliado' }).click()
  const dialog = page.getByRole('dialog', { name: 'Verificación en dos pasos' })
  await choose(dialog, 'Para este rol', 'Obligatoria')
  await dialog.getByLabel('Días de gracia').fill('91')
  await expectNoViolations(page)
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(dialog.getByText('Debe ser un número entero de 0 a 90')).toBeVisible()
  await dialog.getByLabel('Días de gracia').fill('30')
  await dialog.getByRole('button', { name: 'Guardar' }).dblclick()
  await expectToast(page, 'Política actualizada exitosamente')
  await expect(line).toContainText('Obligatoria · 30 días de gracia')
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
