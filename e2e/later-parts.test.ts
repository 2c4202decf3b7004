import { issuers } from '#contract/issuers.ts'
import { expect, test } from './fixtures.ts'
import { hold } from './screen.ts'

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

test('what is typed into a choice before its list has come stays', async ({ page, signIn, issuer }) => {
  await signIn('admin')
  const { promise, resolve: release } = Promise.withResolvers<void>()
  await page.route(POPUPS, async (route) => {
    await promise
    await route.continue()
  })
  await page.goto('/app/admin/products')
  const answered = await hold(page, issuers.list)
  await page.reload()
  const filter = page.getByRole('combobox', { name: 'Filtrar por emisor' })
  await filter.click()
  const [beginning, rest] = [issuer.company_name.slice(0, -2), issuer.company_name.slice(-2)]
  await page.keyboard.type(beginning)
  await expect(filter).toHaveValue(beginning)
  release()
  await expect(filter).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.type(rest)
  answered()
  await expect(filter).toHaveValue(issuer.company_name)
  await page.getByRole('option', { name: issuer.company_name, exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`emisor=${issuer.id}`))
  await expect(filter).toHaveValue(issuer.company_name)
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
