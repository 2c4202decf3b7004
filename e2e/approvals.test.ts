import { sql } from 'kysely'
import { commissionEntries } from '#contract/commission-entries.ts'
import type { Db } from '#db/connect.ts'
import { makeAdjustment, makeDefault, makeEntry, makeProduct, makeUser } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { choose, expectRow, expectToast, failNext } from './screen.ts'

/** A later rate adds a thousand to what was earned. */
const compensate = (db: Db, entry: { id: number }, author: { id: number }, rate: { id: number }) =>
  sql`insert into commission_entry (relationship_id, affiliate_id, issuer_id, product_id, amount, state, kind, converts,
      earned_at, due_on, validation_ends_on, note, author_id, compensates, compensating_rate_id)
    select relationship_id, affiliate_id, issuer_id, product_id, 1000.00, 'accrued', 'adjustment', 0,
      earned_at, 'infinity', mexico_day(now()), 'Sube la tarifa', ${author.id}, id, ${rate.id}
    from commission_entry where id = ${entry.id}`.execute(db)

test('an issuer reads what waits for it, approves a part and then all, and sees what was deducted', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const waiting = (amount: string) => makeEntry(db, pair.ids, { amount, due_on: 'infinity' })
  const author = await makeUser(db, { role: 'admin' })
  const [held, raised] = [await waiting('500.00'), await waiting('12500.00')]
  const idle = await makeProduct(db, { issuer_id: pair.issuer.id })
  await compensate(db, raised, author, await makeDefault(db, { product_id: idle.id }))
  const note = { reason: 'otro', note: 'Se revisa con el banco' }
  await db
    .insertInto('entry_hold')
    .values({ entry_id: held.id, opened_by: author.id, ...note })
    .execute()
  await Promise.all(Array.from({ length: 98 }, () => waiting('10.00')))
  const last = await waiting('80.00')
  const charge = { kind: 'adjustment', amount: '-120.50', note: 'Comisión pagada dos veces' }
  await makeAdjustment(db, pair.ids, charge)

  await signIn('issuer', pair.issuer)
  await page.goto('/app/issuer/dashboard')
  const approve = page.getByRole('button', { name: /^Aprobar/ })
  const box = ({ id }: { id: number }) => page.getByRole('checkbox', { name: `Elegir la comisión ${id}`, exact: true })

  await test.step('the dashboard leads to it, and both say what of it is held', async () => {
    const row = page.getByRole('link', { name: /^Comisiones por aprobar/ })
    await expect(row).toContainText('Se pagan solo después de aprobarlas, de ellas 1 retenida ($500.00).')
    await row.click()
    await expect(page).toHaveURL(/\/app\/issuer\/approvals$/)
    await expect(page.getByText('101 comisiones · $14,060.00, de ellas 1 retenida ($500.00)')).toBeVisible()
    await expectRow(page, { 'Espera desde hace': '0 días · Retenida', Monto: '$500.00' })
    await expectRow(page, { 'Espera desde hace': '0 días · con $1,000.00 que la compensan', Monto: '$12,500.00' })
    await expect(approve).toBeDisabled()
  })

  await test.step('after the last page is approved, those before it are shown', async () => {
    await page.getByRole('button', { name: 'Página siguiente' }).click()
    await expect(page).toHaveURL(/pagina=2/)
    await expect(box(last)).toBeVisible()
    await page.getByRole('checkbox', { name: 'Elegir la única' }).check()
    await approve.click()
    await expectToast(page, '1 comisión aprobada')
    await expect(page.getByRole('checkbox', { name: 'Elegir las 100 de esta página' })).toBeVisible()
    await expect(page).toHaveURL(/approvals$/)
  })

  await test.step('all of a page are chosen, and one is left out', async () => {
    await page.getByRole('checkbox', { name: 'Elegir las 100 de esta página' }).check()
    await box(held).uncheck()
    await expect(approve).toHaveText('Aprobar 99 seleccionadas ($14,480.00)')
    await page.getByRole('checkbox', { name: 'Elegir las 100 de esta página' }).click()
    await page.getByRole('checkbox', { name: 'Elegir las 100 de esta página' }).uncheck()
    await expect(approve).toBeDisabled()
  })

  await test.step('what was chosen is chosen still after a lead was read, and after the server failed', async () => {
    await box(held).check()
    await box(raised).check()
    await page.getByRole('link', { name: `Lead ${raised.lead_id}`, exact: true }).click()
    await expect(page.getByRole('dialog', { name: /^Lead #/ })).toBeVisible()
    await page.goBack()
    await expect(approve).toHaveText('Aprobar 2 seleccionadas ($14,000.00)')
    await failNext(page, commissionEntries.approve)
    await approve.click()
    await expectToast(page, 'Error')
    await expect(approve).toHaveText('Aprobar 2 seleccionadas ($14,000.00)')
    await approve.click()
    await expectToast(page, '2 comisiones aprobadas')
    await expect(page.getByText('98 comisiones · $980.00', { exact: true })).toBeVisible()
  })

  await test.step('a filter may leave nothing', async () => {
    await choose(page, 'Producto', new RegExp(`^${idle.name} `))
    await expect(page.getByText('Nada espera aprobación con esos filtros')).toBeVisible()
    await choose(page, 'Producto', 'Todos los productos')
  })

  await test.step('after the last one the keyboard goes on in the page', async () => {
    await page.getByRole('checkbox', { name: 'Elegir las 98 de esta página' }).check()
    await approve.press('Enter')
    await expectToast(page, '98 comisiones aprobadas')
    await expect(page.getByText('Nada espera aprobación')).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
  })

  await test.step('bonuses and charges are read, and none is written', async () => {
    await page.getByRole('link', { name: 'Pagos', exact: true }).click()
    await page.getByRole('navigation', { name: 'Secciones' }).getByRole('link', { name: 'Bonos y ajustes' }).click()
    await expectRow(page, { Tipo: 'Ajuste', Motivo: 'Comisión pagada dos veces', Monto: '-$120.50' })
    await expect(page.getByRole('button', { name: 'Nuevo movimiento' })).toBeHidden()
  })
})
