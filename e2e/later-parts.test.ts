import type { Page } from '@playwright/test'
import { issuers } from '#contract/issuers.ts'
import { expect, test } from './fixtures.ts'
import { hold } from './screen.ts'

const POPUPS = '**/assets/*-popups.js'

/** Holds back what choices, menus and dialogs are made of until the returned function is called. */
async function holdPopups(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(POPUPS, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

test('what is pressed or typed before its part has come is not lost, and what cannot be had says so', async ({
  page,
  signIn,
  issuer,
}) => {
  await signIn('admin')

  await test.step('a choice opens when it comes, with the focus in it', async () => {
    const release = await holdPopups(page)
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
    await page.unroute(POPUPS)
  })

  await test.step('what is typed into a choice before its list has come stays', async () => {
    const release = await holdPopups(page)
    const answered = await hold(page, issuers.list)
    await page.goto('/app/admin/products')
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
    await page.unroute(POPUPS)
  })

  for (const name of ['Exportar', 'Crear Pago'])
    await test.step(`${name} cannot be fetched, and the screen stays`, async () => {
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
    })
})
