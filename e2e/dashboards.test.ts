import type { Page } from '@playwright/test'
import { metrics } from '#contract/metrics.ts'
import { products } from '#contract/products.ts'
import { type Summary, summary } from '#contract/summary.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { makeEntry, makeLead, makePayment } from '#db/factories.ts'
import { factOf } from './facts.ts'
import { expect, test } from './fixtures.ts'
import {
  answerNext,
  callsOf,
  choiceOf,
  choose,
  expectNoViolations,
  expectRow,
  expectToast,
  failNext,
  hold,
  optionsOf,
  success,
} from './screen.ts'

const ADMIN = '/app/admin/dashboard'
const daysAgo = (days: number) => `${addDays(dateInMexico(), -days)}T18:00:00Z`
const TOOL = 'https://tableros.example.mx'

test('the administrator sees four figures and what happened last', async ({ page, signIn, pair }) => {
  const api = await signIn('admin')
  const name = `Tarjeta Cauce ${pair.product.id}`
  const answered = page.waitForResponse((response) => response.url().includes(metrics.overview.path))
  const release = await hold(page, metrics.activity)
  await page.goto(ADMIN)
  await expect(page.getByText('Cargando actividad...')).toBeAttached()
  // Right before it is asked for: other tests do things, too, and only the last are listed.
  await api.call(products.update, { params: { id: pair.product.id }, body: { name } })
  release()
  const { data: figures } = await (await answered).json()
  const cards = page.getByRole('region', { name: 'Cifras de la red' })
  await expect(cards.getByRole('term')).toHaveText([
    ...['Total Usuarios', 'Productos Activos', 'Conversiones Hoy', 'Ingresos del Mes'],
  ])
  await expect(cards.getByText('desde el mes pasado')).toHaveCount(4)
  await expect(cards.getByText('en curso')).toHaveCount(2)
  await expect(factOf(cards, 'Conversiones Hoy')).not.toContainText('%')
  await expect(factOf(cards, 'Conversiones Hoy')).toContainText(/frente a .* ambos hasta las \d\d:\d\d: /)
  await expect(factOf(cards, 'Total Usuarios')).toContainText(String(figures.total_users.value))
  await expect(factOf(cards, 'Ingresos del Mes')).toContainText('$')
  const activity = page.getByRole('list', { name: 'Actividad reciente' })
  await expect(activity.getByText(`Ana Prueba actualizó el producto ${name}`)).toBeVisible()
})

test('income of today alone is no change against a month without any', async ({ page, signIn }) => {
  const days = {
    period: { from: '2026-11-01', to: '2026-11-21' },
    previous_period: { from: '2026-10-01', to: '2026-10-21' },
  }
  const figure = <T>(value: T, compared: T, previous: T) => ({
    ...{ value, compared, previous, change: null, comparison: days, until: null },
  })
  const counts = { total_users: figure(1, 1, 0), active_products: figure(1, 1, 0), conversions_today: figure(1, 1, 0) }
  const figures = { ...counts, month_income: figure('700.00', '0.00', '0.00') }
  await answerNext(page, metrics.overview, 200, success(figures))
  await signIn('admin')
  await page.goto(ADMIN)
  const income = factOf(page.getByRole('region', { name: 'Cifras de la red' }), 'Ingresos del Mes')
  await expect(income).toContainText('$700.00')
  await expect(income).toContainText('Sin cambio')
})

test('the tiles of the administrator open their screens', async ({ page, signIn }) => {
  await signIn('admin')
  await page.goto(ADMIN)
  const tiles = page.getByRole('navigation', { name: 'Acciones rápidas' }).getByRole('link')
  await expect(tiles).toHaveCount(3)
  for (const [tile, path] of [
    ['Gestionar usuarios', '/app/admin/users'],
    ['Configurar productos', '/app/admin/products'],
    ['Revisar pagos', '/app/admin/payments'],
  ] as const) {
    await tiles.filter({ hasText: tile }).click()
    await expect(page).toHaveURL(path)
    await page.goBack()
  }
})

/** The network has had its first event, whatever the tests beside this one made. */
const begun = (page: Page) =>
  answerNext(
    page,
    metrics.firstSteps,
    200,
    success({
      ...{ issuer: true, product: true, event_step: true, affiliate: true },
      relationship: true,
      commission: true,
      event: true,
    }),
  )

test('the administrator sees what is owed, ninety days of it, what waits and what changed', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeEntry(db, pair.ids, { amount: '350.00' })
  await makeLead(db, { ...pair.ids, created_at: daysAgo(2) })
  await makePayment(db, pair.ids, { total_amount: '1500.00' })
  await begun(page)
  await signIn('admin')
  const answered = page.waitForResponse((response) => response.url().includes(summary.get.path))
  await page.goto(ADMIN)
  const { data } = (await (await answered).json()) as { data: Summary }
  const due = page.getByRole('region', { name: 'Por pagar' })
  await expect(due).toContainText(`$${Number(data.due.accrued).toLocaleString('en-US', { minimumFractionDigits: 2 })}`)
  await expect(due).toContainText(/comisi(ón|ones), desde el \d/)
  await expect(due.getByRole('link', { name: /^En pago/ })).toHaveAttribute('href', '/app/admin/payments')
  await due.getByRole('button', { name: 'Leads' }).click()
  await expect(due.getByRole('button', { name: 'Leads' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page).toHaveURL(`${ADMIN}?grafica=leads`)
  await due.getByRole('button', { name: 'Ver tabla' }).click()
  const today = due.getByRole('table', { name: 'Últimos 90 días' }).getByRole('row').nth(1)
  await expect(today).toContainText('en curso')
  await expect(today).toContainText('$')
  const changed = page.getByRole('list', { name: 'Lo que más cambió' })
  await expect(changed.getByRole('listitem').first()).toContainText('leads')
  await expectNoViolations(page)
  const waiting = page.getByRole('list', { name: 'Por atender' })
  await waiting.getByRole('link', { name: /^Pagos por hacer/ }).click()
  await expect(page).toHaveURL('/app/admin/payments?estado=pending')
})

test('every issuer that fell silent is named, and one alone is found', async ({ page, signIn, issuer }) => {
  await begun(page)
  const api = await signIn('admin')
  const data = await api.call(summary.get)
  const silent = (names: string[]) =>
    success({
      ...data,
      attention: {
        ...data.attention,
        silent_issuers: names.map((name, at) => ({ id: at + 1, name, last_day: '2025-03-04' })),
      },
    })
  const link = page.getByRole('list', { name: 'Por atender' }).getByRole('link', { name: /^Emisores sin avisos/ })
  await answerNext(page, summary.get, 200, silent(['Banco Uno', 'Banco Dos', 'Banco Tres']))
  await page.goto(ADMIN)
  for (const name of ['Banco Uno', 'Banco Dos', 'Banco Tres']) await expect(link).toContainText(`${name}, desde el`)
  await answerNext(page, summary.get, 200, silent([issuer.company_name]))
  await begun(page)
  await page.reload()
  await link.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Emisores')
  await expectRow(page, { Empresa: issuer.company_name })
})

test('parts of the dashboard that fail to load can be asked for again', async ({ page, signIn }) => {
  await begun(page)
  await signIn('admin')
  for (const part of [summary.get, summary.movers, metrics.overview, metrics.activity]) await failNext(page, part)
  await page.goto(ADMIN)
  const alert = (text: string) => page.getByRole('alert').filter({ hasText: `Error al cargar ${text}` })
  for (const text of ['lo que hay por pagar', 'lo que hay por atender', 'los cambios', 'las cifras', 'la actividad'])
    await expect(alert(text)).toBeVisible()
  await expectNoViolations(page)
  for (const [text, also] of [
    ['lo que hay por pagar', 'lo que hay por atender'],
    ['los cambios'],
    ['las cifras'],
    ['la actividad'],
  ] as const) {
    await alert(text).getByRole('button', { name: 'Reintentar' }).click()
    for (const loaded of [text, also ?? text]) await expect(alert(loaded)).toHaveCount(0)
  }
  await expect(page.getByRole('region', { name: 'Cifras de la red' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Actividad reciente' })).toBeVisible()
})

test('an issuer sees what it owes, which affiliates changed and that its events stopped', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  for (const days of [3, 4, 5]) await makeEntry(db, pair.ids, { amount: '100.00', earned_at: daysAgo(days) })
  await signIn('issuer', pair.issuer)
  await page.goto('/app/issuer/dashboard')
  const due = page.getByRole('region', { name: 'Por pagar' })
  await expect(due).toContainText('$300.00')
  await expect(due).toContainText('3 comisiones')
  await expect(page.getByRole('list', { name: 'Lo que más cambió' })).toContainText(pair.affiliate.company_name)
  await expectNoViolations(page)
  await page
    .getByRole('list', { name: 'Por atender' })
    .getByRole('link', { name: /^Tus eventos se detuvieron/ })
    .click()
  await expect(page).toHaveURL('/app/issuer/integration')
})

test('an affiliate sees what it earned, what is to be paid when, and its products', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeEntry(db, pair.ids, { amount: '350.00', earned_at: daysAgo(2) })
  await makePayment(db, pair.ids, { total_amount: '1500.00', payment_date: '2030-01-05' })
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/dashboard')
  await expect(page.getByRole('region', { name: 'Por pagar' })).toContainText('1 comisión, desde el')
  const earnings = page.getByRole('region', { name: 'Tus ganancias' })
  await expect(factOf(earnings, 'Ganado')).toContainText('$350.00')
  await expect(factOf(earnings, 'Próximo pago')).toContainText('$1,500.00')
  await expect(factOf(earnings, 'Próximo pago')).toContainText('5 ene 2030')
  await expect(page.getByRole('list', { name: 'Tus productos' })).toContainText('ganaste $350.00')
  await expect(page.getByRole('heading', { name: 'Por atender' })).toHaveCount(0)
  await expectNoViolations(page)
})

test('a payment whose day has passed is said to be late', async ({ page, signIn, db, pair }) => {
  await makePayment(db, pair.ids, { total_amount: '120.00', payment_date: '2025-05-05' })
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/dashboard')
  const next = factOf(page.getByRole('region', { name: 'Tus ganancias' }), 'Próximo pago')
  await expect(next).toContainText('$120.00')
  await expect(next).toContainText('Atrasado: era para el 5 may 2025')
})

test('what is earned and cannot be paid yet is said to be so', async ({ page, signIn, db, pair }) => {
  await makeEntry(db, pair.ids, { amount: '350.00', earned_at: daysAgo(2), due_on: addDays(dateInMexico(), 20) })
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/dashboard')
  const due = page.getByRole('region', { name: 'Por pagar' })
  await expect(due).toContainText('$350.00')
  await expect(due).toContainText('1 comisión que todavía no se puede pagar')
  await makeEntry(db, pair.ids, { amount: '150.00', earned_at: daysAgo(1), due_on: 'infinity' })
  await page.reload()
  await expect(due).toContainText('2 comisiones que todavía no se pueden pagar')
})

test('an affiliate without anything is told so', async ({ page, signIn, affiliate }) => {
  await signIn('affiliate', affiliate)
  await page.goto('/app/affiliate/dashboard')
  const due = page.getByRole('region', { name: 'Por pagar' })
  await expect(due).toContainText('$0.00')
  await expect(due).toContainText('Sin comisiones por pagar')
  await expect(due).toContainText('Sin movimientos en los últimos 90 días')
  await expect(page.getByText('Sin pagos programados')).toBeVisible()
  await expectNoViolations(page)
})

test('an affiliate chooses among its boards', async ({ page, signIn, db, affiliate }) => {
  const board = (name: string, iframe_url: string) => ({
    ...{ role: 'affiliate', affiliate_id: affiliate.id, name, description: `De ${name}`, iframe_url },
  })
  await db
    .insertInto('dashboard')
    .values([board('Captación', `${TOOL}/captacion`), board('Ingresos', `${TOOL}/ingresos`)])
    .execute()
  await page.route(`${TOOL}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Altas</h1>' }))
  await signIn('affiliate', affiliate)
  await page.goto('/app/affiliate/dashboard')
  const boards = await optionsOf(page, 'Tablero')
  expect(boards.slice(-2)).toEqual(['Captación', 'Ingresos'])
  await expect(choiceOf(page, 'Tablero')).toHaveText(boards[0] ?? '')
  await choose(page, 'Tablero', 'Captación')
  await expect(page.getByText('De Captación')).toBeVisible()
  const frame = page.getByTitle('Captación', { exact: true })
  await expect(frame).toHaveAttribute('src', `${TOOL}/captacion`)
  await expect(frame).toHaveAttribute('sandbox', /allow-scripts/)
  expect((await frame.boundingBox())?.height).toBe(800)
  await choose(page, 'Tablero', 'Ingresos')
  await expect(page.getByText('De Ingresos')).toBeVisible()
  await expect(page.getByTitle('Ingresos', { exact: true })).toHaveAttribute('src', `${TOOL}/ingresos`)
  await page.reload()
  await expect(choiceOf(page, 'Tablero')).toHaveText('Ingresos')
})

test('boards that fail to load can be asked for again', async ({ page, signIn, affiliate }) => {
  await signIn('affiliate', affiliate)
  await failNext(page, metrics.dashboards)
  const calls = callsOf(page, metrics.dashboards)
  await page.goto('/app/affiliate/dashboard')
  const alert = page.getByRole('alert').filter({ hasText: 'Error al cargar los dashboards' })
  await expect(alert).toBeVisible()
  await expectToast(page, 'Ocurrió un error inesperado')
  expect(calls).toHaveLength(2)
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await expect(alert).toHaveCount(0)
})

for (const role of ['issuer', 'affiliate'] as const)
  test(`the ${role} without boards is shown the way to its figures`, async ({ page, signIn, issuer, affiliate }) => {
    await signIn(role, role === 'issuer' ? issuer : affiliate)
    await answerNext(page, metrics.dashboards, 200, success([]))
    await page.goto(`/app/${role}/dashboard`)
    await expect(page.getByText('Aún no tienes dashboards')).toBeVisible()
    if (role === 'issuer') await expectNoViolations(page)
    const ways = page.getByRole('navigation', { name: 'Otras pantallas' })
    await expect(ways.getByRole('link', { name: 'Pagos' })).toHaveAttribute('href', `/app/${role}/payments`)
    await ways.getByRole('link', { name: 'Leads' }).click()
    await expect(page).toHaveURL(`/app/${role}/leads`)
  })

test('the campaigns of an affiliate are still to come', async ({ page, signIn, affiliate }) => {
  await signIn('affiliate', affiliate)
  await page.goto('/app/affiliate/campaigns')
  await expect(page.getByText('Esta sección está en desarrollo')).toBeVisible()
  await expectNoViolations(page)
})
