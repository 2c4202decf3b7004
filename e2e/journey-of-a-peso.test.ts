import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { commissionEntries } from '#contract/commission-entries.ts'
import { issuers } from '#contract/issuers.ts'
import { payments } from '#contract/payments.ts'
import { rates } from '#contract/rates.ts'
import { rulings } from '#contract/rulings.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { tracking } from '#contract/tracking.ts'
import { makeCommission, makeLead, makePayingStep, makeStep } from '#db/factories.ts'
import { Api } from './api.ts'
import { factOf } from './facts.ts'
import { expect, test } from './fixtures.ts'
import { choose, expectRow } from './screen.ts'
import { readServed } from './server.ts'

/** Uploads what the bank says of a lead, has its rejection taken back, and applies it. */
async function reconcile(page: Page, trackingId: string): Promise<void> {
  await page.goto('/app/issuer/reconciliation')
  await page.getByLabel('Archivo de conciliación').setInputFiles({
    ...{ name: 'noviembre.csv', mimeType: 'text/csv' },
    buffer: Buffer.from(`Folio,Estatus\r\n${trackingId},Aprobada\r\n`),
  })
  await choose(page, 'Columna del lead', 'Folio')
  await page.getByRole('checkbox', { name: /^Reactivar los leads/ }).check()
  await page.getByRole('button', { name: 'Simular' }).click()
  await page.getByRole('button', { name: 'Aplicar 1 cambio' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Aplicar 1 cambio' }).click()
  await expect(page.getByText(/^Se aplicó 1 cambio/)).toBeVisible()
}

test('a peso is rejected, taken back by file, paid, explained to its row and put back; a rate begins at its moment', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { issuer, affiliate, product, relationship } = pair
  const commission = await makeCommission(db, pair.ids)
  await makePayingStep(db, { product_id: product.id, name: 'Tarjeta aprobada' })
  await makeStep(db, { product_id: product.id, event_type_id: 4, name: 'Rechazada' })
  const [first, second] = [await makeLead(db, pair.ids), await makeLead(db, pair.ids)]
  const bankPerson = await signIn('issuer', issuer)
  const { api_key: key = '' } = await bankPerson.call(issuers.rotateKey, { params: { id: issuer.id } })
  const bank = new Api(readServed().baseURL, { 'x-api-key': key })
  const approve = ({ tracking_id }: { tracking_id: string }) =>
    bank.call(tracking.storeEvent, { body: { tracking_id, event_type: 'aprobado' } })

  const from = Date.now() + 3_000
  const changed = { commission_id: commission.id, amount: '620.50', valid_from: new Date(from).toISOString() }
  await bankPerson.call(rates.create, { body: changed })
  await approve(first)
  await wait(from - Date.now() + 100)
  await approve(second)
  await bankPerson.call(rulings.reject, { params: { id: first.id }, body: { reason_code: 'buro' } })

  await signIn('affiliate', affiliate)
  await page.goto('/app/affiliate/commissions')
  await expectRow(page, { Estado: 'Revertida', 'Qué espera': /^Lead rechazado: Política de crédito/, Monto: '$500.00' })
  await expectRow(page, { Estado: 'Devengada', Monto: '$620.50' })
  await expect(
    page
      .getByText(/^2 comisiones · \$620\.50/)
      .or(page.getByText(/· \$620\.50/))
      .first(),
  ).toBeVisible()

  await signIn('issuer', issuer)
  await reconcile(page, first.tracking_id)

  const own = await signIn('affiliate', affiliate)
  await page.goto(`/app/affiliate/leads?lead=${first.id}`)
  const panel = page.getByRole('dialog', { name: /^Lead #/ })
  await expect(panel.getByRole('list', { name: 'Comisiones del lead' })).toContainText('Reactivada')

  const admin = await signIn('admin')
  const today = dateInMexico()
  const period = { relationship: relationship.id, period_start: addDays(today, -1), period_end: today }
  const { total_amount, total_leads, total_conversions } = await admin.call(payments.preview, { query: period })
  const form = { ...period, total_amount, total_leads, total_conversions, payment_date: today }
  const { id } = await admin.call(payments.create, { body: form })

  // One sum on every screen and in every answer.
  expect(total_amount).toBe('1120.50')
  expect((await own.call(commissionEntries.list, { query: { from: today, to: today } })).amount).toBe(total_amount)
  const [paid] = await own.call(payments.list)
  expect(paid).toMatchObject({ id, total_amount })
  await page.goto(`/app/admin/payments?emisor=${issuer.id}&pago=${id}`)
  const payment = page.getByRole('dialog', { name: /^Pago/ })
  await expect(payment).toContainText('$1,120.50')
  await signIn('issuer', issuer)
  await page.goto('/app/issuer/payments')
  await expectRow(page, { Monto: '$1,120.50' })
  await signIn('affiliate', affiliate)
  await page.goto('/app/affiliate/dashboard')
  await expect(factOf(page.getByRole('region', { name: 'Tus ganancias' }), 'En pago')).toContainText('$1,120.50')
  await page.goto('/app/affiliate/commissions')
  await expect(page.getByText(/· \$1,120\.50/).first()).toBeVisible()

  await signIn('issuer', issuer)
  await page.goto(`/app/issuer/payments?pago=${id}`)
  await page
    .getByRole('button', { name: new RegExp(`^¿De dónde sale\\? Comisión .* del lead ${first.id}`) })
    .first()
    .click()
  const origin = page.getByRole('dialog', { name: '¿De dónde sale?' })
  await expect(origin.getByRole('list', { name: 'Lo que pasó' })).toContainText('Renglón 2 de la conciliación')
  await expect(origin).toContainText('noviembre.csv')
  await page.keyboard.press('Escape')

  await page.goto('/app/issuer/reconciliation')
  await page.getByRole('link', { name: 'noviembre.csv' }).click()
  await page.getByRole('button', { name: 'Deshacer esta conciliación' }).click()
  await page.getByLabel('Por qué se deshace').fill('El banco mandó otro archivo')
  await page.getByRole('button', { name: 'Deshacer ahora' }).click()
  await expect(page.getByText('Esta conciliación se deshizo')).toBeVisible()
  await signIn('affiliate', affiliate)
  await page.goto('/app/affiliate/commissions')
  await expect(page.getByText(/· \$620\.50/).first()).toBeVisible()
})
