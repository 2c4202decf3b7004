import type { Page } from '@playwright/test'
import { commissions } from '#contract/commissions.ts'
import { notices } from '#contract/notices.ts'
import { payments } from '#contract/payments.ts'
import type { Db } from '#db/connect.ts'
import { makeCommission, makeIssuer, makeProduct, makeRelationship } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { callsOf, choose, expectRow, expectToast, hold } from './screen.ts'

/** As the fan-out would have made it. */
async function tell(db: Db, affiliateId: number, count: number): Promise<void> {
  const people = await db.selectFrom('user').select('id').where('affiliate_id', '=', affiliateId).execute()
  const row = { role: 'affiliate', company_id: affiliateId, type: 'device.new', in_product: true, mail: 'off' }
  const notices = people.flatMap(({ id: user_id }) =>
    Array.from({ length: count }, (_, each) => ({
      ...{ ...row, user_id, occurrence_id: -each - 1 },
      params: JSON.stringify({ detail: `Equipo ${each + 1}` }),
    })),
  )
  await db.insertInto('notice').values(notices).execute()
}

const bellOf = (page: Page) => page.getByRole('button', { name: /^Avisos/ })

/** Comes back to the page until something new is there. */
const untilTold = (page: Page) =>
  expect(async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await expect(page.getByRole('button', { name: 'Avisos, 1 sin leer' })).toBeVisible({ timeout: 1000 })
  }).toPass()

const goTo = (page: Page, screen: string) =>
  page.getByRole('navigation').getByRole('link', { name: screen }).first().click()

test('an affiliate is told what happens, follows it to what is new, and chooses what to hear of', async ({
  page,
  db,
  pair,
  signIn,
}) => {
  const { product, issuer, affiliate } = pair
  const first = await makeIssuer(db, { company_name: `Aval ${issuer.id}` })
  await makeRelationship(db, { affiliate_id: affiliate.id, issuer_id: first.id })
  await makeProduct(db, { issuer_id: first.id })
  const { id: commissionId } = await makeCommission(db, pair.ids)
  const admin = await signIn('admin')
  const api = await signIn('affiliate', affiliate)
  const bell = bellOf(page)
  const popup = page.getByRole('dialog', { name: 'Avisos' })

  await test.step('the bell loads, and nothing is there', async () => {
    const release = await hold(page, notices.list)
    await page.goto('/app/affiliate/products')
    await bell.click()
    await expect(popup.getByText('Cargando avisos...')).toBeVisible()
    release()
    await expect(popup.getByText('No tienes avisos')).toBeVisible()
    await bell.click()
    await expect(popup).toHaveCount(0)
  })

  await test.step('another commission is on its product, though the list was loaded before', async () => {
    await choose(page, 'Emisor', issuer.company_name)
    await expectRow(page, { Nombre: product.name, Comisión: '$500.00' })
    await goTo(page, 'Pagos')
    await expect(page.getByText('No hay pagos registrados')).toBeVisible()
    await admin.call(commissions.update, { params: { id: commissionId }, body: { payout: '600' } })
    await untilTold(page)
    await bell.click()
    await popup.getByRole('link', { name: `Tu comisión de ${product.name} es de $600.00` }).click()
    await expect(page).toHaveURL(`/app/affiliate/products?emisor=${issuer.id}`)
    await expectRow(page, { Nombre: product.name, Comisión: '$600.00' })
  })

  await test.step('a payment is open in its list, which was empty before; once deleted it is said to be gone', async () => {
    const days = { period_start: '2025-03-01', period_end: '2025-03-31', payment_date: '2025-04-04' }
    const sums = { total_leads: 0, total_conversions: 0, total_amount: '120.00' }
    const form = { relationship: pair.relationship.id, payment_status: 'pending', notes: '' }
    const { id } = await admin.call(payments.create, { body: { ...form, ...days, ...sums } })
    await untilTold(page)
    await bell.click()
    await popup.getByRole('link', { name: /Nuevo pago por \$120\.00/ }).click()
    await expect(page).toHaveURL(`/app/affiliate/payments?pago=${id}`)
    const panel = page.getByRole('dialog', { name: `Pago ${id}` })
    await expect(panel.getByText('$120.00').first()).toBeVisible()
    await expect(page.locator('table').first()).toContainText('$120.00')
    await admin.call(payments.remove, { params: { id } })
    await expect.poll(async () => (await api.call(notices.list)).unread).toBe(1)
    await tell(db, affiliate.id, 3)
    await page.route(`**${notices.list.path}`, (route) => route.fulfill({ status: 503, body: '{}' }))
    await page.reload()
    await expect(panel.getByText(`El pago ${id} no existe`)).toBeVisible()
    await panel.getByRole('button', { name: 'Cerrar' }).first().click()
  })

  await test.step('it says when it cannot load; what is read is quiet, one by one or all at once', async () => {
    await bell.click()
    await expect(popup.getByText('No se pudieron cargar tus avisos')).toBeVisible()
    await page.unroute(`**${notices.list.path}`)
    await popup.getByRole('button', { name: 'Reintentar' }).click()
    const list = popup.getByRole('list', { name: 'Avisos' }).getByRole('listitem')
    await expect(list.first()).toContainText('Inicio de sesión en un dispositivo nuevo: Equipo 3')
    await expect(page.getByRole('button', { name: 'Avisos, 4 sin leer' })).toBeAttached()
    await list.first().getByRole('link').click()
    await expect(page).toHaveURL('/app/affiliate/settings')
    await expect(popup).toHaveCount(0)
    await page.getByRole('button', { name: 'Avisos, 3 sin leer' }).press('Enter')
    await popup.getByRole('button', { name: 'Marcar todo como leído' }).click()
    await expect(popup.getByRole('button', { name: 'Marcar todo como leído' })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(popup).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Avisos', exact: true })).toBeFocused()
  })

  const paid = page.getByRole('checkbox', { name: 'Pagos realizados: en Afluente' })
  const choiceOfPaid = async () => (await api.call(notices.choices)).choices.find(({ type }) => type === 'payment.paid')

  await test.step('what is chosen shows at once and stays', async () => {
    await expect(page.getByText('El correo no está configurado en esta instalación')).toBeVisible()
    await expect(paid).toBeChecked()
    const release = await hold(page, notices.choices)
    await paid.click()
    await expectToast(page, 'Preferencia guardada')
    await expect(paid).not.toBeChecked()
    release()
    await expect.poll(choiceOfPaid).toMatchObject({ in_product: false, mail: 'now' })
  })

  await test.step('what is chosen while another choice is saved is saved after it, also once the screen is left', async () => {
    const calls = callsOf(page, notices.choose)
    const release = await hold(page, notices.choose)
    for (const checked of [true, false, true]) {
      await paid.click()
      await expect(paid).toBeChecked({ checked })
    }
    await goTo(page, 'Productos')
    await expect(page).toHaveURL(/\/app\/affiliate\/products/)
    await expect.poll(() => calls).toHaveLength(1)
    release()
    await expect.poll(() => calls).toHaveLength(3)
    await expect.poll(async () => (await choiceOfPaid())?.in_product).toBe(true)
    await page.goBack()
    await expect(paid).toBeChecked()
  })
})
