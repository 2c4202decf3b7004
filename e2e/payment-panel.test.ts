import type { Page } from '@playwright/test'
import { addDays } from '#contract/time.ts'
import { makeEntry, makePair, makePayment } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { choiceOf, choose, chooseAction, expectToast } from './screen.ts'

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

test('an affiliate reads its payments beside their list, up to the leads that they pay and back', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const payments = await makePayments(db, pair.ids, 60)
  const [first, second, third] = payments.map(({ id }) => id)
  const { id: late } = payments[50] ?? { id: 0 }
  const entry = await makeEntry(db, pair.ids, { amount: '1500.00', earned_at: '2025-03-10T12:00:00Z' })
  const held = { payment_id: late, state: 'in_payment' }
  await db.updateTable('commission_entry').set(held).where('id', '=', entry.id).execute()
  const { tracking_id } = await db
    .selectFrom('lead')
    .select('tracking_id')
    .where('id', '=', entry.lead_id)
    .executeTakeFirstOrThrow()
  const strange = await makePayment(db, (await makePair(db)).ids)
  await signIn('affiliate', pair.affiliate)
  const [panel, links] = [panelOf(page), linksOf(page)]
  const row = (place: number) => page.getByRole('row').nth(place).getByRole('cell').nth(3)

  await test.step("a stranger's payment does not exist", async () => {
    await page.goto(`/app/affiliate/payments?pago=${strange.id}`)
    await expect(panel.getByText(`El pago ${strange.id} no existe`)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL('/app/affiliate/payments')
    await expect(links).toHaveCount(50)
  })

  await test.step('a payment opens beside the list as it is filtered', async () => {
    await choose(page, 'Estado', 'Pendiente')
    await expect(page).toHaveURL('/app/affiliate/payments?estado=pending')
    await expect(choiceOf(page, 'Estado')).toHaveText('Pendiente')
    await expect(links.first()).toHaveAccessibleName(
      new RegExp(`^Pago ${first}, ${pair.affiliate.company_name}, \\$1,500.00`),
    )
    await row(1).click()
    await expect(page).toHaveURL(`/app/affiliate/payments?estado=pending&pago=${first}`)
    await expect(panel.getByRole('heading', { name: `Pago ${first}` })).toBeFocused()
    await expect(panel.getByText('1 de 60', { exact: true })).toBeVisible()
    await expect(links.first()).toHaveAttribute('aria-current', 'true')
    await expect(page.getByRole('columnheader')).toHaveText(['Emisor', 'Periodo', 'Monto', 'Estado'])
  })

  await test.step('the keys lead to the neighbours, and Back and Escape to its row', async () => {
    await expect(panel.getByRole('button', { name: 'Anterior' })).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('ArrowUp') // the first one has none before it
    await page.keyboard.press('ArrowDown')
    await expect(panel).toHaveAccessibleName(`Pago ${second}`)
    await expect(panel.getByText(`Pago ${second}, 2 de 60`, { exact: true })).toHaveRole('status')
    await page.getByRole('button', { name: 'Siguiente', exact: true }).click()
    await expect(page).toHaveURL(`/app/affiliate/payments?estado=pending&pago=${third}`)
    await expect(panel).toHaveAccessibleName(`Pago ${third}`)
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
    for (const [index, id] of [first, second].entries()) {
      await row(index + 1).click()
      await expect(panel).toHaveAccessibleName(`Pago ${id}`)
    }
    await page.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)
    await expect(links.nth(1)).toBeFocused()
  })

  await test.step('the list stays on the page of the payment, and turns with it', async () => {
    await page.getByRole('button', { name: 'Página siguiente' }).click()
    await expect(links).toHaveCount(10)
    expect(idIn(await links.first().textContent())).toBe(late)
    await row(1).click()
    await expect(panel.getByText('51 de 60', { exact: true })).toBeVisible()
    await expect(panel.getByRole('heading', { name: `Pago ${late}` })).toBeFocused()
    await expect(links).toHaveCount(10)
    await page.keyboard.press('ArrowUp')
    await expect(panel.getByText('50 de 60', { exact: true })).toBeVisible()
    await expect(links).toHaveCount(50)
    await expect(links.last()).toBeInViewport()
    await page.keyboard.press('ArrowDown')
    await expect(panel).toHaveAccessibleName(`Pago ${late}`)
  })

  await test.step('a lead says its state, its money and the payment that holds it, in one column or in three', async () => {
    await panel.getByRole('link', { name: `Lead ${entry.lead_id}` }).click()
    await expect(page).toHaveURL(`/app/affiliate/leads?lead=${entry.lead_id}`)
    const lead = page.getByRole('dialog', { name: /^Lead #/ })
    await expect(lead.getByText('Aprobado').first()).toBeVisible()
    const line = lead.getByRole('list', { name: 'Comisiones del lead' }).getByRole('listitem')
    for (const text of ['$1,500.00', 'En pago']) await expect(line).toContainText(text)
    const width = async () => (await lead.boundingBox())?.width ?? 0
    const narrow = await width()
    await lead.getByRole('button', { name: 'Más acciones' }).click()
    await page.getByRole('menuitem', { name: 'Ampliar' }).click()
    await expect.poll(width).toBeGreaterThan(narrow + 300)
    await lead
      .getByRole('link', { name: `Pago ${late}` })
      .first()
      .click()
  })

  await test.step('an address leads to a payment on its page of the list, which is there to be used', async () => {
    await expect(page).toHaveURL(new RegExp(`/app/affiliate/payments\\?pago=${late}`))
    await expect(panel).toHaveAccessibleName(`Pago ${late}`)
    await expect(links).toHaveCount(10)
    await choose(page, 'Estado', 'Pagado')
    await expect(page.getByText('No hay pagos para los filtros seleccionados')).toBeVisible()
    await expect(panel.getByText(/ de 60$/)).toHaveCount(0)
    await panel.getByRole('button', { name: 'Cerrar' }).click()
    await expect(page).toHaveURL('/app/affiliate/payments?estado=paid')
  })

  await test.step('whoever has a tracking id or the number of a commission finds where its amount comes from', async () => {
    await page.getByRole('button', { name: 'Explicar un monto' }).click()
    const dialog = page.getByRole('dialog', { name: '¿De dónde sale?' })
    const field = dialog.getByRole('searchbox', { name: 'Tracking ID o número' })
    await field.fill('no es un número')
    await expect(dialog.getByText('No se encontró nada con ese número')).toBeVisible()
    await field.fill(String(entry.id))
    await expect(dialog.getByRole('button', { name: `Comisión ${entry.id}:` })).toBeVisible()
    await field.fill(tracking_id)
    await dialog.getByRole('button', { name: `Lead ${entry.lead_id}: ${pair.product.name}` }).click()
    await expect(dialog.getByText(/^\$1,500\.00 por 1 comisión del lead/)).toBeVisible()
    await dialog
      .getByRole('link', { name: `Pago ${late}` })
      .first()
      .click()
    await expect(dialog).toHaveCount(0)
  })

  await test.step('on a phone a payment fills the screen, and Back from a lead leads to it', async () => {
    await expect(panel).toHaveAccessibleName(`Pago ${late}`)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => panel.boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 844 })
    await panel.getByRole('link', { name: `Lead ${entry.lead_id}` }).click()
    await expect(page).toHaveURL(`/app/affiliate/leads?lead=${entry.lead_id}`)
    await page.goBack()
    await expect(panel.getByText('$1,500.00').first()).toBeVisible()
  })
})

test('the administrator copies, prints, edits and deletes a payment, from its row and from its panel', async ({
  page,
  signIn,
  db,
  pair,
  context,
}) => {
  const payment = await makePayment(db, pair.ids)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(() => {
    window.print = () => {
      document.documentElement.dataset.printed = document.title
      dispatchEvent(new Event('afterprint'))
    }
  })
  await signIn('admin')
  const panel = panelOf(page)
  const list = `/app/admin/payments?emisor=${pair.issuer.id}`

  await test.step('an address that names no payment says so', async () => {
    await page.goto(`${list}&pago=nada`)
    await expect(panel.getByText('Ese pago no existe')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)
    await expect(page).toHaveURL(list)
  })

  await test.step('a click on a button or a chosen text opens nothing', async () => {
    // What is above the list stands: it moves no more.
    await expect(page.getByText('Ninguna comisión ganada está sin pago.')).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'Acciones' })).toBeVisible()
    const cell = page.getByRole('cell', { name: pair.affiliate.company_name, exact: true })
    const name = cell.getByTitle(pair.affiliate.company_name)
    await name.hover()
    const box = await name.boundingBox()
    const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.move(x + 1, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width - 4, y + height / 2, { steps: 4 })
    await page.mouse.up()
    expect(await page.evaluate(() => String(getSelection()))).not.toBe('')
    await page.getByRole('button', { name: /^Editar pago/ }).click()
    const form = page.getByRole('dialog', { name: 'Editar Pago' })
    await expect(form).toBeVisible()
    await expect(page).not.toHaveURL(/pago=/)
    await form.getByRole('button', { name: 'Cancelar' }).click()
    await expect(form).toHaveCount(0)
  })

  await test.step('from its row a payment is copied, printed and deleted', async () => {
    const row = page.getByRole('table')
    await chooseAction(row, 'Copiar enlace')
    await expectToast(page, 'Enlace copiado al portapapeles')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(`/app/admin/payments?pago=${payment.id}`)
    await chooseAction(row, 'Imprimir')
    await expect(page.locator('html')).toHaveAttribute('data-printed', `Estado de pago ${payment.id}`)
    await page.getByRole('button', { name: `Más acciones del pago ${payment.id}` }).click()
    await expect(page.getByRole('separator')).toBeVisible()
    await page.getByRole('menuitem', { name: `Eliminar pago ${payment.id}` }).click()
    const question = page.getByRole('alertdialog', { name: 'Eliminar Pago' })
    await question.getByRole('button', { name: 'Cancelar' }).click()
    await expect(question).toHaveCount(0)
  })

  await test.step('from its panel it is edited and deleted', async () => {
    const act = async (name: string) => {
      await panel.getByRole('button', { name: 'Más acciones' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await linksOf(page).press('Enter')
    await act('Editar')
    const dialog = page.getByRole('dialog', { name: 'Editar Pago' })
    await dialog.getByLabel('Notas').fill('SPEI 7')
    await dialog.getByRole('button', { name: 'Actualizar' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(panel.getByText('SPEI 7')).toBeVisible()
    await act('Eliminar')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click()
    await expect(panel).toHaveCount(0)
    await expect(page).toHaveURL(list)
    await expect(linksOf(page)).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
  })
})
