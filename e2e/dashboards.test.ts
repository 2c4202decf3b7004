import { metrics } from '#contract/metrics.ts'
import { products } from '#contract/products.ts'
import { factOf } from './facts.ts'
import { expect, test } from './fixtures.ts'
import { answerNext, choiceOf, choose, expectNoViolations, failNext, hold, optionsOf } from './screen.ts'

const ADMIN = '/app/admin/dashboard'
const TOOL = 'https://tableros.example.mx'

test('the administrator sees four figures and what happened last', async ({ page, signIn, pair }) => {
  const api = await signIn('admin')
  const name = `Tarjeta Cauce ${pair.product.id}`
  await api.call(products.update, { params: { id: pair.product.id }, body: { name } })
  const answered = page.waitForResponse((response) => response.url().includes(metrics.overview.path))
  const release = await hold(page, metrics.activity)
  await page.goto(ADMIN)
  await expect(page.getByText('Cargando actividad...')).toBeAttached()
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
  await expectNoViolations(page)
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
    await page.goto(ADMIN)
    await tiles.filter({ hasText: tile }).click()
    await expect(page).toHaveURL(path)
  }
})

test('figures and activity that fail to load can be asked for again', async ({ page, signIn }) => {
  await signIn('admin')
  await failNext(page, metrics.overview)
  await failNext(page, metrics.activity)
  await page.goto(ADMIN)
  for (const text of ['Error al cargar las cifras', 'Error al cargar la actividad'])
    await expect(page.getByRole('alert').filter({ hasText: text })).toBeVisible()
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Reintentar' }).first().click()
  await expect(page.getByRole('region', { name: 'Cifras de la red' })).toBeVisible()
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await expect(page.getByRole('list', { name: 'Actividad reciente' })).toBeVisible()
})

for (const role of ['issuer', 'affiliate'] as const) {
  const path = `/app/${role}/dashboard`

  test(`the ${role} chooses among its boards`, async ({ page, signIn, db, issuer, affiliate }) => {
    const owner = role === 'issuer' ? { issuer_id: issuer.id } : { affiliate_id: affiliate.id }
    const board = (name: string, iframe_url: string) => ({
      ...{ role, ...owner, name, description: `De ${name}`, iframe_url },
    })
    await db
      .insertInto('dashboard')
      .values([board('Captación', `${TOOL}/captacion`), board('Ingresos', `${TOOL}/ingresos`)])
      .execute()
    await page.route(`${TOOL}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Altas</h1>' }))
    await signIn(role, role === 'issuer' ? issuer : affiliate)
    await page.goto(path)
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

  test(`the ${role} hears of boards that fail to load`, async ({ page, signIn, issuer, affiliate }) => {
    await signIn(role, role === 'issuer' ? issuer : affiliate)
    await failNext(page, metrics.dashboards)
    await page.goto(path)
    const alert = page.getByRole('alert').filter({ hasText: 'Error al cargar los dashboards' })
    await expect(alert).toBeVisible()
    await expectNoViolations(page)
    await page.getByRole('button', { name: 'Reintentar' }).click()
    await expect(alert).toHaveCount(0)
  })

  test(`the ${role} without boards is shown the way to its figures`, async ({ page, signIn, issuer, affiliate }) => {
    await signIn(role, role === 'issuer' ? issuer : affiliate)
    await answerNext(page, metrics.dashboards, 200, { success: true, data: [], message: null, errors: null, meta: {} })
    await page.goto(path)
    await expect(page.getByText('Aún no tienes dashboards')).toBeVisible()
    await expectNoViolations(page)
    const ways = page.getByRole('navigation', { name: 'Otras pantallas' })
    await expect(ways.getByRole('link', { name: 'Pagos' })).toHaveAttribute('href', `/app/${role}/payments`)
    await ways.getByRole('link', { name: 'Leads' }).click()
    await expect(page).toHaveURL(`/app/${role}/leads`)
  })
}

test('the campaigns of an affiliate are still to come', async ({ page, signIn, affiliate }) => {
  await signIn('affiliate', affiliate)
  await page.goto('/app/affiliate/campaigns')
  await expect(page.getByText('Esta sección está en desarrollo')).toBeVisible()
  await expectNoViolations(page)
})
