import type { Locator } from '@playwright/test'
import { payments } from '#contract/payments.ts'
import { addDays, dateInMexico, dayFirst } from '#contract/time.ts'
import { type Ids, makeAffiliate, makeEntry, makePayment, makeRelationship } from '#db/factories.ts'
import { factOf } from './facts.ts'
import { expect, test } from './fixtures.ts'
import { choose, expectRow, expectToast, hold } from './screen.ts'

const MARCH = '2025-03-10T12:00:00Z'
const field = (dialog: Locator, label: string) => dialog.getByLabel(label, { exact: true })

test('a payment is of the commissions that it was calculated from, and what changed since is decided by a person', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const partner = async () => {
    const affiliate = await makeAffiliate(db)
    const { id } = await makeRelationship(db, { affiliate_id: affiliate.id, issuer_id: pair.issuer.id })
    return { affiliate, ids: { ...pair.ids, relationship_id: id, affiliate_id: affiliate.id } }
  }
  const put = (entry: { id: number }, payment_id: number | null, state: string) =>
    db.updateTable('commission_entry').set({ payment_id, state }).where('id', '=', entry.id).execute()
  const settle = (payment: { id: number }) => {
    const paid = { payment_status: 'paid', paid_at: new Date().toISOString() }
    return db.updateTable('payment').set(paid).where('id', '=', payment.id).execute()
  }
  const pay = (ids: Ids, total: string, columns = {}) =>
    makePayment(db, ids, { total_amount: total, calculated_amount: total, ...columns })

  const { lead_id } = await makeEntry(db, pair.ids, { amount: '1500.00' })
  const late = await makeEntry(db, pair.ids, { amount: '250.50', lead_id })

  const rejected = await partner()
  const fewer = await pay(rejected.ids, '900.00')
  await put(await makeEntry(db, rejected.ids, { amount: '600.00', earned_at: MARCH }), fewer.id, 'in_payment')
  await put(await makeEntry(db, rejected.ids, { amount: '300.00', earned_at: MARCH }), fewer.id, 'reversed')

  const indebted = await partner()
  const earned = await makeEntry(db, indebted.ids, { amount: '1000.00', earned_at: MARCH })
  const before = await pay(indebted.ids, '1000.00')
  await put(earned, before.id, 'paid')
  await settle(before)
  await makeEntry(db, indebted.ids, { amount: '-1000.00', reversal_of: earned.id, lead_id: earned.lead_id })

  const turned = await partner()
  const february = await pay(turned.ids, '400.00', { period_start: '2025-02-01', period_end: '2025-02-28' })
  const first = await makeEntry(db, turned.ids, { amount: '400.00', earned_at: '2025-02-10T12:00:00Z' })
  await put(first, february.id, 'paid')
  await settle(february)
  const negative = await pay(turned.ids, '100.00')
  const debt = { amount: '-400.00', earned_at: MARCH, reversal_of: first.id, lead_id: first.lead_id }
  await put(await makeEntry(db, turned.ids, debt), negative.id, 'in_payment')
  await put(await makeEntry(db, turned.ids, { amount: '500.00', earned_at: MARCH }), negative.id, 'reversed')

  const [moved, next] = [await partner(), await makeAffiliate(db)]
  await makePayment(db, moved.ids)
  const beside = await makePayment(db, moved.ids, { period_start: '2025-03-20', period_end: '2025-04-10' })
  const toNext = { affiliate_id: next.id }
  await db.updateTable('relationship').set(toNext).where('id', '=', moved.ids.relationship_id).execute()
  await makePayment(db, { ...moved.ids, ...toNext })

  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  const [dialog, edit] = [
    page.getByRole('dialog', { name: 'Crear Pago' }),
    page.getByRole('dialog', { name: 'Editar Pago' }),
  ]
  const amount = field(dialog, 'Monto total (MXN)')
  const save = dialog.getByRole('button', { name: 'Crear', exact: true })
  const calculate = dialog.getByRole('button', { name: 'Calcular', exact: true })
  const [weekAgo, today] = [dayFirst(addDays(dateInMexico(), -7)), dayFirst(dateInMexico())]
  const calculateLastWeek = async ({ company_name }: { company_name: string }) => {
    await page.getByRole('button', { name: 'Crear Pago' }).first().click()
    await choose(dialog, 'Relación', `${company_name} - ${pair.issuer.company_name}`)
    await field(dialog, 'Inicio del periodo').fill(weekAgo)
    await field(dialog, 'Fin del periodo').fill(today)
    await calculate.click()
  }
  const editOf = async ({ company_name }: { company_name: string }, cells: Record<string, string>) => {
    const row = await expectRow(page, { Afiliado: company_name, ...cells })
    await row.getByRole('button', { name: /^Editar/ }).click()
  }
  const adjustmentOf = async (row: Locator) => {
    await row.getByRole('link', { name: /^Pago/ }).press('Enter')
    return factOf(page.getByRole('dialog', { name: /^Pago \d+$/ }), 'Ajuste')
  }

  await test.step('what was calculated for one period is not paid for another, and what was typed stays', async () => {
    await calculateLastWeek(pair.affiliate)
    await expect(amount).toHaveValue('1,750.50')
    await amount.fill('1600')
    await field(dialog, 'Inicio del periodo').fill('01/03/2025')
    await expect(field(dialog, 'Total de leads')).toHaveValue('')
    await expect(field(dialog, 'Total de conversiones')).toHaveValue('')
    await expect(amount).toHaveValue('1,600.00')
    await expect(field(dialog, 'Motivo del ajuste')).toBeHidden()
    await calculate.click()
    await expect(amount).toHaveValue('1,750.50')
    await field(dialog, 'Fin del periodo').fill('31/03/2025')
    await expect(amount).toHaveValue('')
    // An answer that comes when something else is asked already.
    await field(dialog, 'Fin del periodo').fill(today)
    const release = await hold(page, payments.preview)
    await calculate.click()
    await expect(dialog.getByRole('button', { name: 'Calculando...' })).toBeVisible()
    await field(dialog, 'Fin del periodo').fill('31/03/2025')
    release()
    await expect(calculate).toBeVisible()
    await expect(amount).toHaveValue('')
  })

  await test.step('commissions that change meanwhile are calculated again, and nothing typed is lost', async () => {
    await field(dialog, 'Inicio del periodo').fill(weekAgo)
    await field(dialog, 'Fin del periodo').fill(today)
    await calculate.click()
    await expect(amount).toHaveValue('1,750.50')
    await field(dialog, 'Fecha de pago').fill(today)
    await field(dialog, 'Notas').fill('SPEI 2026')
    await put(late, null, 'reversed')
    await save.click()
    const stale = dialog.getByText('sumaban $1,750.50 y ahora suman $1,500.00. Calcula de nuevo.')
    await expect(stale).toBeInViewport()
    await expect(field(dialog, 'Motivo del ajuste')).toBeHidden()
    // Told above the dialog, too, not below its shade.
    await page
      .getByRole('region', { name: /^Notifications/ })
      .getByText('Calcula de nuevo.')
      .hover()
    await dialog.getByRole('button', { name: 'Calcular de nuevo' }).click()
    await expect(amount).toHaveValue('1,500.00')
    await expect(stale).toBeHidden()
    await expect(field(dialog, 'Notas')).toHaveValue('SPEI 2026')
    await expect(field(dialog, 'Motivo del ajuste')).toBeHidden()
  })

  await test.step('another total is explained, and read with its reason', async () => {
    await amount.fill('1600')
    await expect(dialog.getByText('El monto agrega $100.00 a $1,500.00 en comisiones.')).toBeVisible()
    await field(dialog, 'Motivo del ajuste').fill('Bono por volumen')
    await save.click()
    await expectToast(page, 'Pago creado exitosamente')
    const adjustment = await adjustmentOf(await expectRow(page, { Monto: '$1,600.00', Estado: 'Pendiente' }))
    await expect(adjustment).toContainText('$100.00 sobre $1,500.00 en comisiones, capturado a propósito')
    await expect(adjustment).toContainText('Bono por volumen')
    await page.keyboard.press('Escape')
  })

  await test.step('a payment whose commissions were rejected is paid by who reads both sums and says why', async () => {
    await page.getByTitle('Sus comisiones cambiaron').locator('svg').first().hover() // in sight, and whole
    await editOf(rejected.affiliate, { Estado: 'Pendiente Sus comisiones cambiaron' })
    await expect(edit.getByText('sumaban $900.00 y ahora suman $600.00.')).toBeVisible()
    await choose(edit, 'Estado', 'Pagado')
    await edit.getByRole('button', { name: 'Actualizar' }).click()
    await expect(edit.getByText('Calcula de nuevo, o explica por qué se paga así.')).toBeVisible()
    await field(edit, 'Motivo del ajuste').fill('El banco ya depositó')
    await edit.getByRole('button', { name: 'Actualizar' }).click()
    await expectToast(page, 'Pago actualizado exitosamente')
    await expectRow(page, { Afiliado: rejected.affiliate.company_name, Estado: /^Pagado$/ })
  })

  await test.step('a balance against the affiliate is said, and nothing is offered that cannot be saved', async () => {
    await calculateLastWeek(indebted.affiliate)
    const balance = 'Saldo en contra de $1,000.00; se descontará del siguiente pago'
    await expect(dialog.getByText(balance, { exact: true })).toBeVisible()
    await expect(amount).toHaveValue('0.00')
    await field(dialog, 'Fecha de pago').fill(today)
    await save.click()
    await expectRow(page, { Afiliado: indebted.affiliate.company_name, Monto: '$0.00' })
  })

  await test.step('one whose commissions turned negative says what is booked, and that the balance stays', async () => {
    await editOf(turned.affiliate, { Estado: 'Pendiente Sus comisiones cambiaron' })
    await choose(edit, 'Estado', 'Pagado')
    await edit.getByRole('button', { name: 'Actualizar' }).click()
    const balance = edit.getByText('Saldo en contra de $400.00; se descontará del siguiente pago', { exact: true })
    await expect(balance).toBeVisible()
    await expect(edit.getByText('El monto agrega $100.00 a $0.00 en comisiones.')).toBeVisible()
    await choose(edit, 'Estado', 'Pendiente')
    await expect(balance).toBeHidden()
    await expect(field(edit, 'Motivo del ajuste')).toBeHidden()
    await choose(edit, 'Estado', 'Pagado')
    await expect(balance).toBeVisible()
    // A total that is nothing needs its reason, too.
    await field(edit, 'Monto total (MXN)').fill('0')
    await expect(edit.getByText(/^El afiliado y el emisor leen por qué/)).toBeVisible()
    await field(edit, 'Monto total (MXN)').fill('100')
    await field(edit, 'Motivo del ajuste').fill('Ya se había transferido')
    await edit.getByRole('button', { name: 'Actualizar' }).click()
    await expectToast(page, 'Saldo en contra')
    const cells = { Afiliado: turned.affiliate.company_name, Monto: '$100.00', Estado: /^Pagado$/ }
    await expect(await adjustmentOf(await expectRow(page, cells))).toContainText('$100.00 sobre $0.00 en comisiones')
    await page.keyboard.press('Escape')
  })

  await test.step('a period is compared with those of its own pair, whosever its relationship is', async () => {
    await editOf(moved.affiliate, { Periodo: '01/03/2025 - 31/03/2025' })
    await expect(edit.getByText(/Es el pago/)).toContainText(`Es el pago ${beside.id}: 20/03/2025 - 10/04/2025`)
  })
})
