import type { Locator, Page } from '@playwright/test'
import { products } from '#contract/products.ts'
import { makeIssuer, makeProduct, makeRelationship } from '#db/factories.ts'
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
} from './screen.ts'

const PATH = '/app/affiliate/products'

const inClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

async function expectCopied(page: Page, button: Locator, text: string | RegExp): Promise<void> {
  await button.click()
  await expectToast(page, 'URL copiada al portapapeles')
  await expect.poll(() => inClipboard(page)).toEqual(text instanceof RegExp ? expect.stringMatching(text) : text)
}

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']))

test('the affiliate copies a link and reads what it is made of', async ({ page, signIn, pair, baseURL }) => {
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
  expect(await expectHeads(page)).toEqual(['ID', 'Emisor', 'Nombre', 'URL de Tracking', 'Acciones'])
  const base = `${baseURL}/api/v1/leads/redirect/${pair.relationship.id}/?product_id=${pair.product.id}&external_id={external_id}`
  const row = await expectRow(page, {
    ID: String(pair.product.id),
    Emisor: pair.issuer.company_name,
    Nombre: `${pair.product.name}Activo`,
  })
  await expect(row.getByText(`${base.slice(0, 40)}...`, { exact: true })).toBeVisible()
  await expectCopied(page, row.getByRole('button', { name: `Copiar URL de ${pair.product.name}` }), base)
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
  await dialog.getByLabel('external_id').fill('ana 7')
  await expectCopied(page, dialog.getByRole('button', { name: 'Copiar Tu enlace' }), /external_id=ana[+]7/)
  await expectCopied(page, dialog.getByRole('button', { name: 'Copiar URL de Tracking Base' }), base)
  await expectNoViolations(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
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
  await answerNext(page, products.list, 200, { success: true, data: [], message: null, errors: null, meta: {} })
  await page.goto(PATH)
  await expect(page.getByText('No hay productos disponibles')).toBeVisible()
  await expect(page.getByText(/Contacta al administrador/)).toBeVisible()
  await expectNoViolations(page)
})
