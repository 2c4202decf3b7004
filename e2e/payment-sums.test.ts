import type { Locator } from '@playwright/test'
import { PAYMENT_PAID } from '#contract/payment-texts.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import type { Db } from '#db/connect.ts'
import { makeEntry, makePayment } from '#db/factories.ts'
import { factOf } from './facts.ts'
import { expect, test } from './fixtures.ts'
import { choose, expectNoViolations, expectRow, expectToast } from './screen.ts'

const today = dateInMexico()
const typed = (date: string): string => date.split('-').reverse().join('/')
const field = (dialog: Locator, label: string) => dialog.getByLabel(label, { exact: true })
const reverse = (db: Db, { id }: { id: number }) =>
  db.updateTable('commission_entry').set({ state: 'reversed' }).where('id', '=', id).execute()

test('commissions that change while a payment is made are calculated again, and nothing typed is lost', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeEntry(db, pair.ids, { amount: '1500.00' })
  const rejected = await makeEntry(db, pair.ids, { amount: '250.50' })
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  await page.getByRole('button', { name: 'Crear Pago' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Crear Pago' })
  await choose(dialog, 'Relación', `${pair.affiliate.company_name} - ${pair.issuer.company_name}`)
  await field(dialog, 'Inicio del periodo').fill(typed(addDays(today, -7)))
  await field(dialog, 'Fin del periodo').fill(typed(today))
  await dialog.getByRole('button', { name: 'Calcular' }).click()
  await expect(field(dialog, 'Monto total (MXN)')).toHaveValue('1,750.50')
  await field(dialog, 'Fecha de pago').fill(typed(today))
  await field(dialog, 'Notas').fill('SPEI 2026')
  await reverse(db, rejected)
  const save = dialog.getByRole('button', { name: 'Crear', exact: true })
  await save.click()
  const stale = dialog.getByText('sumaban $1,750.50 y ahora suman $1,500.00. Calcula de nuevo.')
  await expect(stale).toBeInViewport()
  // Told above the dialog, too, not below its shade.
  await page
    .getByRole('region', { name: /^Notifications/ })
    .getByText('Calcula de nuevo.')
    .hover()
  await expectNoViolations(page)
  await dialog.getByRole('button', { name: 'Calcular de nuevo' }).click()
  await expect(field(dialog, 'Monto total (MXN)')).toHaveValue('1,500.00')
  await expect(stale).toBeHidden()
  await expect(field(dialog, 'Notas')).toHaveValue('SPEI 2026')
  await expect(field(dialog, 'Motivo del ajuste')).toBeHidden()
  await field(dialog, 'Monto total (MXN)').fill('1600')
  await expect(dialog.getByText('El monto agrega $100.00 a $1,500.00 en comisiones.')).toBeVisible()
  await field(dialog, 'Motivo del ajuste').fill('Bono por volumen')
  await save.click()
  await expectToast(page, 'Pago creado exitosamente')
  const row = await expectRow(page, { Monto: '$1,600.00', Estado: 'Pendiente' })
  await row.getByRole('button', { name: /^Ver/ }).click()
  const detail = page.getByRole('dialog', { name: /^Pago \d+$/ })
  await expect(factOf(detail, 'Ajuste')).toContainText('$100.00 sobre $1,500.00 en comisiones, capturado a propósito')
  await expect(factOf(detail, 'Ajuste')).toContainText('Bono por volumen')
})

test('a payment whose commissions were rejected is paid by who reads both sums and says why', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const payment = await makePayment(db, pair.ids, { total_amount: '900.00', calculated_amount: '900.00' })
  for (const amount of ['600.00', '300.00']) {
    const { id } = await makeEntry(db, pair.ids, { amount, earned_at: '2025-03-10T12:00:00Z' })
    const held = { payment_id: payment.id, state: amount === '600.00' ? 'in_payment' : 'reversed' }
    await db.updateTable('commission_entry').set(held).where('id', '=', id).execute()
  }
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  const row = await expectRow(page, { Estado: 'Pendiente Sus comisiones cambiaron' })
  await row.getByRole('button', { name: /^Editar/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Editar Pago' })
  await expect(dialog.getByText('sumaban $900.00 y ahora suman $600.00.')).toBeVisible()
  await choose(dialog, 'Estado', 'Pagado')
  await dialog.getByRole('button', { name: 'Actualizar' }).click()
  await expect(dialog.getByText('Calcula de nuevo, o explica por qué se paga así.')).toBeVisible()
  await expectNoViolations(page)
  await field(dialog, 'Motivo del ajuste').fill('El banco ya depositó')
  await dialog.getByRole('button', { name: 'Actualizar' }).click()
  await expectToast(page, 'Pago actualizado exitosamente')
  await expectRow(page, { Estado: /^Pagado$/ })
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/payments')
  await page.getByRole('button', { name: `Ver pago ${payment.id}` }).click()
  const detail = page.getByRole('dialog', { name: `Pago ${payment.id}` })
  await expect(factOf(detail, 'Ajuste')).toContainText('$300.00 sobre $600.00 en comisiones')
  await expect(factOf(detail, 'Ajuste')).toContainText('El banco ya depositó')
})

test('a balance against the affiliate is said, and nothing is offered that cannot be saved', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const earned = await makeEntry(db, pair.ids, { amount: '1000.00', earned_at: '2025-03-10T12:00:00Z' })
  const paid = await makePayment(db, pair.ids, {
    ...{ payment_status: 'paid', total_amount: '1000.00', calculated_amount: '1000.00' },
  })
  const settled = { payment_id: paid.id, state: 'paid' }
  await db.updateTable('commission_entry').set(settled).where('id', '=', earned.id).execute()
  await makeEntry(db, pair.ids, { amount: '-1000.00', reversal_of: earned.id, lead_id: earned.lead_id })
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  await page.getByRole('button', { name: 'Crear Pago' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Crear Pago' })
  await choose(dialog, 'Relación', `${pair.affiliate.company_name} - ${pair.issuer.company_name}`)
  await field(dialog, 'Inicio del periodo').fill(typed(addDays(today, -7)))
  await field(dialog, 'Fin del periodo').fill(typed(today))
  await dialog.getByRole('button', { name: 'Calcular' }).click()
  await expect(
    dialog.getByText('Saldo en contra de $1,000.00; se descontará del siguiente pago', { exact: true }),
  ).toBeVisible()
  await expect(field(dialog, 'Monto total (MXN)')).toHaveValue('0.00')
  await expectNoViolations(page)
  await field(dialog, 'Fecha de pago').fill(typed(today))
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  await expectToast(page, 'Pago creado exitosamente')
  await expectRow(page, { Monto: '$0.00' })
})

test('a paid payment is cancelled with a reason that all read, and not deleted', async ({ page, signIn, db, pair }) => {
  const payment = await makePayment(db, pair.ids, { payment_status: 'paid' })
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  const row = await expectRow(page, { Estado: 'Pagado' })
  const remove = row.getByRole('button', { name: /^Eliminar/ })
  await expect(remove).toHaveAccessibleDescription(PAYMENT_PAID)
  await row.getByRole('button', { name: /^Editar/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Editar Pago' })
  await choose(dialog, 'Estado', 'Cancelado')
  await dialog.getByRole('button', { name: 'Actualizar' }).click()
  await expect(dialog.getByText('Explica por qué se cancela un pago que ya se pagó')).toBeVisible()
  await field(dialog, 'Motivo de la cancelación').fill('El banco devolvió la transferencia')
  await expectNoViolations(page)
  await dialog.getByRole('button', { name: 'Actualizar' }).click()
  await expectRow(page, { Estado: 'Cancelado El banco devolvió la transferencia' })
  for (const [role, company] of [
    ['issuer', pair.issuer],
    ['affiliate', pair.affiliate],
  ] as const) {
    await signIn(role, company)
    await page.goto(`/app/${role}/payments`)
    await expectRow(page, { Estado: 'Cancelado El banco devolvió la transferencia' })
    await page.getByRole('button', { name: `Ver pago ${payment.id}` }).click()
    const detail = page.getByRole('dialog', { name: `Pago ${payment.id}` })
    await expect(factOf(detail, 'Motivo de la cancelación')).toHaveText('El banco devolvió la transferencia')
    await expect(factOf(detail, 'Se había pagado')).toBeVisible()
    await expectNoViolations(page)
  }
})
