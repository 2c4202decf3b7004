import type { Page } from '@playwright/test'
import { search } from '#contract/search.ts'
import { makeLead, makePayment } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { failNext } from './screen.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Buscar' })
const fieldOf = (page: Page) => dialogOf(page).getByRole('combobox', { name: 'Buscar' })

async function openPalette(page: Page) {
  await page.getByRole('button', { name: 'Buscar… Ctrl K' }).click()
  await expect(fieldOf(page)).toBeFocused()
}

test('whoever knows a name or a number reaches screens, leads and payments from anywhere, by keys alone', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const lead = await makeLead(db, { ...pair.ids, external_id: `paleta-${pair.product.id}` })
  const payment = await makePayment(db, pair.ids)
  await signIn('admin')
  await page.goto('/app/admin/dashboard')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  const [dialog, field] = [dialogOf(page), fieldOf(page)]

  await test.step('the keyboard leads to a screen', async () => {
    await page.keyboard.press('Control+k')
    await expect(field).toBeFocused()
    await expect(dialog.getByRole('group', { name: 'Ir a' }).getByRole('option').first()).toHaveText('Dashboard')
    await field.fill('b')
    await field.fill('bitacora')
    await expect(dialog.getByRole('option')).toHaveText(['Bitácora'])
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/app/admin/audit')
    await expect(dialog).toBeHidden()
  })

  await test.step('a lead and a payment are found and opened', async () => {
    await openPalette(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await page.getByRole('button', { name: 'Buscar… Ctrl K' }).dblclick()
    await field.fill(lead.external_id)
    const option = dialog.getByRole('group', { name: 'Leads' }).getByRole('option')
    await expect(option).toContainText(`Lead ${lead.id}`)
    await expect(field).toHaveAttribute('aria-activedescendant', /.+/)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog').getByText(lead.tracking_id).first()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await openPalette(page)
    await field.fill(pair.issuer.company_name)
    await dialog.getByRole('option', { name: `Pago ${payment.id}` }).click()
    await expect(page.getByRole('dialog').getByText('$1,500.00').first()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('what is not there and what fails are said', async () => {
    await openPalette(page)
    await field.fill('nadie se llama así')
    await expect(dialog.getByText('Sin resultados para «nadie se llama así»')).toBeVisible()
    await failNext(page, search.find)
    await field.fill('otra cosa')
    await expect(dialog.getByText('No se pudo buscar')).toBeVisible()
    await dialog.getByRole('button', { name: 'Reintentar' }).click()
    await expect(dialog.getByText('Sin resultados para «otra cosa»')).toBeVisible()
    await field.press('Escape')
    await expect(dialog).toBeHidden()
  })

  await test.step('the slash goes to the search of a list, else opens the palette, unless it is turned off', async () => {
    await page.getByRole('link', { name: 'Productos', exact: true }).click()
    const list = page.getByRole('searchbox', { name: 'Buscar por nombre...' })
    await expect(list).toBeVisible()
    await page.keyboard.press('/')
    await expect(list).toBeFocused()
    await expect(list).toHaveValue('')
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await page.keyboard.press('/')
    await dialog.getByRole('checkbox', { name: 'Desactivar atajos de una tecla' }).check()
    await field.press('Escape')
    await expect(dialog).toBeHidden()
    await page.keyboard.press('/')
    await page.keyboard.press('Control+k')
    await expect(field).toHaveValue('')
    await expect(dialog.getByRole('checkbox')).toBeChecked()
  })
})
