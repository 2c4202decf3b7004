import type { Page } from '@playwright/test'
import { payments } from '#contract/payments.ts'
import type { Db } from '#db/connect.ts'
import { makeEntry, makePayment } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { answerNext } from './screen.ts'

const LETTER_POINTS = [612, 792]

/** The browser's own window of printing would wait for a person. */
const countPrints = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(window, {
      prints: 0,
      print: () => Object.assign(window, { prints: Number(Reflect.get(window, 'prints')) + 1 }),
    })
  })
const prints = (page: Page) => page.evaluate(() => Reflect.get(window, 'prints'))

type Pair = Parameters<typeof makeEntry>[1]

async function makePaid(db: Db, ids: Pair, lines: number) {
  const payment = await makePayment(db, ids, {
    ...{
      total_amount: String(lines * 500 + 40),
      calculated_amount: String(lines * 500),
      adjustment_reason: 'Bono de marzo',
    },
  })
  for (let line = 0; line < lines; line++) {
    const { id } = await makeEntry(db, ids, { earned_at: '2025-03-10T12:00:00Z' })
    await db
      .updateTable('commission_entry')
      .set({ state: 'in_payment', payment_id: payment.id })
      .where('id', '=', id)
      .execute()
  }
  return payment
}

async function askForStatement(page: Page, id: number) {
  await page.getByRole('button', { name: `Ver pago ${id}` }).click()
  await page.getByRole('button', { name: 'Imprimir' }).click()
  await expect.poll(() => prints(page)).toBe(1)
  await page.emulateMedia({ media: 'print' })
}

test('a payment prints as a statement on letter paper, light, without the screen around it', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const payment = await makePaid(db, pair.ids, 3)
  await page.emulateMedia({ colorScheme: 'dark' })
  await countPrints(page)
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/payments')
  await askForStatement(page, payment.id)
  const title = page.getByRole('heading', { name: `Estado de pago ${payment.id}` })
  await expect(title).toBeVisible()
  await expect(page.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('navigation')).toHaveCount(0)
  const paper = page.getByRole('article')
  for (const { company_name, rfc } of [pair.issuer, pair.affiliate])
    await expect(paper).toContainText(`${company_name}RFC ${rfc}`)
  await expect(paper).toContainText('01/03/2025 - 31/03/2025 (31 días)')
  await expect(paper.getByRole('row')).toHaveCount(4)
  await expect(paper).toContainText('3 comisiones$1,500.00AjusteBono de marzo$40.00Total$1,540.00')
  await expect(paper).toContainText('Montos antes de IVA y retenciones. No es un comprobante fiscal.')
  expect(await page.evaluate(() => getComputedStyle(document.body).getPropertyValue('--color-surface'))).toBe(
    'lab(100% 0 0)',
  )
  await expect(page).toHaveTitle(`Estado de pago ${payment.id}`)
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await expect(page.getByRole('dialog', { name: `Pago ${payment.id}` })).toBeVisible()
  await expect(page.getByText('No es un comprobante fiscal.')).toHaveCount(0)
  await expect(page).not.toHaveTitle(/Estado de pago/)
})

test('a statement of many lines goes on over pages of letter size', async ({ page, signIn, db, pair }) => {
  const payment = await makePaid(db, pair.ids, 40)
  await countPrints(page)
  await signIn('issuer', pair.issuer)
  await page.goto('/app/issuer/payments')
  await askForStatement(page, payment.id)
  await expect(page.getByRole('article').getByRole('row')).toHaveCount(41)
  const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  expect(paper.match(/\/Type \/Page\b/g)).toHaveLength(2)
  expect(/\/MediaBox \[0 0 (\d+) (\d+)\]/.exec(paper)?.slice(1).map(Number)).toEqual(LETTER_POINTS)
})

test('a statement that cannot be loaded is not printed, and can be asked for again', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const payment = await makePaid(db, pair.ids, 1)
  await countPrints(page)
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  await page.getByRole('link', { name: new RegExp(`^Pago ${payment.id},`) }).press('Enter')
  await answerNext(page, payments.statement, 500, {})
  await page.getByRole('button', { name: 'Imprimir' }).click()
  await expect(page.getByText('Error', { exact: true })).toBeVisible()
  expect(await prints(page)).toBe(0)
  await page.getByRole('button', { name: 'Imprimir' }).click()
  await expect.poll(() => prints(page)).toBe(1)
})

test('of an open payment, the browser prints the payment without what acts on a screen', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const payment = await makePaid(db, pair.ids, 3)
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}&pago=${payment.id}`)
  const panel = page.getByRole('dialog', { name: `Pago ${payment.id}` })
  await expect(panel.getByRole('listitem')).toHaveCount(3)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(panel.getByText('$1,540.00')).toBeVisible()
  await expect(page.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('table')).toHaveCount(0)
  await expect(panel).toHaveCSS('position', 'static')
})

test('of a list, the paper carries neither the shell nor its filters', async ({ page, signIn, db, pair }) => {
  await makePaid(db, pair.ids, 1)
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('heading', { name: 'Gestión de Pagos' })).toBeVisible()
  await expect(page.getByText(pair.affiliate.company_name, { exact: true })).toBeVisible()
  for (const name of ['Salir', 'Crear Pago', 'Exportar'])
    await expect(page.getByRole('button', { name })).toHaveCount(0)
  await expect(page.getByRole('complementary', { name: 'Menú lateral' })).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: 'Estado' })).toHaveCount(0)
})
