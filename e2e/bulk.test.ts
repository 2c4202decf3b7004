import type { Page } from '@playwright/test'
import { sql } from 'kysely'
import { makePayment } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { choose, expectToast } from './screen.ts'

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

test('the administrator chooses payments by mouse and keys, exports them, and changes the status of many', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const columns = [{}, {}, { payment_status: 'paid' }, { calculated_amount: '100.00' }, {}]
  const made = await makeMonths(db, pair.ids, columns)
  const changed = made[3]?.id ?? 0
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)

  await test.step('chosen rows are summed up and exported alone', async () => {
    await expect(boxes(page)).toHaveCount(5)
    await expect(bar(page)).toHaveAttribute('inert')
    await boxes(page).nth(0).check()
    await expect(spoken(page, '1 pago · $5,000.00')).toBeAttached()
    await expect(pageBox(page)).toHaveJSProperty('indeterminate', true)
    await boxes(page)
      .nth(2)
      .click({ modifiers: ['Shift'] })
    // One of them lost a commission of 100.00 since it was made.
    await expect(spoken(page, '3 pagos · $11,900.00')).toBeAttached()
    const download = page.waitForEvent('download')
    await bar(page).getByRole('button', { name: 'Exportar' }).click()
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    const lines = (await (await (await download).createReadStream()).toArray()).join('').trim().split('\r\n')
    const ids = lines.slice(1).map((line) => Number(line.split(',')[0]))
    expect(ids).toEqual([made[4]?.id, changed, made[2]?.id])
  })

  await test.step('keys choose too; Escape, the bar and another filter take the choice back', async () => {
    await page.getByRole('button', { name: 'Elegir los 5 del filtro' }).click()
    await expect(spoken(page, '5 pagos · $14,900.00')).toBeAttached()
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
    await expect(boxes(page)).toHaveCount(4)
    await expect(boxes(page).first()).not.toBeChecked()
    await choose(page, 'Estado', 'Todos los estados')
    await expect(boxes(page)).toHaveCount(5)
  })

  const result = (name: string) => page.getByRole('dialog', { name })

  await test.step('the status of many changes after a question; what is refused says why', async () => {
    await pageBox(page).check()
    await page.getByRole('button', { name: 'Cambiar estado' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cambiar estado' })
    await expect(dialog).toContainText('4 pagos de $11,900.00 pasan a «Pagado»')
    await expect(dialog).toContainText('1 ya estaba pagado.')
    await dialog.getByRole('button', { name: 'Cambiar 4 pagos' }).dblclick()
    const refused = result('Se actualizaron 3 de 4')
    await expect(refused.getByRole('listitem')).toHaveCount(1)
    await expect(refused).toContainText(`Pago ${changed}`)
    await expect(refused).toContainText('sumaban $100.00 y ahora suman $0.00')
  })

  await test.step('what was refused is a step away, and stays chosen', async () => {
    const refused = result('Se actualizaron 3 de 4')
    const link = refused.getByRole('link', { name: `Pago ${changed}` })
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
    await expect(refused).toBeVisible()
    await link.click()
    await expect(refused).toHaveCount(0)
    const panel = page.getByRole('dialog', { name: `Pago ${changed}`, exact: true })
    await expect(panel).toBeVisible()
    // With the one that was paid already, which was not sent.
    await expect(spoken(page, '2 pagos · $6,900.00')).toBeAttached()
    await panel.getByRole('button', { name: 'Cerrar' }).click()
    await expect(panel).toHaveCount(0)
  })

  await test.step('it is tried again until it goes', async () => {
    await page.getByRole('button', { name: 'Cambiar estado' }).click()
    await page.getByRole('button', { name: 'Cambiar 1 pago' }).click()
    const refused = result('No se actualizó nada')
    await expect(refused).toContainText(`Pago ${changed}`)
    await db
      .updateTable('payment')
      .set({ total_amount: sql`total_amount - calculated_amount`, calculated_amount: '0.00' })
      .where('id', '=', changed)
      .execute()
    await refused.getByRole('button', { name: 'Reintentar' }).click()
    await expectToast(page, 'Se actualizó 1 pago')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('table').getByText('Pagado', { exact: true })).toHaveCount(5)
    await expect(boxes(page).nth(1)).not.toBeChecked()
    await page.keyboard.press('Escape')
    await expect(bar(page)).toHaveAttribute('inert')
  })

  await test.step('on a phone the bar stands at the lower edge; what was paid asks why it is cancelled', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await boxes(page).first().check()
    await expect(bar(page)).toContainText('1 pago')
    await expect(bar(page)).toHaveCSS('height', '56px')
    await bar(page).getByRole('button', { name: 'Más acciones de la selección' }).click()
    await page.getByRole('menuitem', { name: 'Elegir los 5 del filtro' }).click()
    await expect(bar(page)).toContainText('5 pagos')
    await bar(page).getByRole('button', { name: 'Cambiar estado' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cambiar estado' })
    await choose(dialog, 'Estado', 'Cancelado')
    await expect(dialog).toContainText('5 ya se pagaron y dejan de estar pagados.')
    await dialog.getByRole('button', { name: 'Cambiar 5 pagos' }).click()
    await expect(dialog.getByText('Explica por qué se cancela un pago que ya se pagó')).toBeVisible()
    await dialog.getByLabel('Motivo de la cancelación').fill('El banco devolvió la transferencia')
    await dialog.getByRole('button', { name: 'Cambiar 5 pagos' }).click()
    await expectToast(page, 'Se actualizaron 5 pagos')
    await expect(bar(page)).toHaveCount(0)
  })
})

test('products and relationships are deactivated together, once it is said what that ends', async ({
  page,
  signIn,
  pair,
}) => {
  await signIn('admin')
  await page.goto(`/app/admin/products?emisor=${pair.issuer.id}`)
  await box(page, 'Elegir los productos de esta página').check()
  await page.getByRole('button', { name: 'Desactivar' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('sus enlaces dejan de funcionar')
  await page.getByRole('button', { name: 'Desactivar 1 producto' }).click()
  await expectToast(page, 'Se actualizó 1 producto')
  await expect(page.getByRole('table')).toContainText('Inactivo')

  await page.getByRole('link', { name: 'Relaciones', exact: true }).click()
  await choose(page, 'Filtrar por emisor', pair.issuer.company_name)
  await expect(box(page, /^Elegir .*/)).toHaveCount(2)
  await box(page, 'Elegir las relaciones de esta página').check()
  await page.getByRole('button', { name: 'Desactivar' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Sin saldo por pagar.')
  await page.getByRole('button', { name: 'Desactivar 1 relación' }).click()
  await expectToast(page, 'Se actualizó 1 relación')
})
