import { addDays, dateInMexico, dayFirst } from '#contract/time.ts'
import { makeAffiliate, makeEntry, makeRelationship } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { choose, expectNoViolations, expectRow, expectToast } from './screen.ts'

test('one relationship after the other is paid from the list, which stays as it was sorted', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const earned_at = '2025-03-10T12:00:00Z'
  await makeEntry(db, pair.ids, { amount: '300.00', earned_at })
  for (const amount of ['200.00', '100.00']) {
    const affiliate = await makeAffiliate(db)
    const { id } = await makeRelationship(db, { affiliate_id: affiliate.id, issuer_id: pair.issuer.id })
    await makeEntry(db, { ...pair.ids, relationship_id: id, affiliate_id: affiliate.id }, { amount, earned_at })
  }
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  await page.getByRole('button', { name: 'Ver comisiones sin pago' }).click()
  const list = page.getByRole('dialog', { name: 'Comisiones sin pago' })
  const rows = list.getByRole('row')
  await list.getByRole('button', { name: 'Sin pago', exact: true }).click()
  await expect(rows).toHaveText([/Sin pago/, /\$100\.00/, /\$200\.00/, /\$300\.00/])

  const pay = rows.getByRole('button', { name: /^Crear pago de/ })
  await pay.first().click()
  const dialog = page.getByRole('dialog', { name: 'Crear Pago' })
  await dialog.getByRole('button', { name: 'Calcular' }).click()
  await expect(dialog.getByLabel('Monto total (MXN)', { exact: true })).toHaveValue('100.00')
  await dialog.getByLabel('Fecha de pago', { exact: true }).fill(dayFirst(dateInMexico()))
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  await expectToast(page, 'Pago creado exitosamente')
  await expect(dialog).toHaveCount(0)
  await expect(rows).toHaveText([/Sin pago/, /\$200\.00/, /\$300\.00/])

  await pay.first().dblclick()
  await expect(dialog.getByLabel('Fecha de pago', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(rows).toHaveText([/Sin pago/, /\$200\.00/, /\$300\.00/])
})

test('what cannot be paid yet is told in the list, and a calculation without it says why', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeEntry(db, pair.ids, { amount: '1200.00', due_on: addDays(dateInMexico(), 30) })
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  await expect(page.getByRole('region', { name: 'Comisiones sin pago' })).toContainText(
    '$1,200.00 en comisiones sin pago, de 1 relación; de ello, $1,200.00 aún no se puede pagar',
  )
  await page.getByRole('button', { name: 'Ver comisiones sin pago' }).click()
  const list = page.getByRole('dialog', { name: 'Comisiones sin pago' })
  const row = await expectRow(list, { 'De ello aún no pagable': '$1,200.00', 'Sin pago': '$1,200.00' })
  await expect(row.getByRole('button')).toHaveAccessibleDescription('Todo está en validación, por aprobar o retenido')
  await expectNoViolations(page)
  await list.getByRole('button', { name: 'Cerrar', exact: true }).click()

  await page.getByRole('button', { name: 'Crear Pago' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Crear Pago' })
  await choose(dialog, 'Relación', `${pair.affiliate.company_name} - ${pair.issuer.company_name}`)
  await dialog.getByLabel('Inicio del periodo', { exact: true }).fill(dayFirst(addDays(dateInMexico(), -7)))
  await dialog.getByLabel('Fin del periodo', { exact: true }).fill(dayFirst(dateInMexico()))
  await dialog.getByRole('button', { name: 'Calcular' }).click()
  await expect(dialog.getByText('Nada por pagar en este periodo')).toBeVisible()
  await expect(dialog.getByText(/en validación, por aprobar o retenidas aún no cuentan/)).toBeVisible()
})
