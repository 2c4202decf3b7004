import type { Locator, Page } from '@playwright/test'
import { type makeLead as Make, makeEvent, makeLead, makeStep } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { expectNoViolations, expectRow } from './screen.ts'

type Lead = Awaited<ReturnType<typeof Make>>

async function openLead(page: Page, lead: Lead): Promise<Locator> {
  await page.goto(`/app/admin/leads?tracking_id=${lead.tracking_id}`)
  await (await expectRow(page, { ID: String(lead.id) })).getByRole('button', { name: /^Ver/ }).click()
  const dialog = page.getByRole('dialog', { name: `Lead #${lead.tracking_id}` })
  await expect(dialog.getByText('Detalles completos del lead y timeline de eventos')).toBeVisible()
  return dialog
}

/** What stands beside a label. */
const fact = (dialog: Locator, label: string): Locator =>
  dialog
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd')

const entries = (dialog: Locator): Locator => dialog.getByRole('listitem').getByRole('button')

test('a lead is read from its click to its last event', async ({ page, signIn, db, pair }) => {
  const lead = await makeLead(db, {
    ...pair.ids,
    external_id: 'ana-7',
    utm_source: 'facebook',
    lead_data: JSON.stringify({
      params: { gclid: 'abc' },
      ip_trunc: '203.0.113.0/24',
      flags: ['not_a_navigation', 'odd'],
    }),
    created_at: '2025-03-04T18:05:00.000Z',
  })
  const form = await makeStep(db, { product_id: pair.product.id, name: 'Solicitud enviada' })
  const refusal = await makeStep(db, { product_id: pair.product.id, name: 'Solicitud rechazada', event_type_id: 4 })
  await makeEvent(db, lead, form, {
    event_data: JSON.stringify({ folio: 12 }),
    source: 'crm',
    created_at: '2025-03-04T18:30:00.000Z',
  })
  await makeEvent(db, lead, refusal, {
    event_type_id: 4,
    event_type_name: 'rechazado',
    event_data: JSON.stringify('sin historial'),
    created_at: '2025-03-06T01:02:00.000Z',
  })
  await signIn('admin')
  const dialog = await openLead(page, lead)
  await expect(fact(dialog, 'Lead ID')).toHaveText(String(lead.id))
  await expect(fact(dialog, 'Tracking ID')).toHaveText(lead.tracking_id)
  await expect(fact(dialog, 'External ID')).toHaveText('ana-7')
  await expect(fact(dialog, 'Fecha Creación')).toHaveText('04/03/2025 12:05')
  const data = fact(dialog, 'Datos del Lead')
  await expect(data.getByRole('listitem')).toHaveText([
    'Señales: Lo cargó otra página, no una persona, odd',
    'gclid: abc',
    'Red de origen: 203.0.113.0/24',
  ])
  await expect(data.getByText('"ip_trunc"')).toBeHidden()
  await data.getByText('Ver datos').click()
  await expect(data.getByText('"ip_trunc": "203.0.113.0/24"')).toBeVisible()
  await expect(fact(dialog, 'Producto')).toHaveText(pair.product.name)
  await expect(fact(dialog, 'Emisor')).toHaveText(pair.issuer.company_name)
  await expect(fact(dialog, 'Afiliado')).toHaveText(pair.affiliate.company_name)
  await expect(fact(dialog, 'UTM Source')).toHaveText('facebook')
  await expect(fact(dialog, 'UTM Medium')).toHaveCount(0)
  await expect(dialog.getByText(/estado/i)).toHaveCount(0)
  for (const section of ['Datos Básicos', 'Info Comercial', 'Datos UTM']) {
    const head = dialog.getByRole('button', { name: section })
    await expect(head).toHaveAttribute('aria-expanded', 'true')
    await head.press('Enter')
    await expect(head).toHaveAttribute('aria-expanded', 'false')
    await head.press('Enter')
  }

  await expect(dialog.getByRole('heading', { name: /Timeline de Eventos/ })).toContainText('3 eventos')
  await expect(entries(dialog)).toHaveText([
    /Solicitud rechazada.*19:02.*Rechazado.*Sistema del emisor/,
    /Solicitud enviada.*12:30.*Avance 1.*crm/,
    /Clic en el enlace.*12:05.*Clic.*Enlace/,
  ])
  await expect(dialog.getByRole('heading', { level: 4 })).toHaveText(['mié 5 mar 2025', 'mar 4 mar 2025'])
  await expect(dialog.getByRole('heading', { name: 'Selecciona un Evento' })).toBeVisible()
  await expect(dialog.getByText('Haz clic en un evento del timeline para ver sus propiedades detalladas')).toBeVisible()

  await entries(dialog).nth(1).press('Enter')
  await expect(dialog.getByRole('heading', { name: 'Propiedades del Evento' })).toBeVisible()
  await expect(dialog.getByRole('heading', { name: 'Selecciona un Evento' })).toHaveCount(0)
  await expect(fact(dialog, 'ID')).toHaveText(/^\d+$/)
  await expect(fact(dialog, 'Nombre del Paso')).toHaveText('Solicitud enviada')
  await expect(fact(dialog, 'Tipo de Evento')).toHaveText('Avance 1')
  await expect(fact(dialog, 'Fuente')).toHaveText('crm')
  await expect(fact(dialog, 'Fecha y Hora')).toHaveText('04/03/2025 12:30')
  await expect(fact(dialog, 'Datos del Evento')).toHaveText('folio: 12Ver datos{ "folio": 12 }', {
    useInnerText: false,
  })
  await entries(dialog).first().click()
  await expect(fact(dialog, 'Datos del Evento')).toHaveText('sin historial')
  await entries(dialog).last().click()
  await expect(fact(dialog, 'ID')).toHaveText('Clic')
  await expectNoViolations(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('on a phone what is asked for of an event comes into view', async ({ page, signIn, db, pair }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const lead = await makeLead(db, pair.ids)
  const step = await makeStep(db, { product_id: pair.product.id })
  for (let each = 0; each < 10; each++) await makeEvent(db, lead, step)
  await signIn('admin')
  await page.goto(`/app/admin/leads?lead=${lead.id}`)
  const dialog = page.getByRole('dialog', { name: `Lead #${lead.tracking_id}` })
  await expect(entries(dialog)).toHaveCount(11)
  const properties = dialog.getByRole('heading', { name: 'Propiedades del Evento' })
  await entries(dialog).first().click()
  await expect(properties).toBeInViewport()
  await entries(dialog).first().scrollIntoViewIfNeeded()
  await expect(properties).not.toBeInViewport()
  await entries(dialog).first().click()
  await expect(properties).toBeInViewport()
})

test('beside a long timeline the properties stay where the event is', async ({ page, signIn, db, pair }) => {
  const lead = await makeLead(db, pair.ids)
  const step = await makeStep(db, { product_id: pair.product.id })
  for (let each = 0; each < 19; each++) await makeEvent(db, lead, step)
  await signIn('admin')
  const dialog = await openLead(page, lead)
  await dialog.getByRole('button', { name: 'Más acciones' }).click()
  await page.getByRole('menuitem', { name: 'Ampliar' }).click()
  await expect(entries(dialog)).toHaveCount(20)
  await entries(dialog).last().click()
  await expect(dialog.getByRole('heading', { name: 'Propiedades del Evento' })).toBeInViewport()
  await expect(entries(dialog).last()).toBeInViewport()
})

test('a bare lead shows what it has', async ({ page, signIn, db, pair }) => {
  const lead = await makeLead(db, { ...pair.ids, lead_data: JSON.stringify('<b>texto</b>') })
  await signIn('admin')
  const dialog = await openLead(page, lead)
  await expect(fact(dialog, 'External ID')).toHaveText('N/A')
  await expect(fact(dialog, 'Datos del Lead')).toHaveText('<b>texto</b>')
  await expect(dialog.getByRole('button', { name: 'Datos UTM' })).toHaveCount(0)
  await expect(dialog.getByRole('heading', { name: /Timeline de Eventos/ })).toContainText('1 eventos')
})

test('words without an end stay inside of the dialog', async ({ page, signIn, db, pair }) => {
  const lead = await makeLead(db, { ...pair.ids, external_id: 'x'.repeat(255), utm_campaign: 'y'.repeat(255) })
  const step = await makeStep(db, { product_id: pair.product.id, name: 'z'.repeat(100) })
  await makeEvent(db, lead, step, { source: 's'.repeat(50) })
  await signIn('admin')
  const dialog = await openLead(page, lead)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(entries(dialog)).toHaveCount(2)
  const beyond = await dialog.evaluate((popup) =>
    Math.max(...[popup, ...popup.querySelectorAll('*')].map((part) => part.getBoundingClientRect().right)),
  )
  expect(beyond).toBeLessThanOrEqual(390)
})

test('types of events have their icons and colours', async ({ page, signIn, db, pair }) => {
  const lead = await makeLead(db, pair.ids)
  const types = ['click', 'sms', 'phone_call', 'landing_view', 'apply_submit', 'reject', 'step_9', 'otro']
  await signIn('admin')
  await page.route(
    (url) => url.pathname.startsWith(`/api/v1/leads`),
    async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      const events = types.map((event_type_name, index) => ({
        id: index + 1,
        step_name: `Paso ${event_type_name}`,
        event_type_name,
        source: 'api',
        created_at: lead.created_at,
        event_data: null,
      }))
      const withEvents = (row: object) => ({ ...row, events })
      const data = body.data.results
        ? { ...body.data, results: body.data.results.map(withEvents) }
        : withEvents(body.data)
      await route.fulfill({ response: answer, json: { ...body, data } })
    },
  )
  const dialog = await openLead(page, lead)
  await expect(entries(dialog)).toHaveCount(types.length)
  const looks = await entries(dialog).evaluateAll((buttons) =>
    buttons.map((button) => {
      const icon = button.querySelector('svg')
      if (!icon) throw new Error('An event has no icon')
      // A canvas gives any notation of a colour back as its parts.
      const canvas = new OffscreenCanvas(1, 1).getContext('2d')
      if (!canvas) throw new Error('No canvas')
      canvas.fillStyle = getComputedStyle(icon).color
      canvas.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
      return { drawing: icon.innerHTML, red, green, blue }
    }),
  )
  expect(new Set(looks.map((look) => look.drawing)).size).toBe(types.length)
  const [good, bad] = [looks[types.indexOf('apply_submit')], looks[types.indexOf('reject')]]
  expect(good && good.green > Math.max(good.red, good.blue), JSON.stringify(good)).toBe(true)
  expect(bad && bad.red > Math.max(bad.green, bad.blue), JSON.stringify(bad)).toBe(true)
  await expectNoViolations(page)
})

test('a lead without any event says so', async ({ page, signIn, db, pair }) => {
  const lead = await makeLead(db, pair.ids)
  await signIn('admin')
  await page.route(
    (url) => url.pathname.startsWith(`/api/v1/leads`),
    async (route) => {
      const answer = await route.fetch()
      const text = (await answer.text()).replace(/"events":\[[^\]]*\]/g, '"events":[]')
      await route.fulfill({ response: answer, body: text })
    },
  )
  const dialog = await openLead(page, lead)
  await expect(dialog.getByText('No hay eventos registrados')).toBeVisible()
  await expect(dialog.getByRole('heading', { name: /Timeline de Eventos/ })).toContainText('0 eventos')
  await expect(fact(dialog, 'Datos del Lead')).toHaveCount(0)
})
