import type { Locator } from '@playwright/test'
import { makeEvent, makeLead, makeStep } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'

/** What stands beside a label. */
const fact = (panel: Locator, label: string): Locator =>
  panel
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd')

const entries = (panel: Locator): Locator => panel.getByRole('listitem').getByRole('button')

test('the administrator reads leads from their click to their last event, at a desk and on a phone', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const lead = await makeLead(db, {
    ...pair.ids,
    lead_data: JSON.stringify({ params: { gclid: 'abc' }, ip_trunc: '203.0.113.0/24' }),
    created_at: '2025-03-04T18:05:00.000Z',
  })
  const form = await makeStep(db, { product_id: pair.product.id, name: 'Solicitud enviada' })
  const refusal = await makeStep(db, { product_id: pair.product.id, name: 'Solicitud rechazada', event_type_id: 4 })
  await makeEvent(db, lead, form, { source: 'crm', created_at: '2025-03-04T18:30:00.000Z' })
  await makeEvent(db, lead, refusal, {
    event_type_id: 4,
    event_type_name: 'rechazado',
    event_data: JSON.stringify('sin historial'),
    created_at: '2025-03-06T01:02:00.000Z',
  })
  const long = await makeLead(db, {
    ...pair.ids,
    external_id: 'x'.repeat(255),
    utm_campaign: 'y'.repeat(255),
    created_at: '2025-03-04T18:00:00.000Z',
  })
  const step = await makeStep(db, { product_id: pair.product.id, name: 'z'.repeat(100) })
  for (let each = 0; each < 19; each++) await makeEvent(db, long, step, { source: 's'.repeat(50) })
  await signIn('admin')

  await test.step('one that there is not says so, and leaves its list', async () => {
    await page.goto(`/app/admin/leads?issuer_id=${pair.issuer.id}&lead=999999999`)
    const missing = page.getByRole('dialog', { name: 'Lead 999999999' })
    await expect(missing.getByText('El lead 999999999 no existe')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(`/app/admin/leads?issuer_id=${pair.issuer.id}`)
  })

  const panel = page.getByRole('dialog', { name: `Lead #${lead.tracking_id}` })
  const properties = page.getByRole('heading', { name: 'Propiedades del Evento' })

  await test.step('its sections fold, and its data are shown as they are to who asks', async () => {
    await page.getByRole('button', { name: `Ver lead ${lead.id}`, exact: true }).click()
    await expect(panel.getByText('Detalles completos del lead y timeline de eventos')).toBeVisible()
    await expect(fact(panel, 'Emisor')).toHaveText(pair.issuer.company_name)
    const data = fact(panel, 'Datos del Lead')
    await expect(data.getByText('"ip_trunc"')).toBeHidden()
    await data.getByText('Ver datos').click()
    await expect(data.getByText('"ip_trunc": "203.0.113.0/24"')).toBeVisible()
    await expect(panel.getByText(/estado/i)).toHaveCount(0)
    for (const section of ['Datos Básicos', 'Info Comercial']) {
      const head = panel.getByRole('button', { name: section })
      await expect(head).toHaveAttribute('aria-expanded', 'true')
      await head.press('Enter')
      await expect(head).toHaveAttribute('aria-expanded', 'false')
      await head.press('Enter')
    }
  })

  await test.step('an event that is chosen shows its properties', async () => {
    await expect(panel.getByRole('heading', { name: /Timeline de Eventos/ })).toContainText('3 eventos')
    await expect(entries(panel)).toHaveText([
      /Solicitud rechazada.*19:02.*Rechazado.*Sistema del emisor/,
      /Solicitud enviada.*12:30.*Avance 1.*crm/,
      /Clic en el enlace.*12:05.*Clic.*Enlace/,
    ])
    const unchosen = panel.getByRole('heading', { name: 'Selecciona un Evento' })
    await expect(unchosen).toBeVisible()
    await entries(panel).nth(1).press('Enter')
    await expect(properties).toBeVisible()
    await expect(unchosen).toHaveCount(0)
    await expect(fact(panel, 'ID')).toHaveText(/^\d+$/)
    await expect(fact(panel, 'Nombre del Paso')).toHaveText('Solicitud enviada')
    await expect(fact(panel, 'Tipo de Evento')).toHaveText('Avance 1')
    await expect(fact(panel, 'Fuente')).toHaveText('crm')
    await expect(fact(panel, 'Fecha y Hora')).toHaveText('04/03/2025 12:30')
    await expect(fact(panel, 'Datos del Evento')).toHaveCount(0)
    await entries(panel).first().click()
    await expect(fact(panel, 'Datos del Evento')).toHaveText('sin historial')
    await entries(panel).last().click()
    await expect(fact(panel, 'ID')).toHaveText('Clic')
  })

  const other = page.getByRole('dialog', { name: `Lead #${long.tracking_id}` })

  await test.step('beside a long timeline the properties stay where the event is', async () => {
    await panel.getByRole('button', { name: 'Más acciones' }).click()
    await page.getByRole('menuitem', { name: 'Ampliar' }).click()
    await panel.getByRole('button', { name: 'Siguiente' }).click()
    await expect(entries(other)).toHaveCount(20)
    await entries(other).last().click()
    await expect(properties).toBeInViewport()
    await expect(entries(other).last()).toBeInViewport()
  })

  await test.step('on a phone what is asked for comes into view, and words without an end stay inside', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const right = () =>
      other.evaluate((popup) =>
        Math.max(...[popup, ...popup.querySelectorAll('*')].map((part) => part.getBoundingClientRect().right)),
      )
    await expect.poll(right).toBeLessThanOrEqual(390)
    await entries(other).first().click()
    await expect(properties).toBeInViewport()
    await entries(other).first().scrollIntoViewIfNeeded()
    await expect(properties).not.toBeInViewport()
    await entries(other).first().click()
    await expect(properties).toBeInViewport()
    await page.keyboard.press('Escape')
    await expect(other).toBeHidden()
  })
})
