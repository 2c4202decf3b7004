import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import decodeQR from 'qr/decode.js'
import type { Db } from '#db/connect.ts'
import {
  makeAnnounced,
  makeCommission,
  makeDefault,
  makeIssuer,
  makePayingStep,
  makeProduct,
  makeRelationship,
  makeStep,
} from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { choiceOf, choose, expectHeads, expectRow, expectToast, optionsOf } from './screen.ts'
import { readServed } from './server.ts'

const PATH = '/app/affiliate/products'
const [DESK, PHONE] = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content']

const inClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

async function expectCopied(page: Page, button: Locator, text: string | RegExp): Promise<void> {
  await button.click()
  await expectToast(page, 'URL copiada al portapapeles')
  await expect.poll(() => inClipboard(page)).toEqual(text instanceof RegExp ? expect.stringMatching(text) : text)
}

async function close(dialog: Locator): Promise<void> {
  await dialog.page().keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

async function downloaded(page: Page, button: Locator): Promise<{ name: string; path: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()])
  return { name: file.suggestedFilename(), path: await file.path() }
}

/** What a camera reads in a picture, at a quarter of its size. */
async function readPicture(page: Page, path: string): Promise<string> {
  const { side, dots } = await page.evaluate(
    async (png) => {
      const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))
      const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const side = Math.max(picture.width, picture.height)
      const context = new OffscreenCanvas(side, side).getContext('2d')
      context?.drawImage(picture, 0, 0)
      const { data = [] } = context?.getImageData(0, 0, side, side) ?? {}
      return {
        side,
        dots: Array.from({ length: side * side }, (_, dot) => (Number(data[dot * 4]) < 128 ? '1' : '0')).join(''),
      }
    },
    await readFile(path, 'base64'),
  )
  const data = Uint8Array.from({ length: side * side * 4 }, (_, at) => (dots[at >> 2] === '1' && at % 4 < 3 ? 0 : 255))
  return decodeQR({ width: side, height: side, data })
}

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']))

/** The first issuer by name, with a product that says nothing of itself and one whose flow has two steps. */
async function makeFirst(db: Db, affiliate_id: number) {
  const { id, company_name } = await makeIssuer(db, { company_name: `Aval ${affiliate_id}` })
  await makeRelationship(db, { affiliate_id, issuer_id: id })
  const bare = await makeProduct(db, { issuer_id: id, name: `Nómina ${id}`, description: '' })
  await makeProduct(db, { issuer_id: id, product_status: 'inactive' })
  const saving = await makeProduct(db, { issuer_id: id, name: `Ahorro ${id}` })
  await makePayingStep(db, { product_id: saving.id, name: 'Aprobada', step_order: 2 })
  const filled = { step_order: 1, description: 'Llenó la solicitud' }
  await makeStep(db, { product_id: saving.id, name: 'Registrada', ...filled })
  return { name: company_name, bare, saving }
}

/** An own commission that will change on the one, a default with another amount at one step on the other. */
async function makePaid(db: Db, ids: Parameters<typeof makeCommission>[1], other: number) {
  const commission = { payout: '1250.50', created_at: '2026-03-04T18:00:00Z' }
  await makeAnnounced(db, await makeCommission(db, { ...ids, ...commission }))
  await makePayingStep(db, { product_id: ids.product_id, name: 'Aprobada' })
  await makeStep(db, { product_id: ids.product_id, name: 'Registrada' })
  await makePayingStep(db, { product_id: other, name: 'Aprobada' })
  const delivered = await makePayingStep(db, { product_id: other, name: 'Entregada' })
  await makeDefault(db, { product_id: other }, '300.00')
  await makeDefault(db, { product_id: other, event_step_id: delivered.id }, '350.00')
}

test('the affiliate reads what it promotes, what that pays and the steps of each', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const first = await makeFirst(db, pair.affiliate.id)
  const stranger = await makeProduct(db, { issuer_id: (await makeIssuer(db)).id })
  const other = await makeProduct(db, { issuer_id: pair.issuer.id, name: `Viajera ${pair.product.id}` })
  await makePaid(db, pair.ids, other.id)
  await signIn('affiliate', pair.affiliate)
  await page.goto(PATH)

  await test.step('the products of the first issuer, until another is chosen', async () => {
    await expect(choiceOf(page, 'Emisor')).toHaveValue(first.name)
    await expect(page.getByText('2 productos')).toBeVisible()
    expect(await expectHeads(page)).toEqual(['ID', 'Emisor', 'Nombre', 'URL de Tracking', 'Comisión', 'Acciones'])
    const none = 'Sin comisión configurada'
    const row = await expectRow(page, { ID: String(first.bare.id), Nombre: first.bare.name, Comisión: none })
    await row.getByRole('button', { name: `Ver ${first.bare.name}` }).click()
    const dialog = page.getByRole('dialog', { name: first.bare.name })
    await expect(dialog.getByText('Sin descripción disponible')).toBeVisible()
    await close(dialog)
    expect(await optionsOf(page, 'Emisor')).toEqual([first.name, pair.issuer.company_name])
    await choose(page, 'Emisor', pair.issuer.company_name)
    await expectRow(page, { Nombre: `${pair.product.name}Activo`, Emisor: pair.issuer.company_name })
    await expect(page.getByText(stranger.name)).toHaveCount(0)
  })

  const paid = '$1,250.50desde el 04/03/2026, $700.00 desde el 01/01/2100'

  await test.step('what each pays, by which step, and what it paid', async () => {
    await expectRow(page, { Nombre: other.name, Comisión: /^\$300\.00.*Entregada: \$350\.00/ })
    const row = await expectRow(page, { Nombre: pair.product.name, Comisión: paid })
    await row.getByRole('button', { name: `Ver ${pair.product.name}` }).click()
    const dialog = page.getByRole('dialog', { name: pair.product.name })
    await expect(dialog.getByText('$1,250.50', { exact: true })).toBeVisible()
    await dialog.getByRole('button', { name: 'Historial de tu comisión' }).click()
    const history = dialog.getByRole('table', { name: 'Historial de tu comisión' })
    await expectRow(history, { 'Monto anterior': 'Ninguno', Monto: '$1,250.50' })
    await close(dialog)
  })

  await page.getByRole('link', { name: 'Eventos', exact: true }).click()

  await test.step('the flow of the first product of the first issuer', async () => {
    await expect(choiceOf(page, 'Emisor')).toHaveValue(first.name)
    await expect(choiceOf(page, 'Producto')).toHaveValue(first.saving.name)
    expect(await expectHeads(page)).toEqual(['Orden', 'Nombre', 'Tipo de Evento', 'Descripción', 'Comisión'])
    const rows = page.getByRole('row').filter({ has: page.getByRole('cell') })
    await expect(rows).toContainText(['Registrada', 'Aprobada'])
    const registered = { 'Tipo de Evento': 'step_1', Descripción: 'Llenó la solicitud', Comisión: 'Solo Tracking' }
    await expectRow(page, { Orden: '1', ...registered })
    await expectRow(page, { Orden: '2', 'Tipo de Evento': 'aprobado', Comisión: 'Genera Comisión' })
    await expect(page.getByRole('button', { name: /Nuevo|Crear|Editar|Eliminar|Subir|Bajar|Mover/ })).toHaveCount(0)
    expect(await optionsOf(page, 'Producto')).toEqual([first.saving.name, first.bare.name])
    await choose(page, 'Producto', first.bare.name)
    await expect(page.getByText('No hay eventos configurados para este producto')).toBeVisible()
  })

  await test.step('what each step pays, on a phone too', async () => {
    await choose(page, 'Emisor', pair.issuer.company_name)
    await expect(choiceOf(page, 'Producto')).toHaveValue(pair.product.name)
    await expectRow(page, { Nombre: 'Aprobada', Comisión: `Genera Comisión${paid}` })
    await expectRow(page, { Nombre: 'Registrada', Comisión: 'Solo Tracking' })
    await choose(page, 'Producto', other.name)
    await expectRow(page, { Nombre: 'Aprobada', Comisión: /\$300\.00/ })
    await expectRow(page, { Nombre: 'Entregada', Comisión: /\$350\.00/ })
    await choose(page, 'Producto', pair.product.name)
    await page.setViewportSize(PHONE)
    const card = (name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name })
    await expect(card('Aprobada')).toContainText(`Genera Comisión${paid}`)
    await expect(card('Registrada')).toContainText('Solo Tracking')
  })
})

test('the affiliate copies its link, puts its own values in and makes a code of it', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { product } = pair
  // A name that takes whatever width the link leaves.
  const other = await makeProduct(db, {
    issuer_id: pair.issuer.id,
    name: 'Tarjeta de crédito platino sin anualidad para viajeros',
  })
  await signIn('affiliate', pair.affiliate)
  await page.goto(PATH)
  const base = `${readServed().publicUrl}/api/v1/leads/redirect/${pair.relationship.id}/?product_id=${product.id}&external_id={external_id}`
  const dialog = page.getByRole('dialog', { name: product.name })
  const open = ({ name }: { name: string }) => page.getByRole('button', { name: `Ver ${name}` }).click()
  const copyFinished = dialog.getByRole('button', { name: 'Copiar Tu enlace' })

  await test.step('from the list', async () => {
    const help = page.getByRole('complementary', { name: 'Tu URL de tracking' })
    for (const variable of ['relationship_id', 'product_id', 'external_id', ...UTM])
      await expect(help.getByText(variable, { exact: true })).toBeVisible()
    const row = await expectRow(page, { ID: String(product.id), Nombre: `${product.name}Activo` })
    const shortened = row.getByText(`${base.slice(0, 40)}...`, { exact: true })
    await expect(shortened).toBeVisible()
    expect(await shortened.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0)
    await expectCopied(page, row.getByRole('button', { name: `Copiar URL de ${product.name}` }), base)
    expect(await shortened.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0)
  })

  for (const size of [PHONE, DESK])
    await test.step(`a product opens at its facts and its link, ${size.width} pixels wide`, async () => {
      await page.setViewportSize(size)
      await open(product)
      await expect(dialog).toBeFocused()
      await expect(dialog.getByText('ID', { exact: true })).toBeInViewport({ ratio: 1 })
      await expect(dialog.getByRole('heading', { name: 'URL de Tracking Base' })).toBeInViewport({ ratio: 1 })
      if (size === PHONE) await close(dialog)
    })

  await test.step('with an example, and with values of its own', async () => {
    for (const text of ['Fecha de Creación', 'Activo', pair.issuer.company_name, product.description])
      await expect(dialog.getByText(text, { exact: true })).toBeVisible()
    await expect(dialog.getByText(/^\d{1,2} de [a-z]+ de 20\d\d$/)).toBeVisible()
    await expectCopied(page, dialog.getByRole('button', { name: 'Copiar Ejemplo con UTM' }), /&utm_content=/)
    const example = await inClipboard(page)
    expect(example.startsWith(base)).toBe(true)
    for (const name of UTM) expect(new URL(example).searchParams.get(name)).not.toBe('')
    await dialog.getByLabel('utm_source').fill('volante')
    await expectCopied(page, copyFinished, /product_id=\d+&utm_source=volante$/)
    await dialog.getByLabel('external_id').fill('ana 7')
    await expectCopied(page, copyFinished, /external_id=ana[+]7/)
    await expectCopied(page, dialog.getByRole('button', { name: 'Copiar URL de Tracking Base' }), base)
    await close(dialog)
  })

  await test.step('which are there for the next product, but for whom they were meant', async () => {
    await open(product)
    await expect(dialog.getByLabel('external_id')).toHaveValue('ana 7')
    await close(dialog)
    await open(other)
    const next = page.getByRole('dialog', { name: other.name })
    await expect(next.getByLabel('utm_source')).toHaveValue('volante')
    await expect(next.getByLabel('external_id')).toHaveValue('')
    const finished = next.getByRole('region', { name: 'Tu enlace' })
    await expect(finished).toContainText(`product_id=${other.id}&utm_source=volante`)
    await close(next)
  })

  const code = dialog.getByRole('img', { name: `Código QR de tu enlace de ${product.name}` })
  const drawing = code.locator('path').last()

  await test.step('a QR code of the finished link, as both kinds of file', async () => {
    await open(product)
    await expect(code).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Código QR' }).click()
    await expect(code).toBeVisible()
    await expect(dialog.getByText('Mientras external_id esté vacío, el código no lo lleva.')).toBeVisible()
    const empty = (await drawing.getAttribute('d')) ?? ''
    await dialog.getByLabel('external_id').fill('mesa 4')
    await dialog.getByLabel('utm_campaign').fill('otoño')
    const link = await dialog.getByRole('region', { name: 'Tu enlace' }).getByRole('code').textContent()
    await expect(dialog.getByText('Mientras external_id')).toHaveCount(0)
    await expect(drawing).not.toHaveAttribute('d', empty)
    const png = await downloaded(page, dialog.getByRole('button', { name: 'Descargar PNG' }))
    expect(png.name).toBe(`qr-producto-${product.id}.png`)
    expect(await readPicture(page, png.path)).toBe(link)
    const svg = await downloaded(page, dialog.getByRole('button', { name: 'Descargar SVG' }))
    expect(svg.name).toBe(`qr-producto-${product.id}.svg`)
    expect(await readFile(svg.path, 'utf8')).toContain(` d="${await drawing.getAttribute('d')}"`)
  })

  await test.step('a link that is too long has none, and one that is longer is not offered', async () => {
    for (const name of ['external_id', 'utm_source']) await dialog.getByLabel(name).fill('漢'.repeat(255))
    await expect(dialog.getByText('El enlace es demasiado largo para un código QR. Acorta tus valores.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Descargar PNG' })).toHaveCount(0)
    for (const name of ['utm_medium', 'utm_campaign']) await dialog.getByLabel(name).fill('漢'.repeat(255))
    await expect(dialog.getByRole('alert')).toHaveText(/^El enlace es demasiado largo.* caben 8,192 caracteres/)
    await expect(dialog.getByRole('region', { name: 'Tu enlace' })).toHaveCount(0)
    await expect(dialog.getByRole('button', { name: 'Código QR' })).toHaveCount(0)
    await dialog.getByLabel('utm_campaign').fill('otoño')
    await expect(dialog.getByRole('region', { name: 'Tu enlace' })).toBeVisible()
    await close(dialog)
  })

  await test.step('a copy that the browser forbids is told', async () => {
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError'))
    })
    await page.getByRole('button', { name: `Copiar URL de ${product.name}` }).click()
    await expectToast(page, 'Error al copiar la URL')
  })
})
