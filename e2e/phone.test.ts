import type { Locator, Page } from '@playwright/test'
import { makeAffiliate, makeEntry, makeLead, makePayment, makeRelationship } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { choose, expectNoViolations, expectToast } from './screen.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

/** Anywhere on a card but its box. */
const CORNER = { position: { x: 120, y: 60 } }

/** What a finger needs (WCAG 2.5.5): 44 pixels. */
async function expectTouchable(target: Locator) {
  const size = async () => {
    const box = await target.boundingBox()
    return Math.min(box?.width ?? 0, box?.height ?? 0)
  }
  await expect.poll(size).toBeGreaterThanOrEqual(44) // a menu grows as it opens
}

const cards = (page: Page) => page.getByRole('main').getByRole('list').last().getByRole('listitem')

test('payments are cards, ten at a time; all of a card opens its payment', async ({ page, signIn, db, pair }) => {
  for (let month = 1; month <= 12; month += 1) {
    const [period_start, period_end] = ['01', '28'].map((day) => `2025-${String(month).padStart(2, '0')}-${day}`)
    await makePayment(db, pair.ids, { period_start, period_end, total_amount: `${month}000.00` })
  }
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  await expect(cards(page)).toHaveCount(10)
  await expect(page.getByRole('table')).toHaveCount(0)
  await expect(page.getByText('10 de 12')).toBeVisible()
  await page.getByRole('button', { name: 'Ver 2 más' }).tap()
  await expect(cards(page)).toHaveCount(12)
  await expect(cards(page).nth(10).getByRole('button').first()).toBeFocused()
  await expect(page.getByRole('button', { name: /^Ver \d+ más/ })).toHaveCount(0)

  const card = cards(page).filter({ hasText: '$7,000.00' })
  await expect(card).toContainText(pair.affiliate.company_name)
  await expect(card).toContainText('Pendiente')
  await card.tap(CORNER)
  await expect(page.getByRole('dialog').getByText('$7,000.00').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const more = card.getByRole('button', { name: 'Más acciones' })
  await expect(more).toHaveAccessibleDescription(pair.affiliate.company_name)
  await expectTouchable(more)
  await more.tap()
  await expectTouchable(page.getByRole('menuitem', { name: /^Eliminar pago/ }))
  await page.getByRole('menuitem', { name: /^Eliminar pago/ }).tap()
  await expect(page.getByRole('alertdialog', { name: 'Eliminar Pago' })).toContainText('$7,000.00')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancelar' }).tap()
  await expectNoViolations(page)
})

test('leads that the server pages are cards, with the pages after the last', async ({ page, signIn, db, pair }) => {
  for (let count = 0; count < 27; count += 1) await makeLead(db, { ...pair.ids, external_id: `visita-${count}` })
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/leads?page_size=25')
  await expect(page.getByText('10 de 25')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Página siguiente' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Ver 10 más' }).tap()
  await page.getByRole('button', { name: 'Ver 5 más' }).tap()
  await page.getByRole('button', { name: 'Página siguiente' }).tap()
  await expect(cards(page)).toHaveCount(2)
  const card = cards(page).filter({ hasText: 'visita-0' })
  await card.tap(CORNER)
  await expect(page.getByRole('dialog', { name: /^Lead/ })).toBeVisible()
  await page.keyboard.press('Escape')
})

test('companies are cards that are edited by a tap', async ({ page, signIn, db }) => {
  const company = await makeAffiliate(db, {
    company_name: 'Comparador con un nombre que no cabe en una línea de teléfono',
  })
  await signIn('admin')
  await page.goto(`/app/admin/affiliates?q=${company.rfc}`)
  await expect(cards(page)).toHaveCount(1)
  await cards(page).tap(CORNER)
  await expect(page.getByRole('dialog', { name: 'Editar Afiliado' })).toBeVisible()
  await page.getByLabel('Nombre de contacto').fill('Inés Arriaga')
  // The mark lasts two seconds: it is awaited from before it comes.
  await Promise.all([
    expect(cards(page)).toHaveCSS('box-shadow', /inset/, { timeout: 30_000 }),
    page.getByRole('button', { name: 'Actualizar' }).tap(),
    expectToast(page, 'Afiliado actualizado exitosamente'),
  ])
  await expect(cards(page)).toHaveCSS('box-shadow', 'none')
  await cards(page).getByRole('button', { name: 'Más acciones' }).tap()
  await expect(page.getByRole('menuitem')).toHaveText([/usuario administrador/, /^Claves y accesos/, /^Eliminar/])
  await page.keyboard.press('Escape')
  await expectNoViolations(page)
})

test('on a tablet the names of a list are whole', async ({ page, signIn, db, pair }) => {
  const name = 'Microcrédito Nogalera Exprés'
  await db.updateTable('product').set({ name }).where('id', '=', pair.product.id).execute()
  await makeLead(db, { ...pair.ids, external_id: 'cyc-60f111313e' })
  await page.setViewportSize({ width: 768, height: 1024 })
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/leads')
  for (const text of [name, pair.issuer.company_name, 'cyc-60f111313e']) {
    const cell = page.getByRole('cell', { name: text }).last().locator('> div')
    await expect(cell).toBeVisible()
    expect(await cell.evaluate((box) => box.scrollHeight - box.clientHeight)).toBeLessThanOrEqual(1)
  }
})

test('the button of the sheet applies a text that was typed in it', async ({ page, signIn, db, pair }) => {
  for (const external_id of ['alta-7', 'alta-8']) await makeLead(db, { ...pair.ids, external_id })
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/leads')
  await page.getByRole('button', { name: 'Filtros' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Filtros' })
  await expect(sheet.getByRole('button', { name: 'Ver 2 leads' })).toBeVisible()
  await sheet.getByRole('button', { name: 'Filtrar por' }).tap()
  await choose(sheet, 'Campo', 'External ID')
  await sheet.getByRole('button', { name: 'Agregar' }).tap()
  await sheet.getByRole('textbox', { name: 'External ID' }).fill('alta-7')
  await sheet.getByRole('button', { name: 'Ver resultados' }).tap()
  await expect(sheet).toBeHidden()
  await expect(cards(page)).toHaveCount(1)
  await expect(page).toHaveURL(/external_id=alta-7/)
})

test('the filters of a list are a sheet that says what they leave', async ({ page, signIn, db, pair }) => {
  await makePayment(db, pair.ids)
  await makePayment(db, pair.ids, { period_start: '2025-05-01', period_end: '2025-05-31', payment_status: 'paid' })
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  await expect(page.getByRole('combobox', { name: 'Estado' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Filtros (1)' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Filtros' })
  await expect(sheet.getByRole('button', { name: 'Ver 2 pagos' })).toBeVisible()
  await sheet.getByRole('combobox', { name: 'Estado' }).tap()
  await expectTouchable(page.getByRole('option', { name: 'Pagado' }))
  await page.keyboard.press('Escape')
  await choose(sheet, 'Estado', 'Pagado')
  await expect(page.getByRole('combobox', { name: 'Ordenar por' })).toHaveCount(1)
  await expectNoViolations(page)
  await sheet.getByRole('button', { name: 'Ver 1 pago', exact: true }).tap()
  await expect(cards(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Filtros (2)' }).tap()
  await sheet.getByRole('button', { name: 'Limpiar' }).tap()
  await expect(page).not.toHaveURL(/emisor|estado/)
  await choose(sheet, 'Emisor', pair.issuer.company_name)
  await choose(sheet, 'Ordenar por', 'Periodo, ascendente')
  await sheet.getByRole('button', { name: 'Ver 2 pagos' }).tap()
  await expect(cards(page).first()).toContainText('mar 2025')
  await page.getByRole('button', { name: 'Filtros (1)' }).tap()
  await choose(sheet, 'Ordenar por', 'Periodo, descendente')
  await sheet.getByRole('button', { name: 'Ver 2 pagos' }).tap()
  await expect(cards(page).first()).toContainText('may 2025')
})

test('amounts stand below each other, also beside what cannot be done yet', async ({ page, signIn, db, pair }) => {
  await makeEntry(db, pair.ids, { amount: '300.00', earned_at: '2025-03-10T12:00:00Z' })
  const affiliate = await makeAffiliate(db)
  const { id } = await makeRelationship(db, { affiliate_id: affiliate.id, issuer_id: pair.issuer.id })
  const held = { ...pair.ids, relationship_id: id, affiliate_id: affiliate.id }
  await makeEntry(db, held, { amount: '80.00', due_on: 'infinity' })
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  await page.getByRole('button', { name: 'Ver comisiones sin pago' }).tap()
  const list = page.getByRole('dialog', { name: 'Comisiones sin pago' })
  await expect(list.getByRole('button', { name: 'Más acciones' })).toHaveCount(1)
  const endOf = async (amount: string) => {
    const box = await list.getByText(amount).first().boundingBox()
    return box && Math.round(box.x + box.width)
  }
  expect(await endOf('$80.00')).toBe(await endOf('$300.00'))
})
