import type { Page } from '@playwright/test'
import { leads } from '#contract/leads.ts'
import { type Ids, makeEvent, makeLead, makePair, makeProduct, makeStep } from '#db/factories.ts'
import { idAt } from '#db/lead-ids.ts'
import { expect, test } from './fixtures.ts'
import {
  answerNext,
  callsOf,
  choiceOf,
  choose,
  chooseHinted,
  expectHeads,
  expectRow,
  hold,
  optionsOf,
  success,
} from './screen.ts'

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

const rowsOf = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('cell') })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const refresh = (page: Page) => button(page, 'Actualizar')
const queryOf = (calls: URL[]) => Object.fromEntries(calls.at(-1)?.searchParams ?? [])
const WHOLE = { page: '1', page_size: '50', ordering: '-created_at' }
const OFF = ['aria-disabled', 'true'] as const
const NOTHING_FOUND = 'No se encontraron leads con los filtros aplicados'

async function addFilter(page: Page, name: string) {
  await button(page, 'Filtrar por').click()
  await choose(page, 'Campo', name)
  await button(page, 'Agregar').click()
  await expect(page.getByPlaceholder(`Ingresa ${name}`)).toBeFocused()
}

/** Which of these can be chosen. */
const choicesOf = async (page: Page) => {
  const labels = ['Emisor', 'Afiliado', 'Producto']
  const counts = await Promise.all(labels.map((label) => choiceOf(page, label).count()))
  return labels.filter((_, index) => counts[index])
}

test('an affiliate finds its leads by their pages, states and texts, and the address keeps what it asks', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeLeads(db, pair.ids, 57)
  const { ids } = pair
  for (const [external_id, utm_source] of [
    ['uno', 'Facebook'],
    ['dos', 'google'],
  ])
    await makeLead(db, { ...ids, external_id, utm_source })
  const newest = await makeLead(db, { ...ids, external_id: 'en trámite' })
  await makeEvent(db, newest, await makeStep(db, { product_id: ids.product_id }))
  const api = await signIn('affiliate', pair.affiliate)
  const calls = callsOf(page, leads.list)

  await test.step('an address that has outlived its page leads to the last one, without what means nothing', async () => {
    const senseless = `product_id=x&utm_term=${'a'.repeat(256)}&ordering=name&external_id=+`
    await page.goto(`/app/affiliate/leads?page_size=25&page=9&${senseless}`)
    await expect(page.getByText('Página 3 de 3 (60 leads en total)')).toBeVisible()
    await expect(page).toHaveURL(/[?&]page=3(&|$)/)
    expect(queryOf(calls)).toEqual({ ...WHOLE, page: '3', page_size: '25' })
    await expect(button(page, 'Limpiar')).toHaveCount(0)
  })

  await test.step('the list shows who sent each lead where, and how far it came', async () => {
    await expect(page.getByText('Mostrando 10 de 60 leads')).toBeVisible()
    expect(await expectHeads(page)).toEqual([
      '',
      ...['ID', 'External ID', 'Emisor', 'Producto', 'Fecha'],
      ...['Estado', 'Monto', 'Acciones'],
    ])
    await expectRow(page, {
      'External ID': 'visita-001',
      Emisor: pair.issuer.company_name,
      Producto: pair.product.name,
      Fecha: '04/03/2025',
      Estado: 'Clic',
      Monto: '—',
    })
    expect(await choicesOf(page)).toEqual(['Emisor', 'Producto'])
    await expect(button(page, 'Columnas')).toHaveCount(0)
  })

  await test.step('pages turn, one at a time', async () => {
    for (const name of ['Última página', 'Página siguiente']) await expect(button(page, name)).toHaveAttribute(...OFF)
    await button(page, 'Primera página').click()
    await expect(page.getByText('Página 1 de 3 (60 leads en total)')).toBeVisible()
    await expect(rowsOf(page).first()).toContainText('en trámite')
    for (const name of ['Primera página', 'Página anterior']) await expect(button(page, name)).toHaveAttribute(...OFF)
    const table = page.getByRole('table', { name: 'Gestión de Leads' })
    await expect(table).toHaveAttribute('aria-busy', 'false')
    const answered = await hold(page, leads.list)
    await button(page, 'Página siguiente').click()
    await expect(table).toHaveAttribute('aria-busy', 'true') // these are still the rows of the page before
    await expect(button(page, 'Última página')).toHaveAttribute(...OFF)
    await expect(refresh(page)).toHaveAttribute(...OFF)
    answered()
    await expect(page.getByText('Página 2 de 3 (60 leads en total)')).toBeVisible()
    await expect(refresh(page)).not.toHaveAttribute(...OFF)
    await button(page, 'Última página').click()
    await expect(page.getByText('Página 3 de 3 (60 leads en total)')).toBeVisible()
    await button(page, 'Página anterior').click()
    await expect(page.getByText('Página 2 de 3 (60 leads en total)')).toBeVisible()
  })

  await test.step('everything but turning starts at the first page', async () => {
    expect(await optionsOf(page, 'Filas por página')).toEqual(['25', '50', '100'])
    await choose(page, 'Filas por página', '50')
    await expect(page.getByText('Página 1 de 2 (60 leads en total)')).toBeVisible()
    await button(page, 'Página siguiente').click()
    await expect(page.getByText('Página 2 de 2 (60 leads en total)')).toBeVisible()
    await choose(page, 'Orden', 'Más antiguos primero')
    await expect(page.getByText('Página 1 de 2 (60 leads en total)')).toBeVisible()
    await expect(rowsOf(page).first()).toContainText('visita-001')
    expect(queryOf(calls)).toEqual({ ...WHOLE, ordering: 'created_at' })
  })

  await test.step('a state finds its leads; more of them than are counted are said to be more', async () => {
    await choose(page, 'Estado del lead', 'En proceso')
    await expect(page.getByText('Mostrando 1 de 1 leads')).toBeVisible()
    await expectRow(page, { 'External ID': 'en trámite', Estado: 'En proceso' })
    await expect(page).toHaveURL(/state=in_process/)
    const list = await api.call(leads.list, { query: { state: 'click' } })
    const pagination = { ...list.pagination, count: 10_000, total_pages: 200 }
    await answerNext(page, leads.list, 200, success({ ...list, pagination }, { count_is_capped: true }))
    await choose(page, 'Estado del lead', 'Clic')
    await expect(page.getByText('Mostrando 50 de más de 10,000 leads')).toBeVisible()
    await expect(page.getByText('Página 1 de 200 (más de 10,000 leads en total)')).toBeVisible()
    await choose(page, 'Estado del lead', 'Pagado')
    await expect(page.getByText(NOTHING_FOUND)).toBeVisible()
    await button(page, 'Limpiar').click()
    await expect(page.getByText('Mostrando 50 de 60 leads')).toBeVisible()
  })

  await test.step('text filters wait for Actualizar and leave one by one', async () => {
    await choose(page, 'Emisor', pair.issuer.company_name)
    await button(page, 'Filtrar por').click()
    await expect(button(page, 'Agregar')).toHaveAttribute(...OFF)
    await expect(choiceOf(page, 'Campo')).toHaveText('Campo')
    await button(page, 'Cancelar').click()
    await expect(button(page, 'Filtrar por')).toBeFocused()
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
    await expect.poll(() => queryOf(calls).utm_source).toBe('facebook')
    expect(queryOf(calls)).toMatchObject({ issuer_id: String(pair.issuer.id), page: '1' })
    await expectRow(page, { 'External ID': 'uno' })
    await button(page, 'Quitar UTM Source').click()
    await expect(button(page, 'Filtrar por')).toBeFocused()
    await expect(page.getByText('Mostrando 50 de 60 leads')).toBeVisible()
    await expect.poll(() => queryOf(calls)).not.toHaveProperty('utm_source')
    await expect(source).toHaveCount(0)
  })

  await test.step('Actualizar asks again', async () => {
    const coming = idAt(Date.now())
    await addFilter(page, 'Tracking ID')
    await page.keyboard.type(coming)
    await page.keyboard.press('Enter')
    await expect(page.getByText(NOTHING_FOUND)).toBeVisible()
    await expect(page.getByText('No hay leads registrados')).toBeVisible()
    const asked = queryOf(calls)
    await makeLead(db, { ...pair.ids, tracking_id: coming, external_id: '' })
    await refresh(page).click()
    await expectRow(page, { 'External ID': '—' })
    expect(queryOf(calls)).toEqual(asked)
  })
})

test('the administrator narrows the leads of the network, takes it all back, and exports those it chooses', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeLeads(db, pair.ids, 30)
  const product = await makeProduct(db, { issuer_id: pair.issuer.id })
  const ofProduct = await makeLead(db, { ...pair.ids, product_id: product.id, external_id: 'la otra' })
  const other = await makePair(db)
  await makeLead(db, { ...other.ids, external_id: 'ajeno' })
  const api = await signIn('admin')
  const calls = callsOf(page, leads.list)
  await page.goto('/app/admin/leads?page_size=25')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Gestión de Leads')

  await test.step('a choice applies at once, from the first page', async () => {
    for (const [label, all] of [
      ['Emisor', 'Todos los emisores'],
      ['Afiliado', 'Todos los afiliados'],
      ['Producto', 'Todos los productos'],
    ] as const)
      await expect(choiceOf(page, label)).toHaveAttribute('placeholder', all)
    expect((await optionsOf(page, 'Emisor'))[0]).toBe('Todos los emisores')
    await choose(page, 'Emisor', other.issuer.company_name)
    await expectRow(page, { 'External ID': 'ajeno' })
    await choose(page, 'Emisor', pair.issuer.company_name)
    await expect(page.getByText('Mostrando 25 de 31 leads')).toBeVisible()
    expect(queryOf(calls)).toMatchObject({ page: '1', issuer_id: String(pair.issuer.id) })
  })

  await test.step('the name of a choice ends before the cross that takes it back', async () => {
    for (const width of [768, 390]) {
      await page.setViewportSize({ width, height: 900 })
      if (width === 390) await button(page, 'Filtros (1)').click()
      const cross = await button(page, 'Quitar selección').boundingBox()
      const end = await choiceOf(page, 'Emisor').evaluate(
        (input) => input.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(input).paddingRight),
      )
      expect(end).toBeLessThanOrEqual(cross?.x ?? 0)
    }
    await button(page, 'Ver 31 leads').click()
    await expect(page.getByRole('dialog', { name: 'Filtros' })).toHaveCount(0)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('choices narrow each other, and Limpiar takes all of them back', async () => {
    await button(page, 'Página siguiente').click()
    await expect(page.getByText('Mostrando 6 de 31 leads')).toBeVisible()
    await choose(page, 'Afiliado', pair.affiliate.company_name)
    await expect(page.getByText('Mostrando 25 de 31 leads')).toBeVisible()
    expect(queryOf(calls)).toMatchObject({ page: '1', affiliate_id: String(pair.affiliate.id) })
    await chooseHinted(page, 'Producto', product.name)
    await expectRow(page, { 'External ID': 'la otra' })
    await expect(rowsOf(page)).toHaveCount(1)
    expect(queryOf(calls)).toMatchObject({ issuer_id: String(pair.issuer.id), product_id: String(product.id) })
    await button(page, 'Filtrar por').click()
    const fields = await optionsOf(page, 'Campo')
    await button(page, 'Cancelar').click()
    expect(fields).toHaveLength(7)
    // All are as wide, so that what the longest says of itself is whole tells of all.
    const [longest = ''] = fields.toSorted((one, another) => another.length - one.length)
    await addFilter(page, longest)
    const field = page.getByPlaceholder(`Ingresa ${longest}`)
    await field.fill(`Ingresa ${longest}`)
    expect(await field.evaluate((input) => input.scrollWidth - input.clientWidth)).toBe(0)
    const asked = page.waitForRequest((request) => request.url().includes('/api/v1/leads/?'))
    await button(page, 'Limpiar').click()
    expect(Object.fromEntries(new URL((await asked).url()).searchParams)).toEqual(WHOLE)
    await expect(field).toHaveCount(0)
    await expect(button(page, 'Limpiar')).toHaveCount(0)
  })

  await test.step('chosen leads are exported alone', async () => {
    await choose(page, 'Emisor', pair.issuer.company_name)
    await expect(page.getByText('Mostrando 31 de 31 leads')).toBeVisible()
    await page
      .getByRole('checkbox', { name: /^Elegir Lead/ })
      .first()
      .check()
    // Not 'del filtro': of a list in pages only one is here.
    await expect(button(page, 'Elegir los 31')).toBeVisible()
    const download = page.waitForEvent('download')
    await page.locator('[data-choose-bar]').getByRole('button', { name: 'Exportar' }).click()
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    const lines = (await (await (await download).createReadStream()).toArray()).join('').trimEnd().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(ofProduct.tracking_id)
  })

  await test.step('long texts leave the number of their lead whole', async () => {
    const { results, pagination } = await api.call(leads.list, { query: { product_id: product.id } })
    const long = 'x'.repeat(255)
    const row = { id: 987_654_321, external_id: long, issuer_name: long, product_name: long }
    const data = { results: results.map((lead) => ({ ...lead, ...row })), pagination }
    await page.setViewportSize({ width: 1280, height: 800 })
    await answerNext(page, leads.list, 200, success(data))
    await refresh(page).click()
    // After the box that chooses it.
    const number = rowsOf(page).getByRole('cell').nth(1).locator('div')
    await expect(number).toContainText('987654321')
    expect(await number.evaluate((cell) => cell.scrollHeight / cell.clientHeight)).toBe(1)
  })
})
