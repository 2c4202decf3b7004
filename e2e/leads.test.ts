import type { Page } from '@playwright/test'
import { leads } from '#contract/leads.ts'
import {
  type Ids,
  makeAffiliate,
  makeEvent,
  makeIssuer,
  makeLead,
  makeProduct,
  makeRelationship,
  makeStep,
} from '#db/factories.ts'
import { idAt } from '#db/lead-ids.ts'
import { expect, test } from './fixtures.ts'
import {
  answerNext,
  callsOf,
  choiceOf,
  choose,
  expectHeads,
  expectNoViolations,
  expectRow,
  failNext,
  hold,
  optionsOf,
  success,
} from './screen.ts'

const rowsOf = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('cell') })
const refresh = (page: Page) => page.getByRole('button', { name: 'Actualizar' })
const queryOf = (calls: URL[]) => Object.fromEntries(calls.at(-1)?.searchParams ?? [])

type Db = Parameters<typeof makeLead>[0]

/** Clicks a minute apart, the last one the newest. */
const makeLeads = (db: Db, ids: Ids, count: number) =>
  db
    .insertInto('lead')
    .values(
      Array.from({ length: count }, (_, index) => ({
        ...ids,
        tracking_id: idAt(Date.UTC(2025, 2, 4, 18, index)),
        external_id: `visita-${String(index + 1).padStart(3, '0')}`,
      })),
    )
    .execute()

test('matches beyond 10,000 are said to be more', async ({ page, signIn, db, pair }) => {
  await makeLeads(db, pair.ids, 30)
  const api = await signIn('issuer', pair.issuer)
  const list = await api.call(leads.list, { query: { page_size: 25, external_id: 'visita' } })
  const pagination = { ...list.pagination, count: 10_000, total_pages: 400 }
  await answerNext(page, leads.list, 200, success({ ...list, pagination }, { count_is_capped: true }))
  await page.goto('/app/issuer/leads?page_size=25&external_id=visita')
  await expect(page.getByText('Mostrando 25 de más de 10,000 leads')).toBeVisible()
  await expect(page.getByText('Página 1 de 400 (más de 10,000 leads en total)')).toBeVisible()
  await page.getByRole('button', { name: 'Página siguiente' }).click()
  await expect(page.getByText('Mostrando 5 de 30 leads')).toBeVisible()
})

test('the list says how many there are and shows them newest first', async ({ page, signIn, db, pair }) => {
  await makeLeads(db, pair.ids, 3)
  await signIn('issuer', pair.issuer)
  const calls = callsOf(page, leads.list)
  await page.goto('/app/issuer/leads')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mis Leads')
  await expect(page.getByRole('heading', { name: 'Gestión de Leads' })).toBeVisible()
  await expect(page.getByText('Mostrando 3 de 3 leads')).toBeVisible()
  expect(await expectHeads(page)).toEqual([
    '',
    ...['ID', 'External ID', 'Emisor', 'Producto', 'Fecha'],
    ...['Estado', 'Monto', 'Acciones'],
  ])
  await expectRow(page, {
    'External ID': 'visita-003',
    Emisor: pair.issuer.company_name,
    Producto: pair.product.name,
    Fecha: '04/03/2025',
    Estado: 'Clic',
    Monto: '—',
  })
  await expect(rowsOf(page).first()).toContainText('visita-003')
  expect(queryOf(calls)).toEqual({ page: '1', page_size: '50', ordering: '-created_at' })
  await expect(page.getByRole('navigation', { name: 'Paginación' })).toHaveCount(0)
  await expect(choiceOf(page, 'Filas por página')).toHaveCount(0)
  await expectNoViolations(page)
})

test('the affiliate is a column for those who choose it, also the next time', async ({ page, signIn, db, pair }) => {
  await makeLead(db, pair.ids)
  await signIn('issuer', pair.issuer)
  await page.goto('/app/issuer/leads')
  await expectRow(page, { Producto: pair.product.name })
  await page.getByRole('button', { name: 'Columnas' }).click()
  const affiliate = page.getByRole('menuitemcheckbox', { name: 'Afiliado' })
  await expect(affiliate).toHaveAttribute('aria-checked', 'false')
  await affiliate.click()
  await expect(affiliate).toHaveAttribute('aria-checked', 'true')
  await page.reload()
  await expectRow(page, { Afiliado: pair.affiliate.company_name })
  expect((await expectHeads(page)).slice(-4)).toEqual(['Estado', 'Monto', 'Afiliado', 'Acciones'])
  await page.getByRole('button', { name: 'Columnas' }).click()
  await affiliate.click()
  await expect(page.getByRole('columnheader', { name: 'Afiliado' })).toHaveCount(0)
})

test('pages turn, and everything but turning starts at the first', async ({ page, signIn, db, pair }) => {
  await makeLeads(db, pair.ids, 60)
  await signIn('affiliate', pair.affiliate)
  const calls = callsOf(page, leads.list)
  await page.goto('/app/affiliate/leads')
  await expect(page.getByText('Mostrando 50 de 60 leads')).toBeVisible()
  await expect(page.getByText('Página 1 de 2 (60 leads en total)')).toBeVisible()
  const button = (name: string) => page.getByRole('button', { name })
  const off = ['aria-disabled', 'true'] as const
  for (const name of ['Primera página', 'Página anterior']) await expect(button(name)).toHaveAttribute(...off)
  const table = page.getByRole('table', { name: 'Gestión de Leads' })
  await expect(table).toHaveAttribute('aria-busy', 'false')
  const answered = await hold(page, leads.list)
  await button('Página siguiente').click()
  await expect(table).toHaveAttribute('aria-busy', 'true') // these are still the rows of the page before
  await expect(button('Última página')).toHaveAttribute(...off)
  await expect(refresh(page)).toHaveAttribute(...off)
  answered()
  await expect(page.getByText('Página 2 de 2 (60 leads en total)')).toBeVisible()
  for (const name of ['Última página', 'Página siguiente']) await expect(button(name)).toHaveAttribute(...off)
  await expect(refresh(page)).not.toHaveAttribute(...off)
  await expect(page.getByRole('button', { name: 'Limpiar' })).toHaveCount(0)

  expect(await optionsOf(page, 'Filas por página')).toEqual(['25', '50', '100'])
  await choose(page, 'Filas por página', '25')
  await expect(page.getByText('Página 1 de 3 (60 leads en total)')).toBeVisible()
  expect(queryOf(calls)).toMatchObject({ page: '1', page_size: '25' })
  await button('Última página').click()
  await expect(page.getByText('Página 3 de 3 (60 leads en total)')).toBeVisible()
  await button('Página anterior').click()
  await expect(page.getByText('Página 2 de 3 (60 leads en total)')).toBeVisible()
  await button('Primera página').click()
  await expect(page.getByText('Página 1 de 3 (60 leads en total)')).toBeVisible()
  await button('Página siguiente').click()
  await expect(page.getByText('Página 2 de 3 (60 leads en total)')).toBeVisible()
  await choose(page, 'Orden', 'Más antiguos primero')
  await expect(page.getByText('Página 1 de 3 (60 leads en total)')).toBeVisible()
  await expect(rowsOf(page).first()).toContainText('visita-001')
  expect(queryOf(calls)).toMatchObject({ page: '1', ordering: 'created_at' })
})

test('leads are found by their state, which the address keeps', async ({ page, signIn, db, pair }) => {
  await makeLeads(db, pair.ids, 2)
  const lead = await makeLead(db, { ...pair.ids, external_id: 'en tramite' })
  await makeEvent(db, lead, await makeStep(db, { product_id: pair.product.id }), {})
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/leads')
  await expect(page.getByText('Mostrando 3 de 3 leads')).toBeVisible()
  expect(await optionsOf(page, 'Estado del lead')).toEqual([
    ...['Todos los estados', 'Clic', 'En proceso', 'Aprobado', 'Rechazado', 'Pagado'],
  ])
  await expect(choiceOf(page, 'Estado del lead')).toHaveText('Todos los estados')
  await choose(page, 'Estado del lead', 'En proceso')
  await expect(page.getByText('Mostrando 1 de 1 leads')).toBeVisible()
  await expectRow(page, { 'External ID': 'en tramite', Estado: 'En proceso' })
  await expect(page).toHaveURL(/state=in_process/)
  await page.reload()
  await expect(choiceOf(page, 'Estado del lead')).toHaveText('En proceso')
  await expect(rowsOf(page)).toHaveCount(1)
  await choose(page, 'Estado del lead', 'Clic')
  await expect(page.getByText('Mostrando 2 de 2 leads')).toBeVisible()
  await choose(page, 'Estado del lead', 'Pagado')
  await expect(page.getByText('No se encontraron leads con los filtros aplicados')).toBeVisible()
  await page.getByRole('button', { name: 'Limpiar' }).click()
  await expect(page.getByText('Mostrando 3 de 3 leads')).toBeVisible()
  await page.goto('/app/affiliate/leads?state=perdido')
  await expect(page.getByText('Mostrando 3 de 3 leads')).toBeVisible()
})

test('a choice applies at once, and Limpiar takes all of them back', async ({ page, signIn, db, pair }) => {
  await makeLeads(db, pair.ids, 30)
  const other = await makeProduct(db, { issuer_id: pair.issuer.id })
  await makeLead(db, { ...pair.ids, product_id: other.id, external_id: 'la otra' })
  await signIn('admin')
  const calls = callsOf(page, leads.list)
  await page.goto('/app/admin/leads?page_size=25&page=2')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Gestión de Leads')
  for (const [label, all] of [
    ['Emisor', 'Todos los emisores'],
    ['Afiliado', 'Todos los afiliados'],
    ['Producto', 'Todos los productos'],
  ] as const)
    expect((await optionsOf(page, label))[0]).toBe(all)
  await choose(page, 'Emisor', pair.issuer.company_name)
  await expect(page.getByText('Mostrando 25 de 31 leads')).toBeVisible()
  expect(queryOf(calls)).toMatchObject({ page: '1', issuer_id: String(pair.issuer.id) })
  await page.getByRole('button', { name: 'Página siguiente' }).click()
  await choose(page, 'Afiliado', pair.affiliate.company_name)
  await expect(page.getByText('Mostrando 25 de 31 leads')).toBeVisible()
  expect(queryOf(calls)).toMatchObject({ page: '1', affiliate_id: String(pair.affiliate.id) })
  await choose(page, 'Producto', new RegExp(`^${other.name}`))
  await expectRow(page, { 'External ID': 'la otra' })
  expect(queryOf(calls)).toMatchObject({ page: '1', product_id: String(other.id) })
  await addFilter(page, 'UTM Source')
  const asked = page.waitForRequest((request) => request.url().includes('/api/v1/leads/?'))
  await page.getByRole('button', { name: 'Limpiar' }).click()
  expect(Object.fromEntries(new URL((await asked).url()).searchParams)).toEqual({
    page: '1',
    page_size: '50',
    ordering: '-created_at',
  })
  await expect(page.getByPlaceholder('Ingresa UTM Source')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Limpiar' })).toHaveCount(0)
})

async function addFilter(page: Page, name: string) {
  await page.getByRole('button', { name: 'Filtrar por' }).click()
  await choose(page, 'Campo', name)
  await page.getByRole('button', { name: 'Agregar' }).click()
  await expect(page.getByPlaceholder(`Ingresa ${name}`)).toBeFocused()
}

test('text filters wait for Actualizar and leave one by one', async ({ page, signIn, db, pair }) => {
  await makeLead(db, { ...pair.ids, external_id: 'uno', utm_source: 'Facebook' })
  await makeLead(db, { ...pair.ids, external_id: 'dos', utm_source: 'google' })
  await signIn('affiliate', pair.affiliate)
  const calls = callsOf(page, leads.list)
  await page.goto(`/app/affiliate/leads?issuer_id=${pair.issuer.id}`)
  await expect(rowsOf(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Filtrar por' }).click()
  const add = page.getByRole('button', { name: 'Agregar' })
  await expect(add).toHaveAttribute('aria-disabled', 'true')
  await expect(choiceOf(page, 'Campo')).toHaveText('Campo')
  expect(await optionsOf(page, 'Campo')).toEqual([
    'UTM Source',
    'UTM Medium',
    'UTM Campaign',
    'UTM Term',
    'UTM Content',
    'External ID',
    'Tracking ID',
  ])
  await page.getByRole('button', { name: 'Cancelar' }).click()
  await expect(page.getByRole('button', { name: 'Filtrar por' })).toBeFocused()
  await addFilter(page, 'UTM Source')
  const source = page.getByPlaceholder('Ingresa UTM Source')
  await source.fill('face')
  await source.press('Enter')
  await expect(page).toHaveURL(/[?&]utm_source=face(&|$)/)
  await expect(source).toBeFocused() // and one goes on typing
  await expect(rowsOf(page)).toHaveCount(1)
  const before = calls.length
  await page.keyboard.type('book')
  expect(calls).toHaveLength(before)
  await refresh(page).click()
  await expect(rowsOf(page)).toHaveCount(1)
  await expectRow(page, { 'External ID': 'uno' })
  expect(queryOf(calls)).toMatchObject({ issuer_id: String(pair.issuer.id), utm_source: 'facebook', page: '1' })
  await page.getByRole('button', { name: 'Quitar UTM Source' }).click()
  await expect(page.getByRole('button', { name: 'Filtrar por' })).toBeFocused()
  await expect(rowsOf(page)).toHaveCount(2)
  await expect.poll(() => queryOf(calls)).not.toHaveProperty('utm_source')
  await expect(source).toHaveCount(0)
  await expect(choiceOf(page, 'Estado del lead')).toHaveText('Todos los estados')
  await addFilter(page, 'Tracking ID')
  await page.getByPlaceholder('Ingresa Tracking ID').fill(crypto.randomUUID())
  await page.keyboard.press('Enter')
  await expect(page.getByText('No se encontraron leads con los filtros aplicados')).toBeVisible()
  await expect(page.getByText('No hay leads registrados')).toBeVisible()
  await expectNoViolations(page)
})

test('an address that has outlived its page leads to the last one, and one that means nothing to the whole list', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeLeads(db, pair.ids, 30)
  await signIn('issuer', pair.issuer)
  const calls = callsOf(page, leads.list)
  await page.goto('/app/issuer/leads?page_size=25&page=9')
  await expect(page.getByText('Página 2 de 2 (30 leads en total)')).toBeVisible()
  await expect(page).toHaveURL('/app/issuer/leads?page_size=25&page=2')
  await expect(rowsOf(page)).toHaveCount(5)
  await page.goto('/app/issuer/leads?utm_source=ninguno&page=9')
  await expect(page.getByText('No se encontraron leads con los filtros aplicados')).toBeVisible()
  await page.goto(`/app/issuer/leads?page=-1&product_id=x&utm_term=${'a'.repeat(256)}&ordering=name&external_id=+`)
  await expect(page.getByText('Mostrando 30 de 30 leads')).toBeVisible()
  expect(queryOf(calls)).toEqual({ page: '1', page_size: '50', ordering: '-created_at' })
  await expect(page.getByRole('button', { name: 'Limpiar' })).toHaveCount(0)
})

test('long texts leave the number of their lead whole', async ({ page, signIn, db, pair }) => {
  await makeLead(db, pair.ids)
  const api = await signIn('issuer', pair.issuer)
  const { results, pagination } = await api.call(leads.list)
  const long = 'x'.repeat(255)
  const row = { id: 987_654_321, external_id: long, issuer_name: long, product_name: long }
  const data = { results: results.map((lead) => ({ ...lead, ...row })), pagination }
  await answerNext(page, leads.list, 200, success(data))
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/app/issuer/leads')
  // After the box that chooses it.
  const number = page.getByRole('cell').nth(1).locator('div')
  await expect(number).toContainText('987654321')
  const lines = await number.evaluate((cell) => cell.scrollHeight / cell.clientHeight)
  expect(lines).toBe(1)
})

test('Actualizar asks again', async ({ page, signIn, db, pair }) => {
  await signIn('issuer', pair.issuer)
  const calls = callsOf(page, leads.list)
  await page.goto('/app/issuer/leads')
  await expect(page.getByText('No hay leads registrados')).toHaveCount(2)
  await makeLead(db, { ...pair.ids, external_id: '' })
  await refresh(page).click()
  await expectRow(page, { 'External ID': '—' })
  expect(calls.map((call) => call.search)).toEqual([calls[0]?.search, calls[0]?.search])
})

test('everybody sees their own: the admin all, an issuer its products, an affiliate its clicks', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeLead(db, { ...pair.ids, external_id: 'propio' })
  const issuer = await makeIssuer(db)
  const affiliate = await makeAffiliate(db)
  const relationship = await makeRelationship(db, { affiliate_id: affiliate.id, issuer_id: issuer.id })
  const product = await makeProduct(db, { issuer_id: issuer.id })
  const ids = {
    relationship_id: relationship.id,
    affiliate_id: affiliate.id,
    issuer_id: issuer.id,
    product_id: product.id,
  }
  await makeLead(db, { ...ids, external_id: 'ajeno' })
  for (const [role, company, shown] of [
    ['issuer', pair.issuer, ['Afiliado', 'Producto']],
    ['affiliate', pair.affiliate, ['Emisor', 'Producto']],
  ] as const) {
    await signIn(role, company)
    await page.goto(`/app/${role}/leads`)
    await expect(page.getByText('Mostrando 1 de 1 leads')).toBeVisible()
    await expectRow(page, { 'External ID': 'propio' })
    for (const label of ['Emisor', 'Afiliado', 'Producto'])
      await expect(choiceOf(page, label)).toHaveCount((shown as readonly string[]).includes(label) ? 1 : 0)
  }
  await signIn('admin')
  for (const [id, name] of [
    [pair.issuer.id, 'propio'],
    [issuer.id, 'ajeno'],
  ] as const) {
    await page.goto(`/app/admin/leads?issuer_id=${id}`)
    await expectRow(page, { 'External ID': name })
  }
})

test('the list loads, fails and recovers', async ({ page, signIn, db, pair }) => {
  await makeLeads(db, pair.ids, 1)
  await signIn('issuer', pair.issuer)
  for (const path of ['/api/v1/affiliates', '/api/v1/products'])
    await page.route(
      (url) => url.pathname.startsWith(path),
      (route) => route.fulfill({ status: 500, json: {} }),
    )
  const answered = await hold(page, leads.list)
  await page.goto('/app/issuer/leads')
  await expect(page.getByText('Cargando leads...')).toBeVisible()
  await expect(rowsOf(page)).toHaveCount(5)
  await expect(refresh(page)).toHaveAttribute('aria-disabled', 'true')
  answered()
  await expectRow(page, { 'External ID': 'visita-001' })
  await failNext(page, leads.list)
  await page.reload()
  await expect(page.getByRole('alert').getByText('Error al cargar los leads')).toHaveCount(1)
  const notices = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')
  await expect(notices).toHaveCount(1) // the lists of choices fail in silence
  await expect(notices).toContainText('Error al cargar los leads')
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await expectRow(page, { 'External ID': 'visita-001' })
  await answerNext(page, leads.list, 403, { message: 'Sin permiso' })
  await page.reload()
  await expect(page.getByText('Sin permiso').first()).toBeVisible()
})

test('the name of a choice ends before the cross that takes it back', async ({ page, signIn, issuer }) => {
  await signIn('admin')
  for (const width of [768, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/app/admin/leads?issuer_id=${issuer.id}`)
    if (width === 390) await page.getByRole('button', { name: 'Filtros (1)' }).click()
    const cross = await page.getByRole('button', { name: 'Quitar selección' }).boundingBox()
    const end = await choiceOf(page, 'Emisor').evaluate(
      (input) => input.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(input).paddingRight),
    )
    expect(end).toBeLessThanOrEqual(cross?.x ?? 0)
  }
})
