import { readFile } from 'node:fs/promises'
import { reports } from '#contract/boards.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import type { Db } from '#db/connect.ts'
import { type Ids, makeEntry, makeEvent, makeLead, makePair, makeProduct, makeStep } from '#db/factories.ts'
import { factOf } from './facts.ts'
import { expect, test } from './fixtures.ts'
import { choiceOf, choose, expectNoViolations, failNext, optionsOf } from './screen.ts'

/** Three leads of yesterday; two asked for the product, one of them was approved and earned 350. */
async function makeHistory(db: Db, ids: Ids): Promise<void> {
  const asked = await makeStep(db, { product_id: ids.product_id, name: 'Solicitud', step_order: 1 })
  const approved = { product_id: ids.product_id, name: 'Aprobado', step_order: 2, event_type_id: 3 }
  const step = await makeStep(db, approved)
  const created_at = `${yesterday()}T18:00:00Z`
  const lead = { ...ids, created_at }
  await makeLead(db, lead)
  const [second, third] = [await makeLead(db, lead), await makeLead(db, lead)]
  await makeEvent(db, second, asked, { created_at })
  await makeEvent(db, third, asked, { created_at })
  await makeEvent(db, third, step, { event_type_id: 3, event_type_name: 'aprobado', created_at })
  await makeEntry(db, ids, { lead_id: third.id, amount: '350.00', earned_at: created_at })
}

/** The last complete day, which is the newest that a board shows until told otherwise. */
const yesterday = (): string => addDays(dateInMexico(), -1)

for (const role of ['issuer', 'affiliate'] as const) {
  test(`the ${role} reads its boards inside the dashboard, without a frame`, async ({ page, signIn, db, pair }) => {
    await makeHistory(db, pair.ids)
    const other = await makePair(db)
    await makeEntry(db, other.ids, { amount: '999.00' })
    await signIn(role, pair[role])
    await page.goto(`/app/${role}/dashboard`)
    expect(await optionsOf(page, 'Tablero')).toEqual(['Rendimiento', 'Embudo', 'Comisiones'])
    await expect(choiceOf(page, 'Tablero')).toHaveText('Rendimiento')

    await expect(page.locator('iframe')).toHaveCount(0)
    const figures = page.getByRole('region', { name: 'Cifras del periodo' })
    await expect(factOf(figures, 'Leads')).toContainText('3')
    await expect(factOf(figures, 'Conversiones')).toContainText('1')
    await expect(factOf(figures, 'Tasa de conversión')).toContainText('33.33%')
    await expect(factOf(figures, 'Comisión ganada')).toContainText('$350.00')
    await expect(page.getByRole('figure', { name: /^Leads por día/ })).toBeVisible()
    const partner = role === 'issuer' ? 'Por afiliado' : 'Por emisor'
    await expect(page.getByRole('table', { name: partner }).getByRole('row')).toHaveCount(2)
    await expect(page.getByRole('table', { name: role === 'issuer' ? 'Por emisor' : 'Por afiliado' })).toHaveCount(0)
    await expect(
      page.getByText(other[role === 'issuer' ? 'affiliate' : 'issuer'].company_name, { exact: true }),
    ).toHaveCount(0)

    await choose(page, 'Tablero', 'Embudo')
    const bars = page.getByRole('list', { name: 'Embudo' }).getByRole('listitem')
    await expect(bars.nth(0)).toContainText('3 · 100.00% de los clics')
    await expect(bars.filter({ hasText: 'Solicitud' })).toContainText('Se pierden 1 (33.33%)')
    await expect(bars.filter({ hasText: /^Aprobado/ })).toContainText('1 · 33.33% de los clics')

    await choose(page, 'Tablero', 'Comisiones')
    const states = page.getByRole('region', { name: 'Comisiones del periodo' })
    await expect(factOf(states, 'Devengada')).toContainText('$350.00')
    await expect(factOf(states, 'Pagada')).toContainText('$0.00')
  })
}

test('a table of a board is downloaded from within the dashboard', async ({ page, signIn, db, pair }) => {
  await makeHistory(db, pair.ids)
  await signIn('issuer', pair.issuer)
  await page.goto('/app/issuer/dashboard')
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Descargar CSV: Por producto' }).click()
  const file = await coming
  expect(file.suggestedFilename()).toBe(`afluente-rendimiento-productos-${dateInMexico()}.csv`)
  const text = await readFile((await file.path()) ?? '', 'utf8')
  expect(text).toContain(`${pair.product.id},${pair.product.name},3,1,33.33,350.00`)
})

test('the administrator goes from its figures to the whole network, within the screen', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeHistory(db, pair.ids)
  await signIn('admin')
  await page.goto('/app/admin/dashboard')
  await choose(page, 'Tablero', 'Red')
  await expect(page).toHaveURL('/app/admin/dashboard?tablero=red')
  await choose(page, 'Emisor', pair.issuer.company_name)
  await expect(page).toHaveURL(`/app/admin/dashboard?tablero=red&issuer_id=${pair.issuer.id}`)
  await expect(page.locator('iframe')).toHaveCount(0)
  const row = page.getByRole('table', { name: 'Por relación' }).getByRole('row')
  await expect(row).toHaveCount(2)
  await expect(row.nth(1)).toContainText(pair.affiliate.company_name)
  await page.reload()
  await expect(row).toHaveCount(2)
  await choose(page, 'Periodo', /^Hoy/)
  await expect(page).toHaveURL(/periodo=hoy/)
  await expect(page.getByText('El de hoy está en curso.')).toBeVisible()
  await expect(page.getByText('Sin movimientos en el periodo').first()).toBeVisible()
  await expect(factOf(page.getByRole('region', { name: 'Cifras del periodo' }), 'Leads')).toContainText(
    'Sin días completos que comparar',
  )
  await choose(page, 'Periodo', /^Últimos 30 días/)
  await expect(page).not.toHaveURL(/periodo=/)
  await expect(row).toHaveCount(2)
  await choose(page, 'Tablero', 'Resumen')
  await expect(page.getByRole('region', { name: 'Cifras de la red' })).toBeVisible()
})

test('the funnel begins with a product of the issuer that was chosen on another board, and offers all', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const other = await makePair(db)
  await makeHistory(db, other.ids)
  await signIn('admin')
  await page.goto('/app/admin/dashboard?tablero=red')
  await choose(page, 'Emisor', other.issuer.company_name)
  await choose(page, 'Tablero', 'Embudo')
  const product = choiceOf(page, 'Producto')
  await expect(product).toHaveValue(other.product.name)
  const bars = page.getByRole('list', { name: 'Embudo' }).getByRole('listitem')
  await expect(bars.first()).toContainText('3 · 100.00% de los clics')
  await product.fill(pair.product.name)
  await page.getByRole('option', { name: pair.product.name }).first().click()
  await choose(page, 'Tablero', 'Red')
  await expect(choiceOf(page, 'Producto')).toHaveValue(pair.product.name)
  await expect(choiceOf(page, 'Emisor')).toHaveValue('Todos los emisores')
})

for (const role of ['issuer', 'affiliate'] as const)
  test(`a board without data says to the ${role} what will be there and when, and draws nothing`, async ({
    page,
    signIn,
    db,
    pair,
  }) => {
    await signIn(role, pair[role])
    const words = role === 'issuer' ? 'clic hacia uno de tus productos' : 'clic en uno de tus enlaces'
    for (const [place, hint] of [
      ['rendimiento', words],
      ['comisiones', 'un paso que genera comisión'],
      ['embudo', 'Cuando los tenga, aquí verás cuántos leads llegan a cada uno.'],
    ] as const) {
      await page.goto(`/embed/${place}`)
      await expect(page.getByText(hint)).toBeVisible()
      await expect(page.getByRole('figure')).toHaveCount(0)
      await expect(page.getByText('filtro')).toHaveCount(0)
      if (role === 'issuer') await expectNoViolations(page)
    }
    await makeStep(db, { product_id: pair.product.id, name: 'Solicitud', step_order: 1 })
    await page.reload()
    await expect(page.getByText('Aquí verás hasta qué paso llegan los leads de este producto')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Embudo' })).toHaveCount(0)
  })

test('filters that leave a board without data can be cleared there', async ({ page, signIn, db, pair }) => {
  await makeHistory(db, pair.ids)
  const { id } = await makeProduct(db, { issuer_id: pair.issuer.id })
  await signIn('admin')
  for (const place of ['red', 'rendimiento', 'comisiones']) {
    await page.goto(`/embed/${place}?product_id=${id}`)
    await expect(page.getByText('Sin movimientos en el periodo')).toBeVisible()
    await expect(page.getByRole('figure')).toHaveCount(0)
    await page.getByRole('button', { name: 'Limpiar filtros' }).click()
    await expect(page).toHaveURL(`/embed/${place}`)
    await expect(page.getByRole('table', { name: 'Por producto' })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
  }
  await page.goto(`/embed/embudo?product_id=${pair.product.id}&periodo=hoy`)
  await page.getByRole('button', { name: 'Limpiar filtros' }).click()
  await expect(page).toHaveURL(`/embed/embudo?product_id=${pair.product.id}`)
  await expect(page.getByRole('list', { name: 'Embudo' })).toBeVisible()
})

test('a figure of which there is none has no axes', async ({ page, signIn, db, pair }) => {
  await makeLead(db, { ...pair.ids, created_at: `${yesterday()}T18:00:00Z` })
  await signIn('issuer', pair.issuer)
  await page.goto('/embed/rendimiento?medida=conversions')
  await expect(page.getByText('Sin cifras en el periodo')).toBeVisible()
  await expect(page.getByRole('figure')).toHaveCount(0)
  await choose(page, 'Cifra de la gráfica', 'Leads')
  await expect(page.getByRole('figure')).toBeVisible()
})

test('the administrator goes through the boards on their own pages', async ({ page, signIn }) => {
  await signIn('admin')
  await page.goto('/embed/red')
  const boards = page.getByRole('navigation', { name: 'Tableros' })
  for (const name of ['Rendimiento', 'Embudo', 'Comisiones']) {
    await boards.getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  }
  await boards.getByRole('link', { name: 'Volver al Dashboard' }).click()
  await expect(page).toHaveURL('/app/admin/dashboard')
})

for (const [name, place] of [
  ['Red', 'red'],
  ['Rendimiento', 'rendimiento'],
  ['Embudo', 'embudo'],
  ['Comisiones', 'comisiones'],
] as const)
  test(`everybody can read the board ${name}, picture and table`, async ({ page, signIn, db, pair }) => {
    await makeHistory(db, pair.ids)
    await signIn('admin')
    await page.goto(`/embed/${place}?product_id=${pair.product.id}`)
    await page.getByRole('button', { name: 'Ver tabla' }).first().click()
    await expect(page.getByRole('table').first()).toBeVisible()
    await expect(page.getByText('Cargando tablero...')).toHaveCount(0)
    await expectNoViolations(page)
  })

test('a board that fails to load can be asked for again', async ({ page, signIn, pair }) => {
  await signIn('issuer', pair.issuer)
  await failNext(page, reports.performance)
  await page.goto('/embed/rendimiento')
  await expect(page.getByRole('alert').filter({ hasText: 'Error al cargar el tablero' })).toBeVisible()
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await expect(page.getByRole('region', { name: 'Cifras del periodo' })).toBeVisible()
})

test('a board is shown to nobody without a session, and the network to the administrator alone', async ({
  page,
  signIn,
  pair,
}) => {
  await page.goto('/embed/rendimiento')
  await expect(page.getByRole('link', { name: 'Iniciar sesión' })).toHaveAttribute('target', '_top')
  await expectNoViolations(page)
  await signIn('issuer', pair.issuer)
  await page.goto('/embed/red')
  await expect(page.getByText('No tienes permisos para ver este tablero')).toBeVisible()
})

test('a comparison says which days stand beside which, and today stands apart', async ({ page, signIn, db, pair }) => {
  await makeHistory(db, pair.ids)
  const today = dateInMexico()
  await makeLead(db, pair.ids)
  await makeLead(db, { ...pair.ids, created_at: `${addDays(today, -8)}T18:00:00Z` })
  await signIn('issuer', pair.issuer)
  const leads = factOf(page.getByRole('region', { name: 'Cifras del periodo' }), 'Leads')
  await page.goto('/embed/rendimiento?periodo=7')
  await expect(leads).toContainText('+200%')
  await expect(leads).toContainText(/ frente a .*: 1\)/)
  await expect(leads.getByText('en curso')).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Leyenda' })).not.toContainText('en curso')
  await page.goto(`/embed/rendimiento?periodo=otro&desde=${addDays(today, -6)}&hasta=${today}`)
  await expect(leads).toContainText('4')
  await expect(leads.getByText('en curso')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Leyenda' })).toContainText('Hoy, en curso')
})

test('a ranking shows its first five until all are asked for', async ({ page, signIn, db, pair }) => {
  const created_at = `${yesterday()}T18:00:00Z`
  await makeLead(db, { ...pair.ids, created_at })
  for (let count = 0; count < 6; count++) {
    const { id: product_id } = await makeProduct(db, { issuer_id: pair.issuer.id })
    for (const _ of ['one', 'two']) await makeLead(db, { ...pair.ids, product_id, created_at })
  }
  await signIn('issuer', pair.issuer)
  await page.goto('/embed/rendimiento')
  const ranking = page.getByRole('table', { name: 'Por producto' })
  await expect(ranking.getByRole('row')).toHaveCount(1 + 5)
  await expect(ranking).not.toContainText(pair.product.name)
  await page.getByRole('button', { name: 'Ver todos (7)' }).click()
  await expect(ranking.getByRole('row')).toHaveCount(1 + 7)
  await expect(ranking.getByRole('row').last()).toContainText(pair.product.name)
})

test('a period is chosen by name or from the calendar, and all of it by keyboard', async ({ page, signIn, pair }) => {
  await signIn('issuer', pair.issuer)
  await page.goto('/embed/rendimiento')
  const period = choiceOf(page, 'Periodo')
  const popup = page.getByRole('dialog', { name: 'Periodo' })
  await period.press('Enter')
  await expect(popup.getByRole('option', { name: /^Últimos 30 días/ })).toBeFocused()
  await expectNoViolations(page)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(popup).toHaveCount(0)
  await expect(period).toHaveText('Últimos 7 días')
  await expect(period).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(popup.getByRole('option', { name: /^Últimos 7 días/ })).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(popup.getByRole('button', { pressed: true }).last()).toBeFocused()
  await page.keyboard.press('PageUp')
  await popup.getByRole('button', { name: /^9 de / }).click()
  await expect(popup.getByText(/^Desde el 9 .*: elige el último día$/)).toBeVisible()
  await popup.getByRole('button', { name: /^3 de / }).click()
  await expect(popup).toHaveCount(0)
  const [month] = addDays(yesterday(), -Number(yesterday().slice(8))).match(/^\d{4}-\d{2}/) ?? []
  await expect(page).toHaveURL(`/embed/rendimiento?periodo=otro&desde=${month}-03&hasta=${month}-09`)
  await expect(period).toHaveText(/^3–9 /)
  // The popup begins where its field does.
  await period.click()
  const [field, opened] = [await period.boundingBox(), await popup.boundingBox()]
  expect(Math.abs((opened?.x ?? 0) - (field?.x ?? 0))).toBeLessThanOrEqual(1)
  await page.keyboard.press('Escape')
  await expect(popup).toHaveCount(0)
})
