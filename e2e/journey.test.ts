import type { Browser, Locator, Page } from '@playwright/test'
import { addDays, dateInMexico, dayFirst } from '#contract/time.ts'
import { unique } from '#db/factories.ts'
import { openBank } from './bank.ts'
import { expect, PASSWORD, test } from './fixtures.ts'
import { choose, expectRow, expectToast, goByMenu } from './screen.ts'
import { readServed } from './server.ts'

const PHONE =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

const number = unique()
const issuer = { name: `Banco del Cauce ${number}`, rfc: 'XAXX010101000', email: `banco${number}@cauce.mx` }
const affiliate = { name: `Guía del Ahorro ${number}`, rfc: 'XAXX010101000', email: `guia${number}@ahorro.mx` }
const product = `Tarjeta Río ${number}`
const steps = [
  { type: 'step_1', name: 'Solicitud enviada', pays: false },
  { type: 'step_2', name: 'Documentos completos', pays: false },
  { type: 'aprobado', name: 'Tarjeta aprobada', pays: true },
]

/** Somebody at a desk of their own. */
async function newPerson(browser: Browser, email: string, password: string): Promise<Page> {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Contraseña', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Ingresar' }).click()
  await expectToast(page, 'Bienvenido')
  return page
}

/** Opens a form by its button; the empty list offers the same button a second time. */
async function openForm(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name, exact: true }).first().click()
  return page.getByRole('dialog', { name })
}

const create = (dialog: Locator) => dialog.getByRole('button', { name: 'Crear', exact: true }).click()

async function createCompany(page: Page, title: string, company: typeof issuer) {
  const dialog = await openForm(page, title)
  await dialog.getByLabel('Empresa').fill(company.name)
  await dialog.getByLabel('RFC').fill(company.rfc)
  await dialog.getByLabel('Dirección').fill('Av. Reforma 1, Ciudad de México')
  await dialog.getByLabel('Nombre de contacto').fill('Luz Vera')
  await dialog.getByLabel('Email de contacto').fill(company.email)
  await dialog.getByLabel('Nombre', { exact: true }).fill('Luz')
  await dialog.getByLabel('Apellidos').fill('Vera')
  await dialog.getByLabel('Email', { exact: true }).fill(company.email)
  await dialog.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await create(dialog)
}

async function setUpNetwork(page: Page, redirectUrl: string) {
  await goByMenu(page, 'Emisores')
  await createCompany(page, 'Nuevo Emisor', issuer)
  await expectToast(page, 'Emisor creado exitosamente')
  await goByMenu(page, 'Afiliados')
  await createCompany(page, 'Nuevo Afiliado', affiliate)
  await expectToast(page, 'Afiliado creado exitosamente')

  await goByMenu(page, 'Relaciones')
  const relation = await openForm(page, 'Nueva Relación')
  await choose(relation, 'Afiliado', affiliate.name)
  await choose(relation, 'Emisor', issuer.name)
  await create(relation)
  await expectToast(page, 'Relación creada exitosamente')

  await goByMenu(page, 'Productos')
  const form = await openForm(page, 'Nuevo Producto')
  await choose(form, 'Emisor', issuer.name)
  await form.getByLabel('Nombre').fill(product)
  await form.getByLabel('Descripción').fill('Tarjeta sin anualidad para quien empieza')
  await form.getByLabel('URL de redirección').fill(redirectUrl)
  await create(form)
  await expectToast(page, 'Producto creado exitosamente')

  await goByMenu(page, 'Eventos')
  await choose(page, 'Emisor', issuer.name)
  for (const step of steps) {
    const paso = await openForm(page, 'Nuevo Paso')
    await choose(paso, 'Emisor', issuer.name)
    await choose(paso, 'Producto', product)
    await choose(paso, 'Tipo de evento', step.type)
    await paso.getByLabel('Nombre').fill(step.name)
    if (step.pays) await paso.getByLabel('Este evento genera comisión').check()
    await create(paso)
    await expect(paso).toBeHidden()
    await expect(page.getByRole('cell', { name: step.name, exact: true })).toBeVisible()
  }
}

async function promiseCommission(page: Page): Promise<string> {
  await goByMenu(page, 'Productos')
  await page.getByRole('navigation', { name: 'Secciones' }).getByRole('link', { name: 'Comisiones' }).click()
  const dialog = await openForm(page, 'Nueva Comisión')
  await choose(dialog, 'Afiliado', affiliate.name)
  await choose(dialog, 'Producto', product)
  await dialog.getByLabel('Comisión (MXN)').fill('1234.5')
  await dialog.getByLabel('Nombre').fill('Por tarjeta aprobada')
  await dialog.getByRole('button', { name: 'Configurar Comisión' }).click()
  await expect(page.getByText(/^Sin comisión:/)).toBeHidden()
  await expectRow(page, { Nombre: 'Por tarjeta aprobada', Comisión: '$1,234.50' })
  await goByMenu(page, 'Configuraciones')
  return copied(page, page.getByRole('button', { name: 'Copiar API key' }))
}

async function copied(page: Page, button: Locator): Promise<string> {
  await button.click()
  await expectToast(page, /copiada al portapapeles/)
  return page.evaluate(() => navigator.clipboard.readText())
}

async function takeLink(page: Page): Promise<string> {
  await goByMenu(page, 'Productos')
  await page.getByRole('button', { name: `Ver ${product}` }).click()
  const dialog = page.getByRole('dialog', { name: product })
  await dialog.getByLabel('external_id').fill('visita-7')
  await dialog.getByLabel('utm_source').fill('blog')
  const link = await copied(page, dialog.getByRole('button', { name: 'Copiar Tu enlace' }))
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  return link
}

/** Returns the tracking id that the bank gets to see. */
async function visit(browser: Browser, link: string): Promise<string> {
  const context = await browser.newContext({ userAgent: PHONE, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Solicita tu tarjeta' })).toBeVisible()
  const { host, pathname, searchParams } = new URL(page.url())
  expect(host).toMatch(/^banco\.journey\.mx:/)
  expect(pathname).toBe('/alta')
  await context.close()
  return searchParams.get('ref') ?? ''
}

async function readTimeline(page: Page, trackingId: string) {
  await goByMenu(page, 'Leads')
  await choose(page, 'Emisor', issuer.name)
  const row = await expectRow(page, { 'External ID': 'visita-7', Emisor: issuer.name, Producto: product })
  await row.getByRole('button', { name: /^Ver/ }).click()
  const dialog = page.getByRole('dialog', { name: `Lead #${trackingId}` })
  await expect(dialog.getByRole('heading', { name: /Timeline de Eventos/ })).toContainText('4 eventos')
  await expect(dialog.getByRole('region', { name: 'Timeline de Eventos' }).getByRole('listitem')).toHaveText(
    [...steps.map(({ name }) => name).reverse(), 'Clic en el enlace'].map((name) => new RegExp(`^${name}`)),
  )
  await page.keyboard.press('Escape')
}

async function pay(page: Page) {
  const today = dateInMexico()
  await goByMenu(page, 'Pagos')
  const dialog = await openForm(page, 'Crear Pago')
  await choose(dialog, 'Relación', `${affiliate.name} - ${issuer.name}`)
  await dialog.getByLabel('Inicio del periodo', { exact: true }).fill(dayFirst(addDays(today, -30)))
  await dialog.getByLabel('Fin del periodo', { exact: true }).fill(dayFirst(today))
  await dialog.getByRole('button', { name: 'Calcular' }).click()
  await expect(dialog.getByText('1 comisión devengada de 1 lead: $1,234.50 MXN.')).toBeVisible()
  await expectRow(dialog, { Producto: product, Paso: 'Tarjeta aprobada', Monto: '$1,234.50' })
  await expect(dialog.getByLabel('Monto total (MXN)')).toHaveValue('1,234.50')
  await choose(dialog, 'Estado', 'Pagado')
  await dialog.getByLabel('Fecha de pago', { exact: true }).fill(dayFirst(today))
  await dialog.getByLabel('Notas').fill('SPEI')
  await create(dialog)
  await expectToast(page, 'Pago creado exitosamente')
  await choose(page, 'Emisor', issuer.name)
  await expectRow(page, { Afiliado: affiliate.name, Monto: '$1,234.50', Estado: 'Pagado' })
}

async function receive(page: Page) {
  await goByMenu(page, 'Pagos')
  const row = await expectRow(page, { Monto: '$1,234.50', Estado: 'Pagado' })
  await row.getByRole('button', { name: /^Ver/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Pago/ })
  const line = dialog.getByRole('list', { name: 'Comisiones del pago' }).getByRole('listitem')
  for (const text of [product, 'Tarjeta aprobada', '$1,234.50']) await expect(line).toContainText(text)
}

test('every peso leads back to its click', async ({ browser }) => {
  const { admin, baseURL } = readServed()
  let key = ''
  const bank = await openBank(baseURL, () => key)

  const administrator = await newPerson(browser, admin.email, admin.password)
  await test.step('the administrator sets up who works with whom on what', () =>
    setUpNetwork(administrator, bank.redirectUrl))

  await test.step('the issuer promises a commission and takes its key', async () => {
    key = await promiseCommission(await newPerson(browser, issuer.email, PASSWORD))
  })

  const publisher = await newPerson(browser, affiliate.email, PASSWORD)
  const link = await test.step('the affiliate takes its link', () => takeLink(publisher))

  const trackingId = await test.step('a visitor follows it to the bank', () => visit(browser, link))

  await test.step('the bank tells what became of the visitor, the best of it twice', async () => {
    const said = (type: string) => bank.report({ tracking_id: trackingId, event_type: type, event_id: `${type}-1` })
    for (const { type } of steps) expect(await said(type)).toMatchObject({ status: 201, data: { duplicate: false } })
    const again = await said('aprobado')
    expect(again).toMatchObject({ status: 200, data: { duplicate: true, commission: { amount: '1234.50' } } })
  })

  await test.step('the administrator reads it in the timeline', () => readTimeline(administrator, trackingId))
  await test.step('the administrator calculates and pays', () => pay(administrator))
  await test.step('the affiliate sees the same amount', () => receive(publisher))
  await bank.close()
})
