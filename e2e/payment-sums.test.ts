import type { Locator, Page } from '@playwright/test'
import { auth } from '#contract/auth.ts'
import { PAID_STAYS, PAYMENT_PAID } from '#contract/payment-texts.ts'
import { payments } from '#contract/payments.ts'
import { addDays, dateInMexico, dayFirst } from '#contract/time.ts'
import type { Db } from '#db/connect.ts'
import { makeAffiliate, makeEntry, makePayment, makeRelationship } from '#db/factories.ts'
import { factOf } from './facts.ts'
import { expect, forgetProof, PASSWORD, test } from './fixtures.ts'
import { choiceOf, choose, expectNoViolations, expectRow, expectToast, hold, openAction } from './screen.ts'

const field = (dialog: Locator, label: string) => dialog.getByLabel(label, { exact: true })
const reverse = (db: Db, { id }: { id: number }) =>
  db.updateTable('commission_entry').set({ state: 'reversed' }).where('id', '=', id).execute()

interface Named {
  issuer: { id: number; company_name: string }
  affiliate: { company_name: string }
}

/** 'Crear Pago' of a pair and the last seven days, calculated. */
async function calculateLastWeek(page: Page, { issuer, affiliate }: Named): Promise<Locator> {
  await page.goto(`/app/admin/payments?emisor=${issuer.id}`)
  await page.getByRole('button', { name: 'Crear Pago' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Crear Pago' })
  await choose(dialog, 'Relación', `${affiliate.company_name} - ${issuer.company_name}`)
  await field(dialog, 'Inicio del periodo').fill(dayFirst(addDays(dateInMexico(), -7)))
  await field(dialog, 'Fin del periodo').fill(dayFirst(dateInMexico()))
  await dialog.getByRole('button', { name: 'Calcular' }).click()
  return dialog
}

test('commissions that change while a payment is made are calculated again, and nothing typed is lost', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { lead_id } = await makeEntry(db, pair.ids, { amount: '1500.00' })
  const rejected = await makeEntry(db, pair.ids, { amount: '250.50', lead_id })
  await signIn('admin')
  const dialog = await calculateLastWeek(page, pair)
  await expect(field(dialog, 'Monto total (MXN)')).toHaveValue('1,750.50')
  await expect(dialog.getByText('2 comisiones devengadas de 1 lead: $1,750.50 MXN.')).toBeVisible()
  await field(dialog, 'Fecha de pago').fill(dayFirst(dateInMexico()))
  await field(dialog, 'Notas').fill('SPEI 2026')
  await reverse(db, rejected)
  const save = dialog.getByRole('button', { name: 'Crear', exact: true })
  await save.click()
  const stale = dialog.getByText('sumaban $1,750.50 y ahora suman $1,500.00. Calcula de nuevo.')
  await expect(stale).toBeInViewport()
  await expect(field(dialog, 'Motivo del ajuste')).toBeHidden()
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
  await row.getByRole('link', { name: /^Pago/ }).press('Enter')
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
  await row.getByTitle('Sus comisiones cambiaron').locator('svg').hover() // in sight, and whole
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
  const paid = await makePayment(db, pair.ids, { total_amount: '1000.00', calculated_amount: '1000.00' })
  const settled = { payment_id: paid.id, state: 'paid' }
  await db.updateTable('commission_entry').set(settled).where('id', '=', earned.id).execute()
  const status = { payment_status: 'paid', paid_at: new Date().toISOString() }
  await db.updateTable('payment').set(status).where('id', '=', paid.id).execute()
  await makeEntry(db, pair.ids, { amount: '-1000.00', reversal_of: earned.id, lead_id: earned.lead_id })
  await signIn('admin')
  const dialog = await calculateLastWeek(page, pair)
  await expect(
    dialog.getByText('Saldo en contra de $1,000.00; se descontará del siguiente pago', { exact: true }),
  ).toBeVisible()
  await expect(field(dialog, 'Monto total (MXN)')).toHaveValue('0.00')
  await expectNoViolations(page)
  await field(dialog, 'Fecha de pago').fill(dayFirst(dateInMexico()))
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  await expectToast(page, 'Pago creado exitosamente')
  await expectRow(page, { Monto: '$0.00' })
})

test('a payment whose commissions turned negative says what is booked, and that the balance stays', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const day = '2025-03-10T12:00:00Z'
  const february = { period_start: '2025-02-01', period_end: '2025-02-28', payment_status: 'paid' }
  const before = await makePayment(db, pair.ids, february)
  const payment = await makePayment(db, pair.ids, { total_amount: '100.00', calculated_amount: '100.00' })
  const put = (entry: { id: number }, payment_id: number, state: string) =>
    db.updateTable('commission_entry').set({ payment_id, state }).where('id', '=', entry.id).execute()
  const earned = await makeEntry(db, pair.ids, { amount: '400.00', earned_at: '2025-02-10T12:00:00Z' })
  await put(earned, before.id, 'paid')
  const debt = { amount: '-400.00', earned_at: day, reversal_of: earned.id, lead_id: earned.lead_id }
  await put(await makeEntry(db, pair.ids, debt), payment.id, 'in_payment')
  await put(await makeEntry(db, pair.ids, { amount: '500.00', earned_at: day }), payment.id, 'reversed')
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  const row = await expectRow(page, { Estado: 'Pendiente Sus comisiones cambiaron' })
  await row.getByRole('button', { name: /^Editar/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Editar Pago' })
  await choose(dialog, 'Estado', 'Pagado')
  await dialog.getByRole('button', { name: 'Actualizar' }).click()
  const balance = 'Saldo en contra de $400.00; se descontará del siguiente pago'
  await expect(dialog.getByText(balance, { exact: true })).toBeVisible()
  await expect(dialog.getByText('El monto agrega $100.00 a $0.00 en comisiones.')).toBeVisible()
  await choose(dialog, 'Estado', 'Pendiente')
  await expect(dialog.getByText(balance, { exact: true })).toBeHidden()
  await expect(field(dialog, 'Motivo del ajuste')).toBeHidden()
  await choose(dialog, 'Estado', 'Pagado')
  await expect(dialog.getByText(balance, { exact: true })).toBeVisible()
  // A total that is nothing needs its reason, too.
  await field(dialog, 'Monto total (MXN)').fill('0')
  await expect(dialog.getByText(/^El afiliado y el emisor leen por qué/)).toBeVisible()
  await field(dialog, 'Monto total (MXN)').fill('100')
  await field(dialog, 'Motivo del ajuste').fill('Ya se había transferido')
  await dialog.getByRole('button', { name: 'Actualizar' }).click()
  await expectToast(page, 'Saldo en contra')
  const saved = await expectRow(page, { Monto: '$100.00', Estado: /^Pagado$/, Periodo: /03\/2025/ })
  await saved.getByRole('link', { name: /^Pago/ }).press('Enter')
  const detail = page.getByRole('dialog', { name: `Pago ${payment.id}` })
  await expect(factOf(detail, 'Ajuste')).toContainText('$100.00 sobre $0.00 en comisiones')
})

test('the period of a payment is compared with those of its own pair, whosever its relationship is', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makePayment(db, pair.ids)
  const own = await makePayment(db, pair.ids, { period_start: '2025-03-20', period_end: '2025-04-10' })
  const other = await makeAffiliate(db)
  await db.updateTable('relationship').set({ affiliate_id: other.id }).where('id', '=', pair.relationship.id).execute()
  await makePayment(db, { ...pair.ids, affiliate_id: other.id })
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  const row = await expectRow(page, { Afiliado: pair.affiliate.company_name, Periodo: '01/03/2025 - 31/03/2025' })
  await row.getByRole('button', { name: /^Editar/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Editar Pago' })
  await expect(dialog.getByText(/Es el pago/)).toContainText(`Es el pago ${own.id}: 20/03/2025 - 10/04/2025`)
})

test('a paid payment is cancelled with a reason that all read, and not deleted', async ({ page, signIn, db, pair }) => {
  const payment = await makePayment(db, pair.ids, { payment_status: 'paid' })
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  const row = await expectRow(page, { Estado: 'Pagado' })
  const remove = await openAction(row, /^Eliminar/)
  await expect(remove).toContainText(PAYMENT_PAID)
  await expect(remove).toBeDisabled()
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: /^Editar/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Editar Pago' })
  await choose(dialog, 'Estado', 'Cancelado')
  await dialog.getByRole('button', { name: 'Actualizar' }).click()
  await expect(dialog.getByText('Explica por qué se cancela un pago que ya se pagó')).toBeVisible()
  await field(dialog, 'Motivo de la cancelación').fill('El banco devolvió la transferencia')
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
  }
})

test('a paid payment keeps whom and what it paid, and another total asks who it is', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makePayment(db, pair.ids, { payment_status: 'paid' })
  const { id } = await (await signIn('admin')).call(auth.profile)
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  const row = await expectRow(page, { Estado: 'Pagado' })
  await row.getByRole('button', { name: /^Editar/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Editar Pago' })
  const kept = [choiceOf(dialog, 'Relación'), field(dialog, 'Inicio del periodo'), field(dialog, 'Fin del periodo')]
  for (const one of kept) await expect(one).toBeDisabled()
  await expect(dialog.getByText(PAID_STAYS)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Calcular' })).toBeHidden()
  await expectNoViolations(page)
  await choose(dialog, 'Estado', 'Pendiente')
  for (const one of kept) await expect(one).toBeEnabled()
  await field(dialog, 'Fin del periodo').fill('30/03/2025')
  await choose(dialog, 'Estado', 'Pagado')
  await dialog.getByRole('button', { name: 'Actualizar' }).click()
  await expect(dialog.getByText(PAID_STAYS)).toHaveCount(2)
  await choose(dialog, 'Estado', 'Pendiente')
  await field(dialog, 'Fin del periodo').fill('31/03/2025')
  await choose(dialog, 'Estado', 'Pagado')
  await field(dialog, 'Monto total (MXN)').fill('1600')
  await forgetProof(db, id)
  await dialog.getByRole('button', { name: 'Actualizar' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirma que eres tú para continuar' })
  await confirm.getByLabel('Tu contraseña').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Pago actualizado exitosamente')
  await expectRow(page, { Monto: '$1,600.00', Estado: 'Pagado' })
})

test('what was earned and is in no payment is in sight, and a step from being paid', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeEntry(db, pair.ids, { amount: '370.00', earned_at: '2025-03-10T12:00:00Z' })
  const indebted = await makeAffiliate(db)
  const { id } = await makeRelationship(db, { affiliate_id: indebted.id, issuer_id: pair.issuer.id })
  const theirs = { ...pair.ids, relationship_id: id, affiliate_id: indebted.id }
  const earned = await makeEntry(db, theirs, { amount: '70.00', earned_at: '2025-03-10T12:00:00Z' })
  const settled = { payment_id: (await makePayment(db, theirs, { payment_status: 'paid' })).id, state: 'paid' }
  await db.updateTable('commission_entry').set(settled).where('id', '=', earned.id).execute()
  await makeEntry(db, theirs, { amount: '-70.00', reversal_of: earned.id, lead_id: earned.lead_id })
  await signIn('admin')
  await page.goto('/app/admin/dashboard')
  await page.getByRole('link', { name: 'Revisar pagos' }).click()
  await choose(page, 'Emisor', pair.issuer.company_name)
  const line = page.getByRole('region', { name: 'Comisiones sin pago' })
  await expect(line).toContainText('$300.00 en comisiones sin pago, de 2 relaciones')
  await line.getByRole('button', { name: 'Ver comisiones sin pago' }).click()
  const list = page.getByRole('dialog', { name: 'Comisiones sin pago' })
  const debt = await expectRow(list, { Afiliado: indebted.company_name, 'Sin pago': '-$70.00' })
  await expect(debt.getByRole('button')).toHaveAccessibleDescription(
    'Saldo en contra de $70.00; se descontará del siguiente pago',
  )
  const row = await expectRow(list, { Emisor: pair.issuer.company_name, Desde: '10/03/2025', 'Sin pago': '$370.00' })
  await expectNoViolations(page)
  await row.getByRole('button', { name: /^Crear pago de/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Crear Pago' })
  await expect(choiceOf(dialog, 'Relación')).toHaveValue(`${pair.affiliate.company_name} - ${pair.issuer.company_name}`)
  await expect(field(dialog, 'Inicio del periodo')).toHaveValue('10/03/2025')
  await expect(field(dialog, 'Fin del periodo')).toHaveValue(dayFirst(dateInMexico()))
  await dialog.getByRole('button', { name: 'Calcular' }).click()
  await expect(field(dialog, 'Monto total (MXN)')).toHaveValue('370.00')
  await field(dialog, 'Fecha de pago').fill(dayFirst(dateInMexico()))
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  await expectToast(page, 'Pago creado exitosamente')
  // While it covers the list no row has a role.
  await expect(dialog).toHaveCount(0)
  await expect(row).toHaveCount(0)
  await list.getByRole('button', { name: 'Cerrar', exact: true }).click()
  await expect(line).toContainText('-$70.00 en comisiones sin pago, de 1 relación')
  await choose(page, 'Afiliado', pair.affiliate.company_name)
  await expect(line).toContainText('Ninguna comisión ganada está sin pago.')
  // Calculated once more, the period says where its commissions are, and nothing that contradicts it.
  const again = await calculateLastWeek(page, pair)
  await field(again, 'Inicio del periodo').fill('10/03/2025')
  await again.getByRole('button', { name: 'Calcular' }).click()
  await expect(again.getByText(/ya incluye 1 comisión de este periodo/)).toBeVisible()
  // Others may be held or in validation.
  await expect(again.getByText(/^Ninguna otra se puede pagar en él\. Las que están en validación/)).toBeVisible()
})

test('what was calculated for one period is not paid for another, and what was typed stays', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeEntry(db, pair.ids, { amount: '1500.00' })
  await signIn('admin')
  const dialog = await calculateLastWeek(page, pair)
  const [leads, conversions, amount] = ['Total de leads', 'Total de conversiones', 'Monto total (MXN)'].map((label) =>
    field(dialog, label),
  ) as [Locator, Locator, Locator]
  await expect(amount).toHaveValue('1,500.00')
  await amount.fill('1600')
  await field(dialog, 'Inicio del periodo').fill('01/03/2025')
  await expect(leads).toHaveValue('')
  await expect(conversions).toHaveValue('')
  await expect(amount).toHaveValue('1,600.00')
  await expect(field(dialog, 'Motivo del ajuste')).toBeHidden()
  const calculate = dialog.getByRole('button', { name: 'Calcular' })
  await calculate.click()
  await expect(amount).toHaveValue('1,500.00')
  await field(dialog, 'Fin del periodo').fill('31/03/2025')
  await expect(amount).toHaveValue('')
  // An answer that comes when something else is asked already.
  await field(dialog, 'Fin del periodo').fill(dayFirst(dateInMexico()))
  const release = await hold(page, payments.preview)
  await calculate.click()
  await expect(dialog.getByRole('button', { name: 'Calculando...' })).toBeVisible()
  await field(dialog, 'Fin del periodo').fill('31/03/2025')
  release()
  await expect(calculate).toBeVisible()
  await expect(amount).toHaveValue('')
})
