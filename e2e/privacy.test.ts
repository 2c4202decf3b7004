import { readFileSync } from 'node:fs'
import { makeEvent, makeLead, makeStep } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { expectNoViolations, expectRow } from './screen.ts'

test('the administrator shows, corrects and erases what is kept of a person', async ({ page, signIn, pair, db }) => {
  const reference = `marta-${pair.product.id}@correo.mx`
  const lead = await makeLead(db, { ...pair.ids, external_id: reference, utm_source: 'boletín' })
  const step = await makeStep(db, { product_id: pair.product.id })
  await makeEvent(db, lead, step, { event_data: JSON.stringify({ nota: 'llamó Marta' }) })
  await signIn('admin')
  await page.goto('/app/admin/settings')
  await page.getByRole('link', { name: 'Datos personales' }).click()
  await expect(page.getByText('La búsqueda es exacta')).toBeVisible()
  const search = async (text: string) => {
    await page.getByRole('searchbox', { name: 'Tracking ID o referencia' }).fill(text)
    await page.getByRole('button', { name: 'Buscar', exact: true }).click()
  }
  await search('nadie')
  await expect(page.getByText('No se guarda nada con esa referencia')).toBeVisible()
  await search(reference)
  await expectRow(page, { Referencia: reference, Emisor: pair.issuer.company_name })
  await expectNoViolations(page)
  // What identifies somebody stays out of the address, and so out of the history.
  expect(page.url()).not.toContain('marta')

  await page.getByRole('button', { name: `Consultar datos del lead ${lead.id}` }).click()
  const access = page.getByRole('dialog', { name: 'Consultar datos' })
  await access.getByRole('button', { name: 'Consultar' }).click()
  await expect(access.getByText('Indica el folio de la solicitud')).toBeVisible()
  await access.getByLabel('Folio de la solicitud').fill('ARCO-7')
  await access.getByLabel('Motivo').fill('Solicitud de acceso')
  await access.getByRole('button', { name: 'Consultar' }).click()
  const file = page.getByRole('dialog', { name: 'Datos que se guardan' })
  await expect(file.getByText('llamó Marta')).toBeVisible()
  await expectNoViolations(page)
  const downloading = page.waitForEvent('download')
  await file.getByRole('button', { name: 'Descargar JSON' }).click()
  const saved = await downloading
  expect(saved.suggestedFilename()).toBe(`afluente-datos-${lead.tracking_id}.json`)
  expect(JSON.parse(readFileSync(await saved.path(), 'utf8')).lead.external_id).toBe(reference)
  await file.getByRole('button', { name: 'Cerrar', exact: true }).last().click()

  await page.getByRole('button', { name: `Rectificar datos del lead ${lead.id}` }).click()
  const correct = page.getByRole('dialog', { name: 'Rectificar datos' })
  await expect(correct.getByRole('button', { name: 'Rectificar' })).toBeDisabled()
  await correct.getByLabel('utm_source').fill('correo')
  await correct.getByLabel('Folio de la solicitud').fill('ARCO-8')
  await correct.getByLabel('Motivo').fill('Solicitud de rectificación')
  await correct.getByRole('button', { name: 'Rectificar' }).click()
  await expect(page.getByText('Datos rectificados')).toBeVisible()

  await page.getByRole('button', { name: `Suprimir datos del lead ${lead.id}` }).click()
  const erase = page.getByRole('dialog', { name: 'Suprimir datos' })
  await erase.getByLabel('Folio de la solicitud').fill('ARCO-9')
  await erase.getByLabel('Motivo').fill('Solicitud de cancelación')
  await expectNoViolations(page)
  await erase.getByRole('button', { name: 'Suprimir' }).click()
  await expect(page.getByText('Datos suprimidos')).toBeVisible()
  await expect(page.getByText('No se guarda nada con esa referencia')).toBeVisible()
  await search(lead.tracking_id)
  await expectRow(page, { 'Tracking ID': lead.tracking_id, Referencia: '—' })

  await page.goto('/app/admin/audit?entidad=lead')
  const did = page.getByText(`suprimió los datos personales del lead ${lead.tracking_id}`)
  await expect(did.first()).toBeVisible()
  await expect(page.getByText('Marta')).toHaveCount(0)
})

test('on a phone nothing stands beside the screen', async ({ page, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn('admin')
  for (const path of ['settings', 'privacy']) {
    await page.goto(`/app/admin/${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const bottom = page.getByRole(path === 'settings' ? 'link' : 'button', {
      name: path === 'settings' ? 'Bitácora' : 'Buscar',
      exact: true,
    })
    const box = await bottom.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390)
  }
})

test('nobody else sees the data of persons', async ({ page, signIn, issuer }) => {
  await signIn('issuer', issuer)
  await page.goto('/app/admin/privacy')
  await expect(page).toHaveURL(/\/app\/unauthorized$/)
})
