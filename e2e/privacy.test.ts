import { readFileSync } from 'node:fs'
import type { Locator } from '@playwright/test'
import { makeEvent, makeLead, makeStep } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { choose, expectRow } from './screen.ts'

test('the administrator shows, corrects and erases what is kept of a person', async ({ page, signIn, pair, db }) => {
  const reference = `marta-${pair.product.id}@correo.mx`
  const lead = await makeLead(db, { ...pair.ids, external_id: reference, utm_source: 'boletín' })
  const step = await makeStep(db, { product_id: pair.product.id })
  await makeEvent(db, lead, step, { event_data: JSON.stringify({ nota: 'llamó Marta' }) })
  await signIn('admin')
  await page.goto('/app/admin/settings')
  const searching = page.getByRole('button', { name: 'Buscar', exact: true })
  const search = async (text: string) => {
    await page.getByRole('searchbox', { name: 'Tracking ID o referencia' }).fill(text)
    await searching.click()
  }
  const nothing = page.getByText('No se guarda nada con esa referencia')

  await test.step('on a phone nothing stands beside the screen', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const right = async (control: Locator) => {
      const box = await control.boundingBox()
      return (box?.x ?? 0) + (box?.width ?? 999)
    }
    await expect.poll(() => right(page.getByRole('link', { name: 'Bitácora', exact: true }))).toBeLessThanOrEqual(390)
    await page.getByRole('link', { name: 'Datos personales' }).click()
    await expect(page.getByText('La búsqueda es exacta')).toBeVisible()
    await expect.poll(() => right(searching)).toBeLessThanOrEqual(390)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('who is looked for stays out of the address, and so out of the history', async () => {
    await search('nadie')
    await expect(nothing).toBeVisible()
    await search(reference)
    await expectRow(page, { Referencia: reference, Emisor: pair.issuer.company_name })
    expect(page.url()).not.toContain('marta')
  })

  await test.step('what is kept is shown for a request, and saved as a file', async () => {
    await page.getByRole('button', { name: `Consultar datos del lead ${lead.id}` }).click()
    const access = page.getByRole('dialog', { name: 'Consultar datos' })
    await access.getByRole('button', { name: 'Consultar' }).click()
    await expect(access.getByText('Indica el folio de la solicitud')).toBeVisible()
    await access.getByLabel('Folio de la solicitud').fill('ARCO-7')
    await access.getByLabel('Motivo').fill('Solicitud de acceso')
    await access.getByRole('button', { name: 'Consultar' }).click()
    const file = page.getByRole('dialog', { name: 'Datos que se guardan' })
    await expect(file.getByText('llamó Marta')).toBeVisible()
    const downloading = page.waitForEvent('download')
    await file.getByRole('button', { name: 'Descargar JSON' }).click()
    const saved = await downloading
    expect(saved.suggestedFilename()).toBe(`afluente-datos-${lead.tracking_id}.json`)
    expect(JSON.parse(readFileSync(await saved.path(), 'utf8')).lead.external_id).toBe(reference)
    await file.getByRole('button', { name: 'Cerrar', exact: true }).last().click()
  })

  await test.step('it is corrected once something differs', async () => {
    await page.getByRole('button', { name: `Rectificar datos del lead ${lead.id}` }).click()
    const correct = page.getByRole('dialog', { name: 'Rectificar datos' })
    await expect(correct.getByRole('button', { name: 'Rectificar' })).toBeDisabled()
    await correct.getByLabel('utm_source').fill('correo')
    await correct.getByLabel('Folio de la solicitud').fill('ARCO-8')
    await correct.getByLabel('Motivo').fill('Solicitud de rectificación')
    await correct.getByRole('button', { name: 'Rectificar' }).click()
    await expect(page.getByText('Datos rectificados')).toBeVisible()
  })

  await test.step('it is erased, and of the lead is left what tells of nobody', async () => {
    await page.getByRole('button', { name: `Suprimir datos del lead ${lead.id}` }).click()
    const erase = page.getByRole('dialog', { name: 'Suprimir datos' })
    await erase.getByLabel('Folio de la solicitud').fill('ARCO-9')
    await erase.getByLabel('Motivo').fill('Solicitud de cancelación')
    await erase.getByRole('button', { name: 'Suprimir' }).click()
    await expect(page.getByText('Datos suprimidos')).toBeVisible()
    await expect(nothing).toBeVisible()
    await search(lead.tracking_id)
    await expectRow(page, { 'Tracking ID': lead.tracking_id, Referencia: '—' })
  })

  await test.step('the trail says so, without the person', async () => {
    await page.getByRole('link', { name: 'Configuración' }).click()
    await page.getByRole('link', { name: 'Bitácora' }).click()
    await choose(page, 'Entidad', 'Lead')
    const did = page.getByText(`suprimió los datos personales del lead ${lead.tracking_id}`)
    await expect(did.first()).toBeVisible()
    await expect(page.getByText('Marta')).toHaveCount(0)
  })
})
