import type { Page } from '@playwright/test'
import { commissions } from '#contract/commissions.ts'
import { notices } from '#contract/notices.ts'
import { payments } from '#contract/payments.ts'
import { products } from '#contract/products.ts'
import { makeCommission, makeIssuer, makeProduct, makeRelationship } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { callsOf, choose, expectNoViolations, expectRow, expectToast, hold } from './screen.ts'

const BELL = /^Avisos/

/** As the fan-out would have made it. */
async function tell(db: Parameters<Parameters<typeof test>[2]>[0]['db'], affiliateId: number, count: number) {
  const people = await db.selectFrom('user').select('id').where('affiliate_id', '=', affiliateId).execute()
  const row = { role: 'affiliate', company_id: affiliateId, type: 'device.new', in_product: true, mail: 'off' }
  for (const { id } of people)
    for (let each = 0; each < count; each++)
      await db
        .insertInto('notice')
        .values({
          ...row,
          user_id: id,
          occurrence_id: -each - 1,
          params: JSON.stringify({ detail: `Equipo ${each + 1}` }),
        })
        .execute()
}

/** Comes back to the page until something new is there. */
const untilTold = (page: Page) =>
  expect(async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await expect(page.getByRole('button', { name: 'Avisos, 1 sin leer' })).toBeVisible({ timeout: 1000 })
  }).toPass()

test('the bell says what happened, leads to it, and is quiet once all is read', async ({ page, db, pair, signIn }) => {
  await signIn('affiliate', pair.affiliate)
  await tell(db, pair.affiliate.id, 3)
  await page.goto('/app/affiliate/dashboard')
  const bell = page.getByRole('button', { name: 'Avisos, 3 sin leer' })
  await bell.click()
  const popup = page.getByRole('dialog', { name: 'Avisos' })
  const list = popup.getByRole('list', { name: 'Avisos' }).getByRole('listitem')
  await expect(list).toHaveCount(3)
  await expect(list.first()).toContainText('Inicio de sesión en un dispositivo nuevo: Equipo 3')
  await expectNoViolations(page)
  await list.first().getByRole('link').click()
  await expect(page).toHaveURL('/app/affiliate/settings')
  await expect(popup).toHaveCount(0)
  await page.getByRole('button', { name: 'Avisos, 2 sin leer' }).press('Enter')
  await popup.getByRole('button', { name: 'Marcar todo como leído' }).click()
  await expect(popup.getByRole('button', { name: 'Marcar todo como leído' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(popup).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Avisos', exact: true })).toBeFocused()
})

test('what happens while the screen is open shows when it is looked at again', async ({ page, pair, signIn }) => {
  await signIn('affiliate', pair.affiliate)
  const admin = await signIn('admin', undefined, await page.context().newPage())
  await page.goto('/app/affiliate/dashboard')
  await page.getByRole('button', { name: BELL }).click()
  const popup = page.getByRole('dialog', { name: 'Avisos' })
  await expect(popup.getByText('No tienes avisos')).toBeVisible()
  await page.getByRole('button', { name: BELL }).click()
  await expect(popup).toHaveCount(0)
  const { id, name } = pair.product
  await admin.call(products.update, { params: { id }, body: { product_status: 'inactive' } })
  await untilTold(page)
  await page.getByRole('button', { name: BELL }).click()
  await popup.getByRole('link', { name: `${name} está en pausa: sus enlaces no reciben clics` }).click()
  await expect(page).toHaveURL('/app/affiliate/products')
})

test('a new payment is there for who is told of it, though its list was loaded before', async ({
  page,
  pair,
  signIn,
}) => {
  await signIn('affiliate', pair.affiliate)
  const admin = await signIn('admin', undefined, await page.context().newPage())
  await page.goto('/app/affiliate/payments')
  await expect(page.getByText('No hay pagos registrados')).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Productos' }).first().click()
  await expect(page).toHaveURL('/app/affiliate/products')
  const { id } = await admin.call(payments.create, {
    body: {
      relationship: pair.relationship.id,
      ...{
        period_start: '2025-03-01',
        period_end: '2025-03-31',
        payment_date: '2025-04-04',
        payment_status: 'pending',
      },
      ...{ total_leads: 0, total_conversions: 0, total_amount: '120.00', notes: '' },
    },
  })
  await untilTold(page)
  await page.getByRole('button', { name: BELL }).click()
  await page
    .getByRole('dialog', { name: 'Avisos' })
    .getByRole('link', { name: /Nuevo pago por \$120\.00/ })
    .click()
  await expect(page).toHaveURL(`/app/affiliate/payments?pago=${id}`)
  const panel = page.getByRole('dialog', { name: `Pago ${id}` })
  await expect(panel.getByText('$120.00').first()).toBeVisible()
  await expect(page.locator('table').first()).toContainText('$120.00')
  await admin.call(payments.remove, { params: { id } })
  await page.reload()
  await expect(panel.getByText(`El pago ${id} no existe`)).toBeVisible()
})

test('another commission is on its product, though the products of another issuer were loaded before', async ({
  page,
  db,
  pair,
  signIn,
}) => {
  const first = await makeIssuer(db, { company_name: `Aval ${pair.issuer.id}` })
  await makeRelationship(db, { affiliate_id: pair.affiliate.id, issuer_id: first.id })
  await makeProduct(db, { issuer_id: first.id })
  const { id } = await makeCommission(db, pair.ids)
  await signIn('affiliate', pair.affiliate)
  const admin = await signIn('admin', undefined, await page.context().newPage())
  await page.goto('/app/affiliate/products')
  await choose(page, 'Emisor', pair.issuer.company_name)
  await expectRow(page, { Nombre: pair.product.name, Comisión: '$500.00' })
  await page.getByRole('navigation').getByRole('link', { name: 'Pagos' }).first().click()
  await expect(page).toHaveURL('/app/affiliate/payments')
  await admin.call(commissions.update, { params: { id }, body: { payout: '600' } })
  await untilTold(page)
  await page.getByRole('button', { name: BELL }).click()
  await page
    .getByRole('dialog', { name: 'Avisos' })
    .getByRole('link', { name: `Tu comisión de ${pair.product.name} es de $600.00` })
    .click()
  await expect(page).toHaveURL(`/app/affiliate/products?emisor=${pair.issuer.id}`)
  await expectRow(page, { Nombre: pair.product.name, Comisión: '$600.00' })
})

test('the bell loads, and says when it cannot', async ({ page, pair, signIn }) => {
  await signIn('affiliate', pair.affiliate)
  const release = await hold(page, notices.list)
  await page.goto('/app/affiliate/dashboard')
  await page.getByRole('button', { name: BELL }).click()
  const popup = page.getByRole('dialog', { name: 'Avisos' })
  await expect(popup.getByText('Cargando avisos...')).toBeVisible()
  release()
  await expect(popup.getByText('No tienes avisos')).toBeVisible()
  await page.route(`**${notices.list.path}`, (route) => route.fulfill({ status: 503, body: '{}' }))
  await page.reload()
  await page.getByRole('button', { name: BELL }).click()
  await expect(popup.getByText('No se pudieron cargar tus avisos')).toBeVisible()
  await page.unroute(`**${notices.list.path}`)
  await popup.getByRole('button', { name: 'Reintentar' }).click()
  await expect(popup.getByText('No tienes avisos')).toBeVisible()
})

test('each chooses what to hear of; what is of security stays', async ({ page, pair, signIn }) => {
  const api = await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/settings')
  const line = (name: string) =>
    page.getByRole('list', { name: 'Avisos' }).getByRole('listitem').filter({ hasText: name })
  await expect(line('Claves cambiadas')).toContainText('es de seguridad')
  await expect(line('Claves cambiadas').getByRole('checkbox')).toHaveCount(0)
  await expect(page.getByText('El correo no está configurado en esta instalación')).toBeVisible()
  const paid = page.getByRole('checkbox', { name: 'Pagos realizados: en Afluente' })
  await expect(paid).toBeChecked()
  const release = await hold(page, notices.choices)
  await paid.click()
  await expectToast(page, 'Preferencia guardada')
  await expect(paid).not.toBeChecked()
  release()
  await page.reload()
  await expect(paid).not.toBeChecked()
  const { choices } = await api.call(notices.choices)
  expect(choices.find(({ type }) => type === 'payment.paid')).toMatchObject({ in_product: false, mail: 'now' })
})

test('what is chosen while another choice is being saved is saved after it, also once the screen is left', async ({
  page,
  pair,
  signIn,
}) => {
  const api = await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/settings')
  const paid = page.getByRole('checkbox', { name: 'Pagos realizados: en Afluente' })
  await expect(paid).toBeChecked()
  const calls = callsOf(page, notices.choose)
  const release = await hold(page, notices.choose)
  for (const checked of [false, true, false]) {
    await paid.click()
    await expect(paid).toBeChecked({ checked })
  }
  expect(calls).toHaveLength(1)
  await page.getByRole('navigation').getByRole('link', { name: 'Productos' }).first().click()
  await expect(page).toHaveURL('/app/affiliate/products')
  release()
  await expect.poll(() => calls).toHaveLength(3)
  const saved = async () =>
    (await api.call(notices.choices)).choices.find(({ type }) => type === 'payment.paid')?.in_product
  await expect.poll(saved).toBe(false)
  await page.goBack()
  await expect(paid).not.toBeChecked()
})
