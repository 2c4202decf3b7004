import { makeAdjustment, makeEntry, makeProduct, makeUser } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { choiceOf, choose, expectHeads, expectRow } from './screen.ts'

test('an affiliate follows each of its commissions: what it waits for, where it is from, its lead', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const other = await makeProduct(db, { issuer_id: pair.issuer.id })
  const entry = await makeEntry(db, pair.ids, { earned_at: '2025-03-04T18:00:00Z', amount: '350.50' })
  await makeEntry(db, { ...pair.ids, product_id: other.id }, { earned_at: '2025-03-05T18:00:00Z', amount: '49.50' })
  const awaiting = await makeEntry(db, pair.ids, { amount: '100.00', due_on: 'infinity' })
  const held = await makeEntry(db, pair.ids, { amount: '500.00' })
  const { id: opened_by } = await makeUser(db, { role: 'admin' })
  await db
    .insertInto('entry_hold')
    .values({ entry_id: held.id, reason: 'fraude', note: 'Diez solicitudes desde la misma red', opened_by })
    .execute()
  const bonus = await makeAdjustment(db, pair.ids)
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/dashboard')
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') })
  const explained = page.getByRole('dialog', { name: '¿De dónde sale?' })
  const explain = ({ id }: { id: number }) =>
    page.getByRole('button', { name: new RegExp(`¿De dónde sale la comisión ${id}\\?`) }).click()

  await test.step('the dashboard and the payments lead to them', async () => {
    await page.getByRole('link', { name: 'Mis comisiones' }).click()
    await expect(page.getByText('5 comisiones · $1,250.00')).toBeVisible()
    await page.getByRole('navigation', { name: 'Panel Afiliado' }).getByRole('link', { name: 'Pagos' }).click()
    await page.getByRole('navigation', { name: 'Secciones' }).getByRole('link', { name: 'Mis comisiones' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mis comisiones')
    await expect(page.getByText('5 comisiones · $1,250.00')).toBeVisible()
  })

  await test.step('each says what it waits for', async () => {
    expect(await expectHeads(page)).toEqual([
      ...['Lead', 'Producto', 'Paso', 'Fecha', 'Estado', 'Qué espera', 'Pago', 'Monto', 'Acciones'],
    ])
    await expectRow(page, {
      ...{ Lead: String(entry.lead_id), Producto: pair.product.name },
      ...{ Estado: 'Devengada', 'Qué espera': 'Espera entrar en un pago' },
    })
    await expectRow(page, { Lead: String(awaiting.lead_id), 'Qué espera': 'Espera la aprobación del emisor' })
    await expectRow(page, { Lead: '—', 'Qué espera': 'Bono por meta de volumen: espera entrar en un pago' })
    await choose(page, 'Situación de la comisión', 'Retenida')
    await expect(page.getByText('1 comisión · $500.00')).toBeVisible()
    await expectRow(page, { 'Qué espera': 'Retenida: no se paga hasta que se libere' })
  })

  await test.step('what is held says why, and neither what administrators noted nor how to release it', async () => {
    await explain(held)
    await expect(explained.getByText('Sospecha de fraude')).toBeVisible()
    await expect(explained.getByRole('button', { name: 'Liberar' })).toBeHidden()
    await expect(explained).not.toContainText('la misma red')
    await page.keyboard.press('Escape')
  })

  await test.step('a bonus is from a person', async () => {
    await choose(page, 'Situación de la comisión', 'Todas las situaciones')
    await explain(bonus)
    await expect(explained).toContainText('Bono capturado por una persona')
    await page.keyboard.press('Escape')
  })

  await test.step('they are found by product and state', async () => {
    await choose(page, 'Producto', new RegExp(`^${other.name} `))
    await expect(page.getByText('1 comisión · $49.50')).toBeVisible()
    await choose(page, 'Estado de la comisión', 'Pagada')
    await expect(page.getByText('No hay comisiones para los filtros seleccionados')).toBeVisible()
  })

  await test.step('of an address, what means something counts', async () => {
    await page.goto(`/app/affiliate/commissions?producto=${other.id}&estado=nada&pagina=9`)
    await expect(page.getByText('1 comisión · $49.50')).toBeVisible()
    await expect(rows).toHaveCount(1)
    await expect(choiceOf(page, 'Producto')).toHaveValue(other.name)
    await page.getByRole('button', { name: 'Limpiar' }).click()
    await expect(rows).toHaveCount(5)
  })

  await test.step('each leads to its lead', async () => {
    await page.getByRole('link', { name: `Lead ${entry.lead_id}`, exact: true }).click()
    await expect(page).toHaveURL(/\/app\/affiliate\/leads\?/)
    await expect(page.getByRole('dialog')).toBeVisible()
  })
})
