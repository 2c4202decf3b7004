import type { Page } from '@playwright/test'
import { sql } from 'kysely'
import { makeLead, makePayment } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { choose, expectNoViolations, expectToast } from './screen.ts'

const box = (page: Page, name: string | RegExp) => page.getByRole('checkbox', { name })
const boxes = (page: Page) => box(page, /^Elegir Pago/)
const pageBox = (page: Page) => box(page, 'Elegir los pagos de esta página')
const bar = (page: Page) => page.locator('[data-choose-bar]')
const spoken = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).first()

type Made = Parameters<typeof makePayment>

/** Payments of one pair, of a month each; the list shows the latest first. */
const makeMonths = (db: Made[0], ids: Made[1], columns: object[]) =>
  Promise.all(
    columns.map((some, index) =>
      makePayment(db, ids, {
        period_start: `2025-0${index + 1}-01`,
        period_end: `2025-0${index + 1}-28`,
        total_amount: `${index + 1}000.00`,
        ...some,
      }),
    ),
  )

test('payments are chosen by mouse and keys, summed up, and exported alone', async ({ page, signIn, db, pair }) => {
  const made = await makeMonths(db, pair.ids, [{}, {}, {}, {}, {}])
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  await expect(boxes(page)).toHaveCount(5)
  await expect(bar(page)).toHaveAttribute('inert')

  await boxes(page).nth(0).check()
  await expect(spoken(page, '1 pago · $5,000.00')).toBeAttached()
  await expect(pageBox(page)).toHaveJSProperty('indeterminate', true)
  await boxes(page)
    .nth(2)
    .click({ modifiers: ['Shift'] })
  await expect(spoken(page, '3 pagos · $12,000.00')).toBeAttached()
  await expectNoViolations(page)

  const download = page.waitForEvent('download')
  await bar(page).getByRole('button', { name: 'Exportar' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const stream = await (await download).createReadStream()
  const text = (await stream.toArray()).join('')
  const ids = text
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => Number(line.split(',')[0]))
  expect(ids).toEqual([made[4]?.id, made[3]?.id, made[2]?.id])

  await page.getByRole('button', { name: 'Elegir los 5 del filtro' }).click()
  await expect(spoken(page, '5 pagos · $15,000.00')).toBeAttached()
  await expect(pageBox(page)).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(pageBox(page)).not.toBeChecked()
  await expect(bar(page)).toHaveAttribute('inert')

  const link = page.getByRole('link', { name: /^Pago \d/ })
  await link.first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(link.nth(1)).toBeFocused()
  await page.keyboard.press('Space')
  await expect(boxes(page).nth(1)).toBeChecked()
  await bar(page).getByRole('button', { name: 'Quitar selección' }).click()
  await expect(boxes(page).nth(1)).not.toBeChecked()
  await expect(pageBox(page)).toBeFocused()

  await pageBox(page).check()
  await choose(page, 'Estado', 'Pendiente')
  await expect(boxes(page).first()).not.toBeChecked()
})

test('the status of many changes after a question; what is refused says why and is tried again', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const made = await makeMonths(db, pair.ids, [{}, {}, { payment_status: 'paid' }, { calculated_amount: '100.00' }])
  const changed = made[3]
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  await pageBox(page).check()
  await page.getByRole('button', { name: 'Cambiar estado' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cambiar estado' })
  await expect(dialog).toContainText('3 pagos de $7,000.00 pasan a «Pagado»')
  await expect(dialog).toContainText('1 ya estaba pagado.')
  await expectNoViolations(page)
  await dialog.getByRole('button', { name: 'Cambiar 3 pagos' }).dblclick()

  const result = page.getByRole('dialog', { name: 'Se actualizaron 2 de 3' })
  await expect(result.getByRole('listitem')).toHaveCount(1)
  await expect(result).toContainText(`Pago ${changed?.id}`)
  await expect(result).toContainText('sumaban $100.00 y ahora suman $0.00')
  await expectNoViolations(page)
  await db
    .updateTable('payment')
    .set({ total_amount: sql`total_amount - calculated_amount`, calculated_amount: '0.00' })
    .where('id', '=', changed?.id ?? 0)
    .execute()
  await result.getByRole('button', { name: 'Reintentar' }).click()
  await expectToast(page, 'Se actualizó 1 pago')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('table').getByText('Pagado', { exact: true })).toHaveCount(4)
  await expect(pageBox(page)).not.toBeChecked()
})

test('a payment whose status was refused is a step away, and stays chosen', async ({ page, signIn, db, pair }) => {
  const [, changed] = await makeMonths(db, pair.ids, [{}, { calculated_amount: '100.00' }])
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  await pageBox(page).check()
  await page.getByRole('button', { name: 'Cambiar estado' }).click()
  await page.getByRole('button', { name: 'Cambiar 2 pagos' }).click()
  const result = page.getByRole('dialog', { name: 'Se actualizó 1 de 2' })
  const link = result.getByRole('link', { name: `Pago ${changed?.id}` })
  // That the browser opens it in another tab: we leave the click to it.
  await page.evaluate(() => {
    const note = (click: Event) => {
      document.documentElement.dataset.taken = String(click.defaultPrevented)
    }
    addEventListener('click', note, { once: true })
  })
  const address = page.url()
  await link.click({ modifiers: ['ControlOrMeta'] })
  await expect(page.locator('html')).toHaveAttribute('data-taken', 'false')
  expect(page.url()).toBe(address)
  await expect(result).toBeVisible()
  await link.click()
  await expect(result).toHaveCount(0)
  await expect(page.getByRole('dialog', { name: `Pago ${changed?.id}`, exact: true })).toBeVisible()
  await expect(spoken(page, '1 pago · $2,000.00')).toBeAttached()
})

test('a payment that was paid asks for the reason of its cancellation', async ({ page, signIn, db, pair }) => {
  await makeMonths(db, pair.ids, [{}, { payment_status: 'paid' }])
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  await pageBox(page).check()
  await page.getByRole('button', { name: 'Cambiar estado' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cambiar estado' })
  await choose(dialog, 'Estado', 'Cancelado')
  await expect(dialog).toContainText('1 ya se pagó y deja de estar pagado.')
  await dialog.getByRole('button', { name: 'Cambiar 2 pagos' }).click()
  await expect(dialog.getByText('Explica por qué se cancela un pago que ya se pagó')).toBeVisible()
  await dialog.getByLabel('Motivo de la cancelación').fill('El banco devolvió la transferencia')
  await dialog.getByRole('button', { name: 'Cambiar 2 pagos' }).click()
  await expectToast(page, 'Se actualizaron 2 pagos')
})

test('products are deactivated together, and leads exported', async ({ page, signIn, db, pair }) => {
  const leads = await Promise.all([1, 2, 3].map(() => makeLead(db, pair.ids)))
  await signIn('admin')
  await page.goto(`/app/admin/products?emisor=${pair.issuer.id}`)
  await box(page, 'Elegir los productos de esta página').check()
  await page.getByRole('button', { name: 'Desactivar' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('sus enlaces dejan de funcionar')
  await page.getByRole('button', { name: 'Desactivar 1 producto' }).click()
  await expectToast(page, 'Se actualizó 1 producto')
  await expect(page.getByRole('table')).toContainText('Inactivo')

  await page.goto(`/app/admin/leads?issuer_id=${pair.issuer.id}`)
  await box(page, /^Elegir Lead/)
    .nth(1)
    .check()
  // Not 'del filtro': of a list in pages only one is here.
  await expect(bar(page).getByRole('button', { name: 'Elegir los 3', exact: true })).toBeVisible()
  const download = page.waitForEvent('download')
  await bar(page).getByRole('button', { name: 'Exportar' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const text = (await (await (await download).createReadStream()).toArray()).join('')
  const found = leads.filter(({ tracking_id }) => text.includes(tracking_id))
  expect(found).toHaveLength(1)
})

test('relationships end together after their open balance was read', async ({ page, signIn, pair }) => {
  await signIn('admin')
  await page.goto(`/app/admin/relationships?emisor=${pair.issuer.id}`)
  await box(page, 'Elegir las relaciones de esta página').check()
  await page.getByRole('button', { name: 'Desactivar' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Sin saldo por pagar.')
  await page.getByRole('button', { name: 'Desactivar 1 relación' }).click()
  await expectToast(page, 'Se actualizó 1 relación')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('the bar stands at the lower edge', async ({ page, signIn, db, pair }) => {
    await makeMonths(db, pair.ids, [{}, {}, {}])
    await signIn('admin')
    await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
    await boxes(page).first().tap()
    await expect(bar(page)).toContainText('1 pago')
    await expect(bar(page)).toHaveCSS('height', '56px')
    await bar(page).getByRole('button', { name: 'Más acciones de la selección' }).tap()
    await page.getByRole('menuitem', { name: 'Elegir los 3 del filtro' }).tap()
    await expect(bar(page)).toContainText('3 pagos')
    await expectNoViolations(page)
    await bar(page).getByRole('button', { name: 'Cambiar estado' }).tap()
    await page.getByRole('button', { name: 'Cambiar 3 pagos' }).tap()
    await expectToast(page, 'Se actualizaron 3 pagos')
    await expect(bar(page)).toHaveCount(0)
  })
})
