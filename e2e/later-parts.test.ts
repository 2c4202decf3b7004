import { expect, test } from './fixtures.ts'

const POPUPS = '**/assets/popups-*.js'

test('what is pressed before its part has come opens when it comes, with the focus in it', async ({ page, signIn }) => {
  await signIn('admin')
  const { promise, resolve: release } = Promise.withResolvers<void>()
  await page.route(POPUPS, async (route) => {
    await promise
    await route.continue()
  })
  await page.goto('/app/admin/payments')
  const button = page.getByRole('combobox', { name: 'Estado' })
  await button.focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option')).toHaveCount(0)
  release()
  await expect(page.getByRole('option', { name: 'Pagado' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
  await expect(button).toHaveAttribute('aria-expanded', 'false')
})

test('a menu and a dialog that cannot be fetched say so, and the screen stays', async ({ page, signIn }) => {
  await signIn('admin')
  for (const name of ['Exportar', 'Crear Pago']) {
    await page.route(POPUPS, (route) => route.abort())
    await page.goto('/app/admin/payments')
    await page.getByRole('button', { name }).first().click()
    const notice = page.getByRole('listitem').filter({ hasText: 'No se pudo abrir' })
    await expect(notice).toContainText('Revisa tu conexión y recarga la página.')
    await expect(page.getByRole('heading', { level: 1, name: 'Gestión de Pagos' })).toBeVisible()
    await page.unroute(POPUPS)
    await notice.getByRole('button', { name: 'Recargar' }).click()
    await page.getByRole('button', { name }).first().click()
    await expect(page.getByRole('menuitem', { name: 'CSV' }).or(page.getByRole('dialog', { name }))).toBeVisible()
  }
})
