import type { Page } from '@playwright/test'
import { search } from '#contract/search.ts'
import { makeLead, makePayment } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { expectNoViolations, failNext } from './screen.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Buscar' })
const fieldOf = (page: Page) => dialogOf(page).getByRole('combobox', { name: 'Buscar' })

async function openPalette(page: Page) {
  await page.getByRole('button', { name: 'Buscar… Ctrl K' }).click()
  await expect(fieldOf(page)).toBeFocused()
}

test('the keyboard leads to a screen', async ({ page, signIn }) => {
  await signIn('admin')
  await page.goto('/app/admin/dashboard')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const dialog = dialogOf(page)
  await expect(fieldOf(page)).toBeFocused()
  await expect(dialog.getByRole('group', { name: 'Ir a' }).getByRole('option').first()).toHaveText('Dashboard')
  await expectNoViolations(page)
  await fieldOf(page).fill('comisiones')
  await expect(dialog.getByRole('group', { name: 'Ir a' }).getByRole('option')).toHaveText(['Comisiones'])
  await fieldOf(page).fill('b')
  await fieldOf(page).fill('bitacora')
  await expect(dialog.getByRole('option')).toHaveText(['Bitácora'])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/app/admin/audit')
  await expect(dialog).toBeHidden()
})

test('a lead and a payment are found and opened', async ({ page, signIn, db, pair }) => {
  const lead = await makeLead(db, { ...pair.ids, external_id: `paleta-${pair.product.id}` })
  const payment = await makePayment(db, pair.ids)
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/products')
  await openPalette(page)
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toBeHidden()
  await page.getByRole('button', { name: 'Buscar… Ctrl K' }).dblclick()
  await fieldOf(page).fill(lead.external_id)
  const option = dialogOf(page).getByRole('group', { name: 'Leads' }).getByRole('option')
  await expect(option).toContainText(`Lead ${lead.id}`)
  await expect(fieldOf(page)).toHaveAttribute('aria-activedescendant', /.+/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByText(lead.tracking_id).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await openPalette(page)
  await fieldOf(page).fill(pair.issuer.company_name)
  await dialogOf(page)
    .getByRole('option', { name: `Pago ${payment.id}` })
    .click()
  await expect(page.getByRole('dialog').getByText('$1,500.00').first()).toBeVisible()
})

test('what is not there and what fails are said', async ({ page, signIn }) => {
  await signIn('admin')
  await page.goto('/app/admin/dashboard')
  await openPalette(page)
  await fieldOf(page).fill('nadie se llama así')
  await expect(dialogOf(page).getByText('Sin resultados para «nadie se llama así»')).toBeVisible()
  await failNext(page, search.find)
  await fieldOf(page).fill('otra cosa')
  await expect(dialogOf(page).getByText('No se pudo buscar')).toBeVisible()
  await expectNoViolations(page)
  await dialogOf(page).getByRole('button', { name: 'Reintentar' }).click()
  await expect(dialogOf(page).getByText('Sin resultados para «otra cosa»')).toBeVisible()
  await fieldOf(page).press('Escape')
  await expect(dialogOf(page)).toBeHidden()
})

test('the slash goes to the search of a list, else opens the palette, unless it is turned off', async ({
  page,
  signIn,
}) => {
  await signIn('admin')
  await page.goto('/app/admin/products')
  const list = page.getByRole('searchbox', { name: 'Buscar por nombre...' })
  await expect(list).toBeVisible()
  await page.keyboard.press('/')
  await expect(list).toBeFocused()
  await expect(list).toHaveValue('')
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.keyboard.press('/')
  await dialogOf(page).getByRole('checkbox', { name: 'Desactivar atajos de una tecla' }).check()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.press('Control+k')
  await expect(fieldOf(page)).toHaveValue('')
  await expect(dialogOf(page).getByRole('checkbox')).toBeChecked()
})
