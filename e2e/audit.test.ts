import { issuers } from '#contract/issuers.ts'
import { expect, test } from './fixtures.ts'
import { choose } from './screen.ts'

test('the administrator reads who changed what, and shares the view', async ({ page, signIn, issuer }) => {
  const api = await signIn('admin')
  await api.call(issuers.update, { params: { id: issuer.id }, body: { contact_name: 'Sol Nuevo' } })
  await page.goto('/app/admin/audit?desde=2020-01-01&hasta=2020-01-31')

  await test.step('days without anything are cleared from the calendar', async () => {
    await expect(page.getByRole('heading', { name: 'Bitácora' })).toBeVisible()
    await expect(page.getByText('No se encontró nada con los filtros aplicados')).toBeVisible()
    await page.getByRole('button', { name: 'Quitar Desde' }).click()
    await page.getByRole('button', { name: 'Elegir fecha: Hasta' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.getByRole('button', { name: 'Limpiar' }).click()
    await expect(page).toHaveURL(/\/audit$/)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
    await expect(page.getByRole('button', { name: /^Ver entrada/ }).first()).toBeVisible()
  })

  await test.step('what is chosen stands in the address, and an entry says what was there before', async () => {
    await choose(page, 'Entidad', 'Emisor')
    await choose(page, 'Acción', 'Cambio')
    await expect(page).toHaveURL(/entidad=issuer&accion=update/)
    await page.reload()
    const row = page.getByRole('row').filter({ hasText: `actualizó el emisor ${issuer.company_name}` })
    await row.getByRole('button', { name: /^Ver entrada/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Cambio · Emisor' })
    await expect(dialog.getByRole('row', { name: 'Contacto Luz Contacto Sol Nuevo' })).toBeVisible()
  })
})
