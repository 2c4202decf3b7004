import type { Page } from '@playwright/test'
import { addDays } from '#contract/time.ts'
import { makeEntry, makeIssuer, makePayment, makeRelationship } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { choose, chooseAction, expectNoViolations, expectToast } from './screen.ts'

type Db = Parameters<typeof makePayment>[0]
type Ids = Parameters<typeof makePayment>[1]

/** The latest period first, as the list shows them. */
const makePayments = (db: Db, ids: Ids, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) => {
      const period_start = addDays('2025-06-01', -3 * index)
      return makePayment(db, ids, { period_start, period_end: addDays(period_start, 1) })
    }),
  )

const panelOf = (page: Page) => page.getByRole('dialog', { name: /^Pago/ })
const linksOf = (page: Page) => page.getByRole('table').getByRole('link', { name: /^Pago/ })
const idIn = (name: string | null) => Number(/\d+/.exec(name ?? '')?.[0])

test('a payment opens beside its list, the keys lead to the neighbours, and Back and Escape to its row', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makePayments(db, pair.ids, 3)
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/payments?estado=pending')
  const links = linksOf(page)
  await expect(links).toHaveCount(3)
  const ids = (await links.all()).map(async (link) => idIn(await link.textContent()))
  const [first, second, third] = await Promise.all(ids)
  await expect(links.first()).toHaveAccessibleName(
    new RegExp(`^Pago ${first}, ${pair.affiliate.company_name}, \\$1,500.00`),
  )

  await page.getByRole('row').nth(1).getByRole('cell').nth(3).click()
  await expect(page).toHaveURL(`/app/affiliate/payments?estado=pending&pago=${first}`)
  const panel = panelOf(page)
  await expect(panel.getByRole('heading', { name: `Pago ${first}` })).toBeFocused()
  await expect(panel.getByText('1 de 3', { exact: true })).toBeVisible()
  await expect(links.first()).toHaveAttribute('aria-current', 'true')
  await expect(page.getByRole('columnheader')).toHaveText(['Emisor', 'Periodo', 'Monto', 'Estado'])
  await expectNoViolations(page)

  await page.keyboard.press('ArrowUp') // the first one has none before it
  await page.keyboard.press('ArrowDown')
  await expect(panel).toHaveAccessibleName(`Pago ${second}`)
  await expect(panel.getByText(`Pago ${second}, 2 de 3`, { exact: true })).toHaveRole('status')
  await page.getByRole('button', { name: 'Siguiente', exact: true }).click()
  await expect(page).toHaveURL(`/app/affiliate/payments?estado=pending&pago=${third}`)
  await expect(panel.getByRole('button', { name: 'Siguiente' })).toHaveAttribute('aria-disabled', 'true')

  await page.goBack()
  await expect(panel).toHaveCount(0)
  await expect(page).toHaveURL('/app/affiliate/payments?estado=pending')
  await expect(links.nth(2)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('heading', { name: `Pago ${third}` })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(panel).toHaveAccessibleName(`Pago ${second}`)
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(links.nth(1)).toBeFocused()
  await expect(page).toHaveURL('/app/affiliate/payments?estado=pending')

  for (const row of [1, 2]) await page.getByRole('row').nth(row).getByRole('cell').nth(3).click()
  await expect(panel).toHaveAccessibleName(`Pago ${second}`)
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(links.nth(1)).toBeFocused()
})

test('an address leads to a payment on its page of the list, also through the sign-in', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const payments = await makePayments(db, pair.ids, 60)
  await signIn('issuer', pair.issuer)
  await page.goto('/app/issuer/payments')
  await expect(linksOf(page)).toHaveCount(50)
  await page.getByRole('button', { name: 'Página siguiente' }).click()
  await expect(linksOf(page)).toHaveCount(10)
  const id = idIn(await linksOf(page).first().textContent())
  await page.getByRole('row').nth(1).getByRole('cell').nth(1).click()
  await expect(panelOf(page).getByText('51 de 60', { exact: true })).toBeVisible()
  await expect(linksOf(page)).toHaveCount(10) // opening a row stays on its page
  await page.keyboard.press('ArrowUp')
  await expect(panelOf(page).getByText('50 de 60', { exact: true })).toBeVisible()
  await expect(linksOf(page)).toHaveCount(50)
  await expect(linksOf(page).last()).toBeInViewport()

  await page.goto(`/app/issuer/payments?pago=${id}`)
  await expect(linksOf(page)).toHaveCount(10)
  await expect(panelOf(page)).toHaveAccessibleName(`Pago ${id}`)
  await choose(page, 'Estado', 'Pagado') // the list beside it is there to be used
  await expect(page.getByText('No hay pagos para los filtros seleccionados')).toBeVisible()
  await expect(panelOf(page).getByText(/ de 60$/)).toHaveCount(0)
  await panelOf(page).getByRole('button', { name: 'Cerrar' }).click()
  await expect(page).toHaveURL('/app/issuer/payments?estado=paid')
  expect(payments).toHaveLength(60)
})

test("a stranger's payment does not exist, nor does one that cannot", async ({ page, signIn, db, pair }) => {
  const issuer = await makeIssuer(db)
  const relationship = await makeRelationship(db, { issuer_id: issuer.id, affiliate_id: pair.affiliate.id })
  const strange = await makePayment(db, { ...pair.ids, issuer_id: issuer.id, relationship_id: relationship.id })
  await signIn('issuer', pair.issuer)
  await page.goto(`/app/issuer/payments?pago=${strange.id}`)
  await expect(panelOf(page).getByText(`El pago ${strange.id} no existe`)).toBeVisible()
  await page.goto('/app/issuer/payments?pago=nada')
  await expect(panelOf(page).getByText('Ese pago no existe')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/app/issuer/payments')
})

test('on a phone a payment fills the screen, and its lines lead to their leads', async ({ page, signIn, db, pair }) => {
  const payment = await makePayment(db, pair.ids)
  const entry = await makeEntry(db, pair.ids, { amount: '1500.00', earned_at: '2025-03-10T12:00:00Z' })
  const held = { payment_id: payment.id, state: 'in_payment' }
  await db.updateTable('commission_entry').set(held).where('id', '=', entry.id).execute()
  await signIn('affiliate', pair.affiliate)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/app/affiliate/payments?pago=${payment.id}`)
  const panel = panelOf(page)
  expect(await panel.boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 844 })
  await panel.getByRole('link', { name: `Lead ${entry.lead_id}` }).click()
  await expect(page).toHaveURL(`/app/affiliate/leads?lead=${entry.lead_id}`)
  await page.goBack()
  await expect(panel.getByText('$1,500.00').first()).toBeVisible()
})

test('a click on a button or a chosen text opens nothing', async ({ page, signIn, db, pair }) => {
  await makePayment(db, pair.ids)
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  // What is above the list stands: it moves no more.
  await expect(page.getByText('Ninguna comisión ganada está sin pago.')).toBeVisible()
  const name = page.getByRole('cell', { name: pair.affiliate.company_name, exact: true })
  const { x, y, width, height } = (await name.getByTitle(pair.affiliate.company_name).boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  }
  await page.mouse.move(x + 1, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width - 4, y + height / 2, { steps: 4 })
  await page.mouse.up()
  expect(await page.evaluate(() => String(getSelection()))).not.toBe('')
  await page.getByRole('button', { name: /^Editar pago/ }).click()
  await expect(page.getByRole('dialog', { name: 'Editar Pago' })).toBeVisible()
  await expect(page).not.toHaveURL(/pago=/)
})

test('from its row a payment is copied, printed and deleted', async ({ page, signIn, db, pair, context }) => {
  const payment = await makePayment(db, pair.ids)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(() => {
    window.print = () => {
      document.documentElement.dataset.printed = document.title
      dispatchEvent(new Event('afterprint'))
    }
  })
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  const row = page.getByRole('table')
  await chooseAction(row, 'Copiar enlace')
  await expectToast(page, 'Enlace copiado al portapapeles')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(`/app/admin/payments?pago=${payment.id}`)
  await chooseAction(row, 'Imprimir')
  await expect(page.locator('html')).toHaveAttribute('data-printed', `Estado de pago ${payment.id}`)
  await page.getByRole('button', { name: `Más acciones del pago ${payment.id}` }).click()
  await expect(page.getByRole('separator')).toBeVisible()
  await page.getByRole('menuitem', { name: `Eliminar pago ${payment.id}` }).click()
  await expect(page.getByRole('alertdialog', { name: 'Eliminar Pago' })).toBeVisible()
})

test('from its panel the administrator edits and deletes a payment', async ({ page, signIn, db, pair }) => {
  const payment = await makePayment(db, pair.ids)
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}&pago=${payment.id}`)
  const act = async (name: string) => {
    await panelOf(page).getByRole('button', { name: 'Más acciones' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await act('Editar')
  const dialog = page.getByRole('dialog', { name: 'Editar Pago' })
  await dialog.getByLabel('Notas').fill('SPEI 7')
  await dialog.getByRole('button', { name: 'Actualizar' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(panelOf(page).getByText('SPEI 7')).toBeVisible()
  await act('Eliminar')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click()
  await expect(panelOf(page)).toHaveCount(0)
  await expect(page).toHaveURL(`/app/admin/payments?emisor=${pair.issuer.id}`)
  await expect(linksOf(page)).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
})

test('a lead says its state, its money and the payment that holds it, in one column or in three', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const payment = await makePayment(db, pair.ids)
  const entry = await makeEntry(db, pair.ids, { amount: '1500.00', earned_at: '2025-03-10T12:00:00Z' })
  const held = { payment_id: payment.id, state: 'in_payment' }
  await db.updateTable('commission_entry').set(held).where('id', '=', entry.id).execute()
  await signIn('affiliate', pair.affiliate)
  await page.goto(`/app/affiliate/leads?lead=${entry.lead_id}`)
  const panel = page.getByRole('dialog', { name: /^Lead #/ })
  await expect(panel.getByText('Aprobado').first()).toBeVisible()
  const line = panel.getByRole('list', { name: 'Comisiones del lead' }).getByRole('listitem')
  for (const text of ['$1,500.00', 'En pago']) await expect(line).toContainText(text)
  await expectNoViolations(page)
  const width = async () => (await panel.boundingBox())?.width ?? 0
  const narrow = await width()
  await panel.getByRole('button', { name: 'Más acciones' }).click()
  await page.getByRole('menuitem', { name: 'Ampliar' }).click()
  await expect.poll(width).toBeGreaterThan(narrow + 300)
  await panel
    .getByRole('link', { name: `Pago ${payment.id}` })
    .first()
    .click()
  await expect(page).toHaveURL(`/app/affiliate/payments?pago=${payment.id}`)
  await page.goto('/app/affiliate/leads?lead=999999999')
  await expect(
    page.getByRole('dialog', { name: 'Lead 999999999' }).getByText('El lead 999999999 no existe'),
  ).toBeVisible()
})
