import type { Page } from '@playwright/test'
import { payments } from '#contract/payments.ts'
import { makeEntry, makePayment } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { answerNext } from './screen.ts'

const LETTER_POINTS = [612, 792]
const LINES = 40
const WITHIN_THE_MARGINS_OF_A4 = { width: 673, height: 950 }

/** The browser's own window of printing would wait for a person. */
const countPrints = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(window, {
      prints: 0,
      print: () => Object.assign(window, { prints: Number(Reflect.get(window, 'prints')) + 1 }),
    })
  })
const prints = (page: Page) => page.evaluate(() => Reflect.get(window, 'prints'))

test('payments go on paper as what they are: a list, a payment with its commissions, a statement on letter pages', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { id } = await makePayment(db, pair.ids, {
    ...{ total_amount: '20040.00', calculated_amount: '20000.00', adjustment_reason: 'Bono de marzo' },
  })
  for (let line = 0; line < LINES; line++) {
    const entry = await makeEntry(db, pair.ids, { earned_at: '2025-03-10T12:00:00Z' })
    const held = { state: 'in_payment', payment_id: id }
    await db.updateTable('commission_entry').set(held).where('id', '=', entry.id).execute()
  }
  const onPaper = () => page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const onScreen = () => page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
  await countPrints(page)
  await signIn('admin')
  await onScreen()
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  const amount = page.getByRole('columnheader', { name: 'Monto' })
  await expect(amount).toBeVisible()
  const panel = page.getByRole('dialog', { name: `Pago ${id}` })

  await test.step('the list without the shell and its filters', async () => {
    await onPaper()
    await expect(page.getByRole('heading', { name: 'Gestión de Pagos' })).toBeVisible()
    await expect(page.getByText(pair.affiliate.company_name, { exact: true })).toBeVisible()
    for (const name of ['Salir', 'Crear Pago', 'Exportar'])
      await expect(page.getByRole('button', { name })).toHaveCount(0)
    await expect(page.getByRole('complementary', { name: 'Menú lateral' })).toHaveCount(0)
    await expect(page.getByRole('combobox', { name: 'Estado' })).toHaveCount(0)
    await onScreen()
  })

  await test.step('as a table, however narrow the paper', async () => {
    await page.setViewportSize(WITHIN_THE_MARGINS_OF_A4)
    await expect(page.getByRole('row')).toHaveCount(1)
    await expect(amount).toBeHidden()
    await onPaper()
    await expect(amount).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'Acciones' })).toBeHidden()
    const { width } = WITHIN_THE_MARGINS_OF_A4
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await onScreen()
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('of an open payment, the payment without what acts on a screen', async () => {
    await page.getByRole('link', { name: new RegExp(`^Pago ${id},`) }).press('Enter')
    await expect(panel.getByRole('listitem')).toHaveCount(25)
    await onPaper()
    await expect(panel.getByText('$20,040.00')).toBeVisible()
    await expect(page.getByRole('button')).toHaveCount(0)
    await expect(page.getByRole('table')).toHaveCount(0)
    await expect(panel).toHaveCSS('position', 'static')
    await onScreen()
  })

  await test.step('a statement that cannot be loaded is not printed, and can be asked for again', async () => {
    await answerNext(page, payments.statement, 500, {})
    await page.getByRole('button', { name: 'Imprimir' }).click()
    await expect(page.getByText('Error', { exact: true })).toBeVisible()
    expect(await prints(page)).toBe(0)
    await page.getByRole('button', { name: 'Imprimir' }).click()
    await expect.poll(() => prints(page)).toBe(1)
  })

  await test.step('the statement alone, light, over pages of letter size', async () => {
    await onPaper()
    await expect(page.getByRole('heading', { name: `Estado de pago ${id}` })).toBeVisible()
    await expect(page.getByRole('button')).toHaveCount(0)
    await expect(page.getByRole('navigation')).toHaveCount(0)
    const paper = page.getByRole('article')
    for (const { company_name, rfc } of [pair.issuer, pair.affiliate])
      await expect(paper).toContainText(`${company_name}RFC ${rfc}`)
    await expect(paper.getByRole('row')).toHaveCount(LINES + 2)
    await expect(paper).toContainText('40 comisiones$20,000.00AjusteBono de marzo$40.00Total$20,040.00')
    expect(await page.evaluate(() => getComputedStyle(document.body).getPropertyValue('--color-surface'))).toMatch(
      /^(?:lab|oklch)\(100% 0 0\)$/,
    )
    await expect(page).toHaveTitle(`Estado de pago ${id}`)
    const printed = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect(printed.match(/\/Type \/Page\b/g)).toHaveLength(2)
    expect(/\/MediaBox \[0 0 (\d+) (\d+)\]/.exec(printed)?.slice(1).map(Number)).toEqual(LETTER_POINTS)
  })

  await test.step('printed, the screen is what it was', async () => {
    await onScreen()
    // The PDF above was printing, too.
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    await expect(panel).toBeVisible()
    await expect(page.getByText('No es un comprobante fiscal.')).toHaveCount(0)
    await expect(page).not.toHaveTitle(/Estado de pago/)
  })
})
