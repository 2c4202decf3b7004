import type { Locator, Page } from '@playwright/test'
import { makeAffiliate, makeEntry, makeLead, makePayment, makeRelationship } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { choose, expectToast } from './screen.ts'

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

const fromMenu = async (page: Page, screen: string) => {
  await page.getByRole('button', { name: 'Abrir menú' }).tap()
  await page.getByRole('dialog', { name: 'Menú' }).getByRole('link', { name: screen }).tap()
}

test('payments are cards with a sheet of filters, and companies are edited by a tap', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  for (let month = 1; month <= 12; month += 1) {
    const [period_start, period_end] = ['01', '28'].map((day) => `2025-${String(month).padStart(2, '0')}-${day}`)
    const payment_status = month === 5 ? 'paid' : 'pending'
    await makePayment(db, pair.ids, { period_start, period_end, payment_status, total_amount: `${month}000.00` })
  }
  await makeEntry(db, pair.ids, { amount: '300.00', earned_at: '2026-03-10T12:00:00Z' })
  const held = await makeAffiliate(db)
  const { id } = await makeRelationship(db, { affiliate_id: held.id, issuer_id: pair.issuer.id })
  const heldIds = { ...pair.ids, relationship_id: id, affiliate_id: held.id }
  await makeEntry(db, heldIds, { amount: '80.00', due_on: 'infinity' })
  const company = await makeAffiliate(db, {
    company_name: 'Comparador con un nombre que no cabe en una línea de teléfono',
  })
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)

  await test.step('ten at a time', async () => {
    await expect(cards(page)).toHaveCount(10)
    await expect(page.getByRole('table')).toHaveCount(0)
    await expect(page.getByText('10 de 12')).toBeVisible()
    await page.getByRole('button', { name: 'Ver 2 más' }).tap()
    await expect(cards(page)).toHaveCount(12)
    await expect(cards(page).nth(10).getByRole('button').first()).toBeFocused()
    await expect(page.getByRole('button', { name: /^Ver \d+ más/ })).toHaveCount(0)
  })

  await test.step('all of a card opens its payment, and its menu has the rest', async () => {
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
  })

  await test.step('the filters are a sheet that says what they leave', async () => {
    await expect(page.getByRole('combobox', { name: 'Estado' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Filtros (1)' }).tap()
    const sheet = page.getByRole('dialog', { name: 'Filtros' })
    await expect(sheet.getByRole('button', { name: 'Ver 12 pagos' })).toBeVisible()
    await sheet.getByRole('combobox', { name: 'Estado' }).tap()
    await expectTouchable(page.getByRole('option', { name: 'Pagado' }))
    await page.keyboard.press('Escape')
    await choose(sheet, 'Estado', 'Pagado')
    await expect(page.getByRole('combobox', { name: 'Ordenar por' })).toHaveCount(1)
    await sheet.getByRole('button', { name: 'Ver 1 pago', exact: true }).tap()
    await expect(cards(page)).toHaveCount(1)
    await page.getByRole('button', { name: 'Filtros (2)' }).tap()
    await sheet.getByRole('button', { name: 'Limpiar' }).tap()
    await expect(page).not.toHaveURL(/emisor|estado/)
    await choose(sheet, 'Emisor', pair.issuer.company_name)
    await choose(sheet, 'Ordenar por', 'Periodo, ascendente')
    await sheet.getByRole('button', { name: 'Ver 12 pagos' }).tap()
    await expect(cards(page).first()).toContainText('ene 2025')
    await page.getByRole('button', { name: 'Filtros (1)' }).tap()
    await choose(sheet, 'Ordenar por', 'Periodo, descendente')
    await sheet.getByRole('button', { name: 'Ver 12 pagos' }).tap()
    await expect(cards(page).first()).toContainText('dic 2025')
  })

  await test.step('amounts stand below each other, also beside what cannot be done yet', async () => {
    await page.getByRole('button', { name: 'Ver comisiones sin pago' }).tap()
    const list = page.getByRole('dialog', { name: 'Comisiones sin pago' })
    await expect(list.getByRole('button', { name: 'Más acciones' })).toHaveCount(1)
    const endOf = async (amount: string) => {
      const box = await list.getByText(amount).first().boundingBox()
      return box && Math.round(box.x + box.width)
    }
    expect(await endOf('$80.00')).toBe(await endOf('$300.00'))
    await page.keyboard.press('Escape')
  })

  await test.step('companies', async () => {
    await fromMenu(page, 'Afiliados')
    await page.getByRole('searchbox').fill(company.rfc)
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
  })
})

test('leads that the server pages are cards, with the pages after the last; the menu is a drawer', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const name = 'Microcrédito Nogalera Exprés'
  await db.updateTable('product').set({ name }).where('id', '=', pair.product.id).execute()
  for (let count = 0; count < 27; count += 1) await makeLead(db, { ...pair.ids, external_id: `cyc-60f11131${count}` })
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/leads?page_size=25')

  await test.step('pages', async () => {
    await expect(page.getByText('10 de 25')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Página siguiente' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Ver 10 más' }).tap()
    await page.getByRole('button', { name: 'Ver 5 más' }).tap()
    await page.getByRole('button', { name: 'Página siguiente' }).tap()
    await expect(cards(page)).toHaveCount(2)
    await cards(page).last().tap(CORNER)
    await expect(page.getByRole('dialog', { name: /^Lead/ })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('the menu belongs to the screen it was opened on', async () => {
    await expect(page.getByRole('link', { name: 'Productos' })).toBeHidden()
    const drawer = page.getByRole('dialog', { name: 'Menú' })
    await fromMenu(page, 'Productos')
    await expect(page).toHaveURL('/app/affiliate/products')
    await expect(drawer).toBeHidden()
    await page.goBack()
    await expect(page).toHaveURL(/\/app\/affiliate\/leads/)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(drawer).toBeHidden()
    await page.goForward()
    await expect(page).toHaveURL('/app/affiliate/products')
    await fromMenu(page, 'Productos')
    await expect(drawer).toBeHidden()
    await fromMenu(page, 'Leads')
  })

  await test.step('the button of the sheet applies a text that was typed in it', async () => {
    await page.getByRole('button', { name: 'Filtros' }).tap()
    const sheet = page.getByRole('dialog', { name: 'Filtros' })
    await expect(sheet.getByRole('button', { name: 'Ver 27 leads' })).toBeVisible()
    await sheet.getByRole('button', { name: 'Filtrar por' }).tap()
    await choose(sheet, 'Campo', 'External ID')
    await sheet.getByRole('button', { name: 'Agregar' }).tap()
    await sheet.getByRole('textbox', { name: 'External ID' }).fill('cyc-60f1113126')
    await sheet.getByRole('button', { name: 'Ver resultados' }).tap()
    await expect(sheet).toBeHidden()
    await expect(cards(page)).toHaveCount(1)
    await expect(page).toHaveURL(/external_id=cyc-60f1113126/)
  })

  await test.step('on a tablet the names of a list are whole', async () => {
    await page.setViewportSize({ width: 768, height: 1024 })
    for (const text of [name, pair.issuer.company_name, 'cyc-60f1113126']) {
      const cell = page.getByRole('cell', { name: text }).last().locator('> div')
      await expect(cell).toBeVisible()
      expect(await cell.evaluate((box) => box.scrollHeight - box.clientHeight)).toBeLessThanOrEqual(1)
    }
  })
})
