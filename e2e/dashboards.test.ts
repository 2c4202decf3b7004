import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { type FirstSteps, metrics } from '#contract/metrics.ts'
import { products } from '#contract/products.ts'
import { type Summary, summary } from '#contract/summary.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import type { Db } from '#db/connect.ts'
import {
  type Ids,
  makeDashboard,
  makeEntry,
  makeEvent,
  makeLead,
  makePair,
  makePayment,
  makeProduct,
  makeStep,
} from '#db/factories.ts'
import { factOf } from './facts.ts'
import { expect, test } from './fixtures.ts'
import { answerNext, choiceOf, choose, hold, optionsOf, success } from './screen.ts'

const ADMIN = '/app/admin/dashboard'
const TOOL = 'https://tableros.example.mx'
const daysAgo = (days: number) => `${addDays(dateInMexico(), -days)}T18:00:00Z`

/** Three leads of a day; two asked for the product, one of them was approved and earned 350. */
async function makeHistory(db: Db, ids: Ids, created_at: string): Promise<void> {
  const asked = await makeStep(db, { product_id: ids.product_id, name: 'Solicitud', step_order: 1 })
  const approved = { product_id: ids.product_id, name: 'Aprobado', step_order: 2, event_type_id: 3 }
  const step = await makeStep(db, approved)
  const lead = { ...ids, created_at }
  await makeLead(db, lead)
  const [second, third] = [await makeLead(db, lead), await makeLead(db, lead)]
  await makeEvent(db, second, asked, { created_at })
  await makeEvent(db, third, asked, { created_at })
  await makeEvent(db, third, step, { event_type_id: 3, event_type_name: 'aprobado', created_at })
  await makeEntry(db, ids, { lead_id: third.id, amount: '350.00', earned_at: created_at })
}

const NOTHING_MADE: FirstSteps = {
  ...{ issuer: false, product: false, event_step: false, affiliate: false },
  ...{ relationship: false, commission: false, event: false },
}
const ALL_MADE = Object.fromEntries(Object.keys(NOTHING_MADE).map((step) => [step, true]))

/** Products have their issuer beside them. */
async function chooseProduct(page: Page, name: string): Promise<void> {
  await choiceOf(page, 'Producto').fill(name)
  await page.getByRole('option', { name: new RegExp(`^${name}\\b`) }).click()
}

const bars = (page: Page) => page.getByRole('list', { name: 'Embudo' }).getByRole('listitem')
const figuresOf = (page: Page) => page.getByRole('region', { name: 'Cifras del periodo' })
const rowsOf = (page: Page, table: string) => page.getByRole('table', { name: table }).getByRole('row')

/** A product without figures leaves a board without data, and is cleared there. */
async function clearEmpty(page: Page, product: string): Promise<void> {
  await chooseProduct(page, product)
  await expect(page).toHaveURL(/product_id=/)
  await expect(page.getByText('Sin movimientos en el periodo')).toBeVisible()
  await expect(page.getByRole('figure', { name: / por día (y|según)/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Limpiar filtros' }).click()
  await expect(page).not.toHaveURL(/product_id=/)
  await expect(rowsOf(page, 'Por producto').nth(1)).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
}

test('the administrator reads the network: what to do first, what is owed, what waits, and its boards', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const other = await makePair(db)
  const empty = await makeProduct(db, { issuer_id: pair.issuer.id, name: `Zafiro ${pair.issuer.id}` })
  await makeHistory(db, pair.ids, daysAgo(1))
  await makePayment(db, pair.ids, { total_amount: '1500.00' })
  const api = await signIn('admin')

  await test.step('an empty network says what to do first, and where', async () => {
    await answerNext(page, metrics.firstSteps, 200, success(NOTHING_MADE))
    await page.goto(ADMIN)
    const steps = page.getByRole('region', { name: 'Primeros pasos · 0 de 6' })
    await expect(steps.getByRole('listitem')).toHaveCount(6)
    await expect(page.getByRole('region', { name: 'Cifras de la red' })).toBeVisible()
    await steps.getByRole('link', { name: 'Ir a Emisores' }).click()
    await expect(page).toHaveURL('/app/admin/issuers')
  })

  // Whatever the tests beside this one made.
  await answerNext(page, metrics.firstSteps, 200, success(ALL_MADE))
  const answers = [metrics.overview, summary.get].map(({ path }) =>
    page.waitForResponse((response) => response.url().includes(path)),
  )
  const release = await hold(page, metrics.activity)
  await page.goto(ADMIN)
  const [overview, sums] = await Promise.all(answers.map(async (answer) => (await (await answer).json()).data))

  await test.step('four figures, and what happened last', async () => {
    await expect(page.getByText('Cargando actividad...')).toBeAttached()
    // Right before it is asked for: other tests do things, too, and only the last are listed.
    const name = `Tarjeta Cauce ${other.product.id}`
    await api.call(products.update, { params: { id: other.product.id }, body: { name } })
    release()
    const activity = page.getByRole('list', { name: 'Actividad reciente' })
    await expect(activity.getByText(`Ana Prueba actualizó el producto ${name}`)).toBeVisible()
    const cards = page.getByRole('region', { name: 'Cifras de la red' })
    await expect(cards.getByRole('term')).toHaveText([
      ...['Total Usuarios', 'Productos Activos', 'Conversiones Hoy', 'Ingresos del Mes'],
    ])
    await expect(factOf(cards, 'Total Usuarios')).toContainText(overview.total_users.value.toLocaleString('en-US'))
    await expect(page.getByRole('heading', { name: 'Primeros pasos' })).toHaveCount(0)
  })

  await test.step('what is owed, with ninety days of it, and what changed', async () => {
    const accrued = Number((sums as Summary).due.accrued).toLocaleString('en-US', { minimumFractionDigits: 2 })
    const due = page.getByRole('region', { name: 'Por pagar' })
    await expect(due).toContainText(`$${accrued}`)
    await expect(due.getByRole('link', { name: /^En pago/ })).toHaveAttribute('href', '/app/admin/payments')
    await due.getByRole('button', { name: 'Leads' }).click()
    await expect(due.getByRole('button', { name: 'Leads' })).toHaveAttribute('aria-pressed', 'true')
    await expect(page).toHaveURL(`${ADMIN}?grafica=leads`)
    await due.getByRole('button', { name: 'Ver tabla' }).click()
    const today = rowsOf(page, 'Últimos 90 días').nth(1)
    await expect(today).toContainText('en curso')
    await expect(today).toContainText('$')
    await expect(page.getByRole('list', { name: 'Lo que más cambió' }).getByRole('listitem').first()).toContainText(
      'leads',
    )
    await expect(bars(page).first()).toContainText('100.00% de los clics')
  })

  await test.step('what waits, the tiles and the trail lead to their screens', async () => {
    const tiles = page.getByRole('navigation', { name: 'Acciones rápidas' }).getByRole('link')
    await expect(tiles).toHaveText([/^Gestionar usuarios/, /^Configurar productos/, /^Revisar pagos/])
    for (const [index, path] of ['users', 'products', 'payments'].entries())
      await expect(tiles.nth(index)).toHaveAttribute('href', `/app/admin/${path}`)
    await expect(page.getByRole('link', { name: 'Ver bitácora' })).toHaveAttribute('href', '/app/admin/audit')
    await expect(page.getByRole('link', { name: 'Resultados', exact: true }).last()).toHaveAttribute(
      'href',
      '/app/admin/results',
    )
    const waiting = page.getByRole('list', { name: 'Por atender' })
    await waiting.getByRole('link', { name: /^Pagos por hacer/ }).click()
    await expect(page).toHaveURL('/app/admin/payments?estado=pending')
    await page.goBack()
  })

  await test.step('the board of the network follows its filters, which a copied address keeps', async () => {
    await choose(page, 'Tablero', 'Red')
    await expect(page).toHaveURL(/tablero=red/)
    await expect(page.locator('iframe')).toHaveCount(0)
    await choose(page, 'Emisor', pair.issuer.company_name)
    await expect(page).toHaveURL(new RegExp(`issuer_id=${pair.issuer.id}`))
    const pairs = rowsOf(page, 'Por relación')
    await expect(pairs).toHaveCount(2)
    await expect(pairs.nth(1)).toContainText(pair.affiliate.company_name)
    await page.reload()
    await expect(pairs).toHaveCount(2)
    await clearEmpty(page, empty.name)
    await expect(choiceOf(page, 'Emisor')).toHaveValue('Todos los emisores')
  })

  await test.step('the funnel begins with a product of the issuer that was chosen before, and offers all', async () => {
    await choose(page, 'Emisor', pair.issuer.company_name)
    await choose(page, 'Tablero', 'Embudo')
    await expect(choiceOf(page, 'Producto')).toHaveValue(pair.product.name)
    await expect(bars(page).first()).toContainText('3 · 100.00% de los clics')
    await chooseProduct(page, `Tarjeta Cauce ${other.product.id}`)
    await expect(page.getByText('El producto no tiene pasos')).toBeVisible()
    await choose(page, 'Tablero', 'Red')
    await expect(choiceOf(page, 'Producto')).toHaveValue(`Tarjeta Cauce ${other.product.id}`)
    await expect(choiceOf(page, 'Emisor')).toHaveValue('Todos los emisores')
    await choose(page, 'Tablero', 'Resumen')
    await expect(page.getByRole('region', { name: 'Cifras de la red' })).toBeVisible()
  })

  await test.step('the boards have pages of their own', async () => {
    await page.goto(`/embed/embudo?product_id=${pair.product.id}&periodo=hoy`)
    await page.getByRole('button', { name: 'Limpiar filtros' }).click()
    await expect(page).toHaveURL(`/embed/embudo?product_id=${pair.product.id}`)
    await expect(bars(page).first()).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    const boards = page.getByRole('navigation', { name: 'Tableros' })
    for (const name of ['Red', 'Rendimiento', 'Comisiones']) {
      await boards.getByRole('link', { name }).click()
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    }
    await boards.getByRole('link', { name: 'Volver al Dashboard' }).click()
    await expect(page).toHaveURL(ADMIN)
  })
})

test('an issuer reads what it owes and its boards, for the days that it picks', async ({ page, signIn, db, pair }) => {
  const HOME = '/app/issuer/dashboard'
  const yesterday = addDays(dateInMexico(), -1)
  const other = await makePair(db)
  await makeEntry(db, other.ids, { amount: '999.00' })
  await signIn('issuer', pair.issuer)

  await test.step('without data a board says what will be there, and draws nothing', async () => {
    await page.goto(HOME)
    expect(await optionsOf(page, 'Tablero')).toEqual(['Rendimiento', 'Embudo', 'Comisiones'])
    await expect(page.getByText('desde el día siguiente al primer clic hacia uno de tus productos')).toBeVisible()
    await expect(page.getByRole('figure')).toHaveCount(0)
  })

  await makeHistory(db, pair.ids, daysAgo(4))
  await makeLead(db, pair.ids)
  // Of names that come after the one of the history, with which the funnel begins.
  const productId = async () => (await makeProduct(db, { issuer_id: pair.issuer.id, name: 'Zafiro' })).id
  const last = { ...pair.ids, product_id: await productId() }
  for (const days of [3, 5]) await makeEntry(db, last, { amount: '100.00', earned_at: daysAgo(days) })
  for (let count = 0; count < 5; count++) {
    const lead = { ...pair.ids, product_id: await productId(), created_at: daysAgo(2) }
    for (const _ of ['one', 'two', 'three', 'four']) await makeLead(db, lead)
  }
  await page.reload()

  await test.step('what it owes, which affiliates changed, and the figures of the period', async () => {
    const due = page.getByRole('region', { name: 'Por pagar' })
    await expect(due).toContainText('$550.00')
    await expect(due).toContainText('3 comisiones, desde el')
    await expect(page.getByRole('list', { name: 'Lo que más cambió' })).toContainText(pair.affiliate.company_name)
    await expect(factOf(figuresOf(page), 'Leads')).toContainText('25')
    await expect(factOf(figuresOf(page), 'Conversiones')).toContainText('3')
    await expect(factOf(figuresOf(page), 'Tasa de conversión')).toContainText('12.00%')
    await expect(factOf(figuresOf(page), 'Comisión ganada')).toContainText('$550.00')
    const figure = (name: RegExp) => page.getByRole('figure', { name })
    await expect(figure(/^Leads por día y/)).toBeVisible()
    await choose(page, 'Cifra de la gráfica', 'Conversiones')
    await expect(figure(/^Conversiones por día y/)).toBeVisible()
    await choose(page, 'Cifra de la gráfica', 'Leads')
    await expect(page.locator('iframe')).toHaveCount(0)
  })

  await test.step('a ranking shows its first five until all are asked for, and is downloaded as a file', async () => {
    await expect(rowsOf(page, 'Por afiliado')).toHaveCount(2)
    await expect(page.getByRole('table', { name: 'Por emisor' })).toHaveCount(0)
    await expect(page.getByText(other.affiliate.company_name, { exact: true })).toHaveCount(0)
    const ranking = rowsOf(page, 'Por producto')
    await expect(ranking).toHaveCount(1 + 5)
    await expect(ranking.filter({ hasText: pair.product.name })).toHaveCount(0)
    await page.getByRole('button', { name: 'Ver todos (7)' }).click()
    await expect(ranking).toHaveCount(1 + 7)
    await expect(ranking.nth(6)).toContainText(pair.product.name)
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Descargar CSV: Por producto' }).click()
    const file = await coming
    expect(file.suggestedFilename()).toBe(`afluente-rendimiento-productos-${dateInMexico()}.csv`)
    const text = await readFile((await file.path()) ?? '', 'utf8')
    expect(text).toContain(`${pair.product.id},${pair.product.name},3,1,33.33,350.00`)
  })

  await test.step('a period is chosen by name or from the calendar, and all of it by keyboard', async () => {
    const period = choiceOf(page, 'Periodo')
    const popup = page.getByRole('dialog', { name: 'Periodo' })
    await period.press('Enter')
    await expect(popup.getByRole('option', { name: /^Últimos 30 días/ })).toBeFocused()
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
    const month = addDays(yesterday, -Number(yesterday.slice(8))).slice(0, 7)
    await expect(page).toHaveURL(`${HOME}?periodo=otro&desde=${month}-03&hasta=${month}-09`)
    await expect(period).toHaveText(/^3–9 /)
    // The popup begins where its field does.
    await period.click()
    const [field, opened] = [await period.boundingBox(), await popup.boundingBox()]
    expect(Math.abs((opened?.x ?? 0) - (field?.x ?? 0))).toBeLessThanOrEqual(1)
    await page.keyboard.press('Escape')
    await expect(popup).toHaveCount(0)
  })

  await test.step('today stands apart', async () => {
    await choose(page, 'Periodo', /^Este año/)
    await expect(factOf(figuresOf(page), 'Leads').getByText('en curso')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Leyenda' }).first()).toContainText('Hoy, en curso')
    await choose(page, 'Periodo', /^Últimos 30 días/)
    await expect(page).toHaveURL(HOME)
  })

  await test.step('the funnel and the commissions', async () => {
    await choose(page, 'Tablero', 'Embudo')
    await expect(choiceOf(page, 'Producto')).toHaveValue(pair.product.name)
    await expect(bars(page).nth(0)).toContainText('3 · 100.00% de los clics')
    await expect(bars(page).filter({ hasText: 'Solicitud' })).toContainText('Se pierden 1 (33.33%)')
    await expect(bars(page).filter({ hasText: /^Aprobado/ })).toContainText('1 · 33.33% de los clics')
    await page.getByRole('button', { name: 'Ver tabla' }).first().click()
    await expect(rowsOf(page, 'Pasos').filter({ hasText: 'Solicitud' })).toContainText('66.67%')
    await choose(page, 'Tablero', 'Comisiones')
    const states = page.getByRole('region', { name: 'Comisiones del periodo' })
    await expect(factOf(states, 'Devengada')).toContainText('$550.00')
    await expect(factOf(states, 'Pagada')).toContainText('$0.00')
  })

  await test.step('its events stopped', async () => {
    await choose(page, 'Tablero', 'Rendimiento')
    const waiting = page.getByRole('list', { name: 'Por atender' })
    await waiting.getByRole('link', { name: /^Tus eventos se detuvieron/ }).click()
    await expect(page).toHaveURL('/app/issuer/integration')
  })
})

test('an affiliate reads what it earned, and the boards that are its own', async ({ page, signIn, db, pair }) => {
  const HOME = '/app/affiliate/dashboard'
  for (const name of ['Captación', 'Ingresos']) {
    const board = { name, description: `De ${name}`, iframe_url: `${TOOL}/${name.toLowerCase()}` }
    await makeDashboard(db, { ...board, role: 'affiliate', affiliate_id: pair.affiliate.id })
  }
  const empty = await makeProduct(db, { issuer_id: pair.issuer.id, name: `Zafiro ${pair.issuer.id}` })
  await page.route(`${TOOL}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Altas</h1>' }))
  await signIn('affiliate', pair.affiliate)

  await test.step('without data it is told so', async () => {
    await page.goto(HOME)
    const due = page.getByRole('region', { name: 'Por pagar' })
    await expect(due).toContainText('Sin comisiones por pagar')
    await expect(due).toContainText('Sin movimientos en los últimos 90 días')
    await expect(page.getByText('desde el día siguiente al primer clic en uno de tus enlaces')).toBeVisible()
    await expect(page.getByRole('figure')).toHaveCount(0)
  })

  await test.step('boards of another tool stand in their frame', async () => {
    expect(await optionsOf(page, 'Tablero')).toEqual([
      ...['Rendimiento', 'Embudo', 'Comisiones', 'Captación', 'Ingresos'],
    ])
    await choose(page, 'Tablero', 'Captación')
    await expect(page.getByText('De Captación')).toBeVisible()
    const frame = page.getByTitle('Captación', { exact: true })
    await expect(frame).toHaveAttribute('src', new RegExp(`^${TOOL}/captaci`))
    await expect(frame).toHaveAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms allow-popups')
    expect((await frame.boundingBox())?.height).toBe(800)
    await choose(page, 'Tablero', 'Ingresos')
    await expect(page.getByText('De Ingresos')).toBeVisible()
    await expect(page.getByTitle('Ingresos', { exact: true })).toHaveAttribute('src', `${TOOL}/ingresos`)
  })

  await makeHistory(db, pair.ids, daysAgo(1))
  await makePayment(db, pair.ids, { total_amount: '1500.00', payment_date: '2099-01-05' })
  await page.reload()
  await expect(choiceOf(page, 'Tablero')).toHaveText('Ingresos')

  await test.step('what it earned, what is to be paid when, and its products', async () => {
    await choose(page, 'Tablero', 'Rendimiento')
    await expect(page.getByRole('region', { name: 'Por pagar' })).toContainText('1 comisión, desde el')
    const earnings = page.getByRole('region', { name: 'Tus ganancias' })
    await expect(factOf(earnings, 'Ganado')).toContainText('$350.00')
    await expect(factOf(earnings, 'Próximo pago')).toContainText('$1,500.00')
    await expect(factOf(earnings, 'Próximo pago')).toContainText('5 ene 2099')
    await expect(page.getByRole('list', { name: 'Tus productos' })).toContainText('ganaste $350.00')
    await expect(page.getByRole('heading', { name: 'Por atender' })).toHaveCount(0)
  })

  await test.step('boards of the product are part of the screen, and filters that find nothing are cleared', async () => {
    await expect(page.locator('iframe')).toHaveCount(0)
    await expect(factOf(figuresOf(page), 'Comisión ganada')).toContainText('$350.00')
    await expect(rowsOf(page, 'Por emisor')).toHaveCount(2)
    await expect(page.getByRole('table', { name: 'Por afiliado' })).toHaveCount(0)
    await clearEmpty(page, empty.name)
    await choose(page, 'Tablero', 'Comisiones')
    const states = page.getByRole('region', { name: 'Comisiones del periodo' })
    await expect(factOf(states, 'Devengada')).toContainText('$350.00')
    await clearEmpty(page, empty.name)
  })

  await test.step('the board of the network is the administrator’s alone', async () => {
    await page.goto('/embed/red')
    await expect(page.getByText('No tienes permisos para ver este tablero')).toBeVisible()
  })
})
