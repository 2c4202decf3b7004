import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import decodeQR from 'qr/decode.js'
import { eventSteps } from '#contract/event-steps.ts'
import { products } from '#contract/products.ts'
import { makeCommission, makeIssuer, makePayingStep, makeProduct, makeRelationship, makeStep } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import {
  answerNext,
  choiceOf,
  choose,
  expectHeads,
  expectNoViolations,
  expectRow,
  expectToast,
  failNext,
  optionsOf,
  success,
} from './screen.ts'
import { readServed } from './server.ts'

const PATH = '/app/affiliate/products'

const inClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

async function expectCopied(page: Page, button: Locator, text: string | RegExp): Promise<void> {
  await button.click()
  await expectToast(page, 'URL copiada al portapapeles')
  await expect.poll(() => inClipboard(page)).toEqual(text instanceof RegExp ? expect.stringMatching(text) : text)
}

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']))

test('the affiliate copies a link and reads what it is made of', async ({ page, signIn, db, pair }) => {
  // A name that takes whatever width the link leaves.
  await makeProduct(db, { issuer_id: pair.issuer.id, name: 'Tarjeta de crédito platino sin anualidad para viajeros' })
  await signIn('affiliate', pair.affiliate)
  await page.goto(PATH)
  const help = page.getByRole('complementary', { name: 'Tu URL de tracking' })
  for (const variable of [
    'relationship_id',
    'product_id',
    'external_id',
    'utm_source',
    'utm_medium',
    'utm_campaign',
    'utm_term',
    'utm_content',
  ])
    await expect(help.getByText(variable, { exact: true })).toBeVisible()
  expect(await expectHeads(page)).toEqual(['ID', 'Emisor', 'Nombre', 'URL de Tracking', 'Comisión', 'Acciones'])
  const base = `${readServed().publicUrl}/api/v1/leads/redirect/${pair.relationship.id}/?product_id=${pair.product.id}&external_id={external_id}`
  const row = await expectRow(page, {
    ID: String(pair.product.id),
    Emisor: pair.issuer.company_name,
    Nombre: `${pair.product.name}Activo`,
    Comisión: 'Sin comisión configurada',
  })
  const shortened = row.getByText(`${base.slice(0, 40)}...`, { exact: true })
  await expect(shortened).toBeVisible()
  expect(await shortened.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0)
  await expectCopied(
    page,
    row.getByRole('button', { name: `Copiar URL de ${pair.product.name}` }),
    base.split('&')[0] ?? '',
  )
  await expectNoViolations(page)

  await row.getByRole('button', { name: `Ver ${pair.product.name}` }).click()
  const dialog = page.getByRole('dialog', { name: pair.product.name })
  for (const text of ['Fecha de Creación', 'Activo', pair.issuer.company_name, pair.product.description])
    await expect(dialog.getByText(text, { exact: true })).toBeVisible()
  await expect(dialog.getByText(/^\d{1,2} de [a-z]+ de 20\d\d$/)).toBeVisible()
  await expectCopied(page, dialog.getByRole('button', { name: 'Copiar Ejemplo con UTM' }), /&utm_content=/)
  const example = await inClipboard(page)
  expect(example.startsWith(base)).toBe(true)
  for (const name of ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'])
    expect(new URL(example).searchParams.get(name)).not.toBe('')
  await dialog.getByLabel('utm_source').fill('volante')
  await expectCopied(
    page,
    dialog.getByRole('button', { name: 'Copiar Tu enlace' }),
    /product_id=\d+&utm_source=volante$/,
  )
  await dialog.getByLabel('external_id').fill('ana 7')
  await expectCopied(page, dialog.getByRole('button', { name: 'Copiar Tu enlace' }), /external_id=ana[+]7/)
  await expectCopied(page, dialog.getByRole('button', { name: 'Copiar URL de Tracking Base' }), base)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

for (const [where, size] of [
  ['a desk', { width: 1440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const)
  test(`on ${where} a product opens at its facts and its link, before what is typed`, async ({
    page,
    signIn,
    pair,
  }) => {
    await page.setViewportSize(size)
    await signIn('affiliate', pair.affiliate)
    await page.goto(PATH)
    await page.getByRole('button', { name: `Ver ${pair.product.name}` }).click()
    const dialog = page.getByRole('dialog', { name: pair.product.name })
    await expect(dialog).toBeFocused()
    await expect(dialog.getByText('ID', { exact: true })).toBeInViewport({ ratio: 1 })
    await expect(dialog.getByRole('heading', { name: 'URL de Tracking Base' })).toBeInViewport({ ratio: 1 })
  })

test('what was typed for a link is there for the next product, but for whom it was meant', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const other = await makeProduct(db, { issuer_id: pair.issuer.id })
  await signIn('affiliate', pair.affiliate)
  await page.goto(PATH)
  await page.getByRole('button', { name: `Ver ${pair.product.name}`, exact: true }).click()
  await page.getByRole('dialog').getByLabel('utm_source').fill('boletin')
  await page.getByRole('dialog').getByLabel('external_id').fill('ana 7')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: `Ver ${pair.product.name}`, exact: true }).click()
  await expect(page.getByRole('dialog').getByLabel('external_id')).toHaveValue('ana 7')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: `Ver ${other.name}`, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: other.name })
  await expect(dialog.getByLabel('utm_source')).toHaveValue('boletin')
  await expect(dialog.getByLabel('external_id')).toHaveValue('')
  await expect(dialog.getByRole('region', { name: 'Tu enlace' })).toContainText(
    `product_id=${other.id}&utm_source=boletin`,
  )
})

test('the affiliate reads what a product pays, and at which step', async ({ page, signIn, db, pair }) => {
  await makeCommission(db, { ...pair.ids, payout: '1250.50', created_at: '2026-03-04T18:00:00Z' })
  await makePayingStep(db, { product_id: pair.product.id, name: 'Aprobada' })
  await makeStep(db, { product_id: pair.product.id, name: 'Registrada' })
  await signIn('affiliate', pair.affiliate)
  await page.goto(PATH)
  const paid = '$1,250.50desde el 04/03/2026'
  const row = await expectRow(page, { Nombre: `${pair.product.name}Activo`, Comisión: paid })
  await row.getByRole('button', { name: `Ver ${pair.product.name}` }).click()
  const dialog = page.getByRole('dialog', { name: pair.product.name })
  await expect(dialog.getByText('$1,250.50', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Historial de tu comisión' }).click()
  const history = dialog.getByRole('table', { name: 'Historial de tu comisión' })
  await expectRow(history, { 'Monto anterior': 'Ninguno', Monto: '$1,250.50' })
  await expectNoViolations(page)
  await failNext(page, eventSteps.list)
  await page.goto('/app/affiliate/events')
  await expect(page.getByRole('alert').filter({ hasText: 'Error al cargar los eventos' })).toBeVisible()
  await expectToast(page, 'Ocurrió un error inesperado')
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await expectRow(page, { Nombre: 'Aprobada', Comisión: `Genera Comisión${paid}` })
  await expectRow(page, { Nombre: 'Registrada', Comisión: 'Solo Tracking' })
  await expectNoViolations(page)
  await page.setViewportSize({ width: 390, height: 844 })
  const card = (name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name })
  await expect(card('Aprobada')).toContainText(`Genera Comisión${paid}`)
  await expect(card('Registrada')).toContainText('Solo Tracking')
})

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

test('the affiliate makes a QR code of the finished link', async ({ page, signIn, pair }) => {
  await signIn('affiliate', pair.affiliate)
  await page.goto(PATH)
  await page.getByRole('button', { name: `Ver ${pair.product.name}` }).click()
  const dialog = page.getByRole('dialog', { name: pair.product.name })
  const code = dialog.getByRole('img', { name: `Código QR de tu enlace de ${pair.product.name}` })
  const drawing = code.locator('path').last()
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
  await expectNoViolations(page)

  const png = await downloaded(page, dialog.getByRole('button', { name: 'Descargar PNG' }))
  expect(png.name).toBe(`qr-producto-${pair.product.id}.png`)
  expect(await readPicture(page, png.path)).toBe(link)
  const svg = await downloaded(page, dialog.getByRole('button', { name: 'Descargar SVG' }))
  expect(svg.name).toBe(`qr-producto-${pair.product.id}.svg`)
  expect(await readFile(svg.path, 'utf8')).toContain(` d="${await drawing.getAttribute('d')}"`)

  for (const name of ['external_id', 'utm_source']) await dialog.getByLabel(name).fill('漢'.repeat(255))
  await expect(dialog.getByText('El enlace es demasiado largo para un código QR. Acorta tus valores.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Descargar PNG' })).toHaveCount(0)

  for (const name of ['utm_medium', 'utm_campaign']) await dialog.getByLabel(name).fill('漢'.repeat(255))
  await expect(dialog.getByRole('alert')).toHaveText(/^El enlace es demasiado largo.* caben 8,192 caracteres/)
  await expect(dialog.getByRole('region', { name: 'Tu enlace' })).toHaveCount(0)
  await expect(dialog.getByRole('button', { name: 'Código QR' })).toHaveCount(0)
  await dialog.getByLabel('utm_campaign').fill('otoño')
  await expect(dialog.getByRole('region', { name: 'Tu enlace' })).toBeVisible()
})

test('a copy that the browser forbids is told', async ({ page, signIn, pair }) => {
  await signIn('affiliate', pair.affiliate)
  await page.goto(PATH)
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError'))
  })
  await page.getByRole('button', { name: `Copiar URL de ${pair.product.name}` }).click()
  await expectToast(page, 'Error al copiar la URL')
})

test('the first issuer is chosen, another may be, and each has its count', async ({ page, signIn, db, pair }) => {
  const first = await makeIssuer(db, { company_name: `Aval ${pair.issuer.id}` })
  await makeRelationship(db, { affiliate_id: pair.affiliate.id, issuer_id: first.id })
  const [one, two] = [
    await makeProduct(db, { issuer_id: first.id }),
    await makeProduct(db, { issuer_id: first.id, description: '' }),
  ]
  const stranger = await makeProduct(db, { issuer_id: (await makeIssuer(db)).id })
  await makeProduct(db, { issuer_id: first.id, product_status: 'inactive' })
  await signIn('affiliate', pair.affiliate)
  await page.goto(PATH)
  await expect(choiceOf(page, 'Emisor')).toHaveValue(first.company_name)
  await expect(page.getByText('2 productos')).toBeVisible()
  await expectRow(page, { ID: String(one.id), Nombre: one.name })
  const undescribed = await expectRow(page, { ID: String(two.id), Nombre: two.name })
  await undescribed.getByRole('button', { name: `Ver ${two.name}` }).click()
  await expect(page.getByRole('dialog').getByText('Sin descripción disponible')).toBeVisible()
  await page.keyboard.press('Escape')
  expect(await optionsOf(page, 'Emisor')).toEqual([first.company_name, pair.issuer.company_name])
  await choose(page, 'Emisor', pair.issuer.company_name)
  await expect(page.getByText('1 producto', { exact: true })).toBeVisible()
  await expectRow(page, { Nombre: pair.product.name })
  await expect(page.getByText(stranger.name)).toHaveCount(0)
})

test('the screen fails, recovers and may be empty', async ({ page, signIn, pair }) => {
  await signIn('affiliate', pair.affiliate)
  await failNext(page, products.list)
  await page.goto(PATH)
  await expect(page.getByText('Error al cargar los productos')).toBeVisible()
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await expectRow(page, { Nombre: pair.product.name })
  await answerNext(page, products.list, 200, success([]))
  await page.goto(PATH)
  await expect(page.getByText('No hay productos disponibles')).toBeVisible()
  await expect(page.getByText(/contacta al administrador/)).toBeVisible()
})
