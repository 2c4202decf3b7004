import { makeEntry, makeProduct } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { choiceOf, choose, expectHeads, expectNoViolations, expectRow } from './screen.ts'

const rowsOf = (page: import('@playwright/test').Page) => page.getByRole('row').filter({ has: page.getByRole('cell') })

test('an affiliate follows each of its commissions to its lead', async ({ page, signIn, db, pair }) => {
  const other = await makeProduct(db, { issuer_id: pair.issuer.id })
  const entry = await makeEntry(db, pair.ids, { earned_at: '2025-03-04T18:00:00Z', amount: '350.50' })
  await makeEntry(db, { ...pair.ids, product_id: other.id }, { earned_at: '2025-03-05T18:00:00Z', amount: '49.50' })
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/dashboard')
  await page.getByRole('link', { name: 'Mis comisiones' }).click()
  await expect(page.getByText('2 comisiones · $400.00')).toBeVisible()
  await page.getByRole('navigation', { name: 'Panel Afiliado' }).getByRole('link', { name: 'Pagos' }).click()
  await page.getByRole('navigation', { name: 'Secciones' }).getByRole('link', { name: 'Mis comisiones' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mis comisiones')
  await expect(page.getByText('2 comisiones · $400.00')).toBeVisible()
  expect(await expectHeads(page)).toEqual([
    ...['Lead', 'Producto', 'Paso', 'Fecha', 'Estado', 'Qué espera', 'Pago', 'Monto', 'Acciones'],
  ])
  await expectRow(page, { Producto: pair.product.name, Estado: 'Devengada', 'Qué espera': 'Espera entrar en un pago' })
  await expectNoViolations(page)

  await choose(page, 'Producto', new RegExp(`^${pair.product.name} `))
  await expect(page.getByText('1 comisión · $350.50')).toBeVisible()
  await page.reload()
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(choiceOf(page, 'Estado de la comisión')).toHaveText('Todos los estados')
  await choose(page, 'Estado de la comisión', 'Pagada')
  await expect(page.getByText('No hay comisiones para los filtros seleccionados')).toBeVisible()
  await page.getByRole('button', { name: 'Limpiar' }).click()
  await expect(rowsOf(page)).toHaveCount(2)
  await page.goto('/app/affiliate/commissions?pagina=9')
  await expect(rowsOf(page)).toHaveCount(2)
  await page.getByRole('link', { name: `Lead ${entry.lead_id}`, exact: true }).click()
  await expect(page).toHaveURL(/\/app\/affiliate\/leads\?/)
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('without commissions the screen says what brings them', async ({ page, signIn, pair }) => {
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/commissions?estado=nada&pagina=x')
  await expect(page.getByText('Aún no hay comisiones')).toBeVisible()
  await expect(page.getByText('0 comisiones · $0.00')).toBeVisible()
})
