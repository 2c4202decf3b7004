import { dateInMexico, dayFirst } from '#contract/time.ts'
import { makeAffiliate, makeEntry, makeRelationship } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { expectToast } from './screen.ts'

const today = dateInMexico()

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
  await dialog.getByLabel('Fecha de pago', { exact: true }).fill(dayFirst(today))
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  await expectToast(page, 'Pago creado exitosamente')
  await expect(rows).toHaveText([/Sin pago/, /\$200\.00/, /\$300\.00/])

  await pay.first().click()
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(rows).toHaveText([/Sin pago/, /\$200\.00/, /\$300\.00/])
})
