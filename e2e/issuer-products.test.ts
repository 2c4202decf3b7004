import type { Page } from '@playwright/test'
import { products } from '#contract/products.ts'
import { makeProduct } from '#db/factories.ts'
import { factOf } from './facts.ts'
import { expect, test } from './fixtures.ts'
import { answerNext, expectHeads, expectNoViolations, expectRow, expectToast, failNext, success } from './screen.ts'

const PATH = '/app/issuer/products'
const open = (page: Page, name: string) => page.getByRole('button', { name: `Ver ${name}` }).click()

test('an issuer looks through its products', async ({ page, signIn, db, issuer }) => {
  const long = `Préstamo ${'con un nombre que no cabe en ningún lado '.repeat(4)}`.trim()
  const card = await makeProduct(db, { issuer_id: issuer.id, created_at: '2025-03-04T18:00:00Z' })
  await makeProduct(db, { issuer_id: issuer.id, name: long, description: 'Liquidez inmediata. '.repeat(20) })
  await signIn('issuer', issuer)
  await page.goto(PATH)
  expect(await expectHeads(page)).toEqual(['ID', 'Nombre', 'Descripción', 'Fecha de Creación', 'Acciones'])
  await expect(page.getByRole('row', { name: card.name })).toContainText('4 de marzo de 2025')
  const notice = page.getByRole('complementary', { name: 'URL de redirección' })
  await expect(notice).toContainText('{tracking_id}: el sistema lo reemplaza')
  await expect(notice).toContainText(/https:\/\/\S+\?ref=\{tracking_id\}/)
  await expectNoViolations(page)
  await page.getByRole('searchbox').fill('prestamo inmediata')
  await expect(page.getByRole('row', { name: card.name })).toHaveCount(0)
  await expect(page.getByRole('row', { name: long })).toBeVisible()
  await expect(page.getByText('1 producto', { exact: true })).toBeVisible()
  await page.getByRole('searchbox').fill('nada')
  await expect(page.getByText('No se encontraron productos')).toBeVisible()
})

test('the detail of a product copies what it shows', async ({ page, context, signIn, pair }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn('issuer', pair.issuer)
  await page.goto(PATH)
  await open(page, pair.product.name)
  const dialog = page.getByRole('dialog', { name: pair.product.name })
  await expectNoViolations(page)
  const copies = [
    ['ID', String(pair.product.id)],
    ['nombre', pair.product.name],
    ['URL de redirección', pair.product.redirect_url],
  ]
  await dialog.getByRole('button', { name: 'Copiar ID' }).click()
  await expectToast(page, 'Información copiada al portapapeles')
  for (const [what, text] of copies) {
    await dialog.getByRole('button', { name: `Copiar ${what}` }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text)
  }
  await expect(factOf(dialog, 'Estado')).toHaveText('Activo')
  await expect(factOf(dialog, 'Emisor')).toHaveText(pair.issuer.company_name)
  await expect(factOf(dialog, 'Descripción')).toHaveText(pair.product.description)
  await expect(factOf(dialog, 'Fecha de Creación')).toHaveText(/^\d{1,2} de \p{L}+ de \d{4}$/u)
})

test('a copy that fails says so', async ({ page, signIn, pair }) => {
  await signIn('issuer', pair.issuer)
  await page.goto(PATH)
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError'))
  })
  await open(page, pair.product.name)
  await page.getByRole('button', { name: 'Copiar ID' }).click()
  await expectToast(page, 'Error al copiar la información')
})

test('a product that is off and says nothing of itself', async ({ page, signIn, db, issuer }) => {
  const { name } = await makeProduct(db, { issuer_id: issuer.id, description: '', product_status: 'inactive' })
  await signIn('issuer', issuer)
  await page.goto(PATH)
  await open(page, name)
  const dialog = page.getByRole('dialog', { name })
  await expect(factOf(dialog, 'Descripción')).toHaveText('Sin descripción disponible')
  await expect(factOf(dialog, 'Estado')).toHaveText('Inactivo')
})

test('a date or a status that nobody can read does not break the screen', async ({ page, signIn, pair }) => {
  const api = await signIn('issuer', pair.issuer)
  const odd = { created_at: 'x', product_status: 'x', relationship_id: 77 }
  const data = (await api.call(products.list)).map((product) => ({ ...product, ...odd }))
  await answerNext(page, products.list, 200, success(data))
  await page.goto(PATH)
  await expectRow(page, {
    Nombre: new RegExp(`${pair.product.name}\\s*Inactivo`),
    'Fecha de Creación': 'Fecha no disponible',
  })
  await open(page, pair.product.name)
  const dialog = page.getByRole('dialog', { name: pair.product.name })
  await expect(factOf(dialog, 'Estado')).toHaveText('Inactivo')
  await expect(factOf(dialog, 'Fecha de Creación')).toHaveText('Fecha no disponible')
  await expect(factOf(dialog, 'ID de Relación')).toHaveText('77')
})

test('an issuer without products, and a load that fails', async ({ page, signIn, issuer }) => {
  await signIn('issuer', issuer)
  await failNext(page, products.list)
  await page.goto(PATH)
  await expect(page.getByRole('alert').filter({ hasText: 'Error al cargar los productos' })).toBeVisible()
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await expect(page.getByText('No se encontraron productos')).toBeVisible()
})
