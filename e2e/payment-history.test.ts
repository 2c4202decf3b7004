import type { Page } from '@playwright/test'
import { sql } from 'kysely'
import { WHOLE_LIST } from '#contract/fields.ts'
import { payments } from '#contract/payments.ts'
import type { Db } from '#db/connect.ts'
import { makeAffiliate, makeIssuer, makePayment, makeRelationship } from '#db/factories.ts'
import { factOf } from './facts.ts'
import { expect, test } from './fixtures.ts'
import { callsOf, choose, expectHeads, expectNoViolations, expectRow, failNext, optionsOf } from './screen.ts'

const [MINE, OURS] = ['/app/affiliate/payments', '/app/issuer/payments']

async function pay(db: Db, affiliate: { id: number }, issuer: { id: number }, columns: Record<string, unknown> = {}) {
  const pair = { affiliate_id: affiliate.id, issuer_id: issuer.id }
  const existing = await db
    .selectFrom('relationship')
    .select('id')
    .where((eb) => eb.and(pair))
    .executeTakeFirst()
  const { id } = existing ?? (await makeRelationship(db, pair))
  return makePayment(db, { ...pair, relationship_id: id }, columns)
}

async function expectFound(page: Page, count: string, total: string) {
  const summary = page.getByRole('region', { name: 'Resumen' })
  await expect(factOf(summary, 'Pagos encontrados')).toHaveText(count)
  await expect(factOf(summary, 'Monto total')).toContainText(total)
  await expect(page.getByRole('button', { name: /^Ver pago/ })).toHaveCount(Number(count))
}

test('an affiliate finds its payments by issuer, year, month and status', async ({ page, signIn, db, affiliate }) => {
  const [first, second] = [await makeIssuer(db), await makeIssuer(db)]
  await pay(db, affiliate, first, { payment_status: 'paid', total_amount: '1500.10' })
  await pay(db, affiliate, first, {
    ...{ period_start: '2024-11-01', period_end: '2024-11-30', total_amount: '0.20' },
    payment_date: null,
  })
  await pay(db, affiliate, second, { payment_status: 'cancelled', total_amount: '250.00' })
  await signIn('affiliate', affiliate)
  await page.goto(MINE)
  expect(await expectHeads(page)).toEqual(['ID', 'Emisor', 'Periodo', 'Monto', 'Estado', 'Fecha de Pago', 'Acciones'])
  await expectRow(page, {
    Emisor: first.company_name,
    Periodo: '01/11/2024 - 30/11/2024 (30 días)',
    Monto: '$0.20',
    'Fecha de Pago': /^-$/,
  })
  // A cancelled one is listed and in no sum (D75).
  await expectFound(page, '3', '$1,500.30')
  await expectNoViolations(page)
  expect(await optionsOf(page, 'Año')).toEqual(['Todos los años', '2025', '2024'])
  expect(await optionsOf(page, 'Mes')).toEqual(['Todos los meses', 'Marzo', 'Noviembre'])
  await choose(page, 'Mes', 'Marzo')
  await expectFound(page, '2', '$1,500.10')
  await expect(page.getByText('Sin contar 1 pago cancelado')).toBeVisible()
  await choose(page, 'Emisor', first.company_name)
  await expectFound(page, '1', '$1,500.10')
  await choose(page, 'Año', '2024')
  await expect(page.getByText('No hay pagos para los filtros seleccionados')).toBeVisible()
  await expectFound(page, '0', '$0.00')
  await choose(page, 'Mes', 'Todos los meses')
  await expectFound(page, '1', '$0.20')
  await page.reload()
  await expectFound(page, '1', '$0.20')
  await choose(page, 'Estado', 'Pagado')
  await expect(page.getByText('No hay pagos para los filtros seleccionados')).toBeVisible()
})

test('a list of more payments than one answer holds is whole', async ({ page, signIn, db, affiliate, issuer }) => {
  const oldest = await pay(db, affiliate, issuer, {
    ...{ period_start: '1999-12-30', period_end: '1999-12-31', payment_status: 'cancelled', total_amount: '77.00' },
  })
  // Long ago, so that they are in nobody's way at the head of a list.
  await sql`insert into payment
    (relationship_id, affiliate_id, issuer_id, period_start, period_end, total_leads, total_conversions, total_amount,
      calculated_amount)
    select relationship_id, affiliate_id, issuer_id, day, day + 1, 1, 1, 10, 10
    from payment, generate_series(0, ${WHOLE_LIST - 1}::int) as number, lateral (select date '2000-01-01' + number as day)
    where id = ${oldest.id}`.execute(db)
  try {
    await signIn('affiliate', affiliate)
    await page.goto(MINE)
    const summary = page.getByRole('region', { name: 'Resumen' })
    await expect(factOf(summary, 'Pagos encontrados')).toHaveText('5,001')
    await expect(factOf(summary, 'Monto total')).toHaveText('$50,000.00Sin contar 1 pago cancelado')
    await choose(page, 'Año', '1999')
    await expectRow(page, { Periodo: '30/12/1999 - 31/12/1999 (2 días)', Monto: '$77.00' })
    await expectFound(page, '1', '$0.00')
  } finally {
    await db.deleteFrom('payment').where('affiliate_id', '=', affiliate.id).execute()
  }
})

test('an affiliate looks into a payment', async ({ page, signIn, db, affiliate, issuer }) => {
  const plain = await pay(db, affiliate, issuer, { payment_date: null })
  const noted = await pay(db, affiliate, issuer, {
    ...{ period_start: '2025-04-01', period_end: '2025-04-30' },
    notes: 'Incluye el bono de marzo',
  })
  await signIn('affiliate', affiliate)
  await page.goto(MINE)
  await page.getByRole('button', { name: `Ver pago ${plain.id}` }).click()
  const dialog = page.getByRole('dialog', { name: `Pago ${plain.id}` })
  await expect(factOf(dialog, 'Emisor')).toHaveText(issuer.company_name)
  await expect(factOf(dialog, 'Periodo')).toHaveText('01/03/2025 - 31/03/2025 (31 días)')
  await expect(factOf(dialog, 'Estado')).toHaveText('Pendiente')
  await expect(factOf(dialog, 'Monto total')).toHaveText('$1,500.00')
  await expect(factOf(dialog, 'Fecha de pago')).toHaveText('Sin fecha asignada')
  await expect(factOf(dialog, 'Creado')).toHaveText(/^\d{2}\/\d{2}\/\d{4} \d{2}:\d{2}$/)
  await expect(factOf(dialog, 'Actualizado')).toBeVisible()
  await expect(factOf(dialog, 'Notas')).toHaveCount(0)
  await expect(dialog.getByText('Montos antes de IVA y retenciones.')).toBeVisible()
  await expectNoViolations(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: `Ver pago ${noted.id}` }).click()
  const other = page.getByRole('dialog', { name: `Pago ${noted.id}` })
  await expect(factOf(other, 'Notas')).toHaveText('Incluye el bono de marzo')
  await expect(factOf(other, 'Fecha de pago')).toHaveText('04/04/2025')
})

test('an issuer filters its payments without asking the server again', async ({ page, signIn, db, issuer }) => {
  const [first, second] = [
    await makeAffiliate(db, { company_name: `Comparador Núñez ${issuer.id}` }),
    await makeAffiliate(db),
  ]
  await pay(db, first, issuer, { payment_status: 'paid' })
  await pay(db, second, issuer, { payment_status: 'processing', payment_date: null })
  const april = { period_start: '2025-04-01', period_end: '2025-04-30' }
  await pay(db, second, issuer, { ...april, payment_status: 'cancelled', total_amount: '4740.00' })
  await signIn('issuer', issuer)
  await page.goto(OURS)
  await expect(page.getByRole('heading', { level: 1, name: 'Pagos' })).toBeVisible()
  expect(await expectHeads(page)).toEqual(['ID', 'Afiliado', 'Periodo', 'Monto', 'Estado', 'Fecha de Pago', 'Acciones'])
  await expectRow(page, { Afiliado: first.company_name, Monto: '$1,500.00', Estado: 'Pagado' })
  await expectRow(page, { Afiliado: second.company_name, Estado: 'Procesando', 'Fecha de Pago': /^-$/ })
  await expectNoViolations(page)
  await expect(page.getByText('3 pagos · $3,000.00 · sin sumar 1 cancelado')).toBeVisible()
  const asked = callsOf(page, payments.list)
  const rows = page.getByRole('button', { name: /^Ver pago/ })
  expect(await optionsOf(page, 'Estado')).toEqual([
    ...['Todos los estados', 'Pendiente', 'Procesando', 'Pagado', 'Cancelado'],
  ])
  await choose(page, 'Estado', 'Pagado')
  await expect(rows).toHaveCount(1)
  await expect(page.getByText('1 pago · $1,500.00', { exact: true })).toBeVisible()
  await choose(page, 'Afiliado', second.company_name)
  await expect(page.getByText('No hay pagos para los filtros seleccionados')).toBeVisible()
  await page.getByRole('button', { name: 'Quitar selección' }).click()
  await page.getByRole('searchbox').fill('nunez comparador')
  await expectRow(page, { Afiliado: first.company_name })
  await expect(rows).toHaveCount(1)
  expect(asked).toEqual([])
  await expect(page.getByRole('button', { name: /Crear|Editar|Eliminar/ })).toHaveCount(0)
})

test('on a small window no action of a list of payments leaves the screen', async ({ page, signIn, db, pair }) => {
  const payment = await pay(db, pair.affiliate, pair.issuer, { total_amount: '1234567890.00' })
  await page.setViewportSize({ width: 1024, height: 768 })
  for (const [role, company, action] of [
    ['admin', undefined, 'Más acciones del'],
    ['issuer', pair.issuer, 'Ver'],
    ['affiliate', pair.affiliate, 'Ver'],
  ] as const) {
    await signIn(role, company)
    await page.goto(`/app/${role}/payments?emisor=${pair.issuer.id}`)
    const button = page.getByRole('button', { name: `${action} pago ${payment.id}` })
    await expect(button).toBeInViewport({ ratio: 1 })
  }
})

test('an issuer looks into a payment', async ({ page, signIn, db, issuer, affiliate }) => {
  const payment = await pay(db, affiliate, issuer, { notes: 'Transferencia en dos partes' })
  await signIn('issuer', issuer)
  await page.goto(OURS)
  await page.getByRole('button', { name: `Ver pago ${payment.id}` }).click()
  const dialog = page.getByRole('dialog', { name: `Pago ${payment.id}` })
  await expect(factOf(dialog, 'Afiliado')).toHaveText(affiliate.company_name)
  await expect(factOf(dialog, 'Total de leads')).toHaveText('10')
  await expect(factOf(dialog, 'Conversiones')).toHaveText('3 (30.00%)')
  await expect(factOf(dialog, 'Monto total')).toHaveText('$1,500.00')
  await expect(factOf(dialog, 'Notas')).toHaveText('Transferencia en dos partes')
  await expect(dialog.getByText('Montos antes de IVA y retenciones.')).toBeVisible()
  await expectNoViolations(page)
})

for (const [role, path] of [
  ['affiliate', MINE],
  ['issuer', OURS],
] as const)
  test(`without payments the ${role} reads so, and a failed load can be tried again`, async ({
    page,
    signIn,
    affiliate,
    issuer,
  }) => {
    await signIn(role, role === 'issuer' ? issuer : affiliate)
    await failNext(page, payments.list)
    await page.goto(path)
    await expect(page.getByRole('alert').filter({ hasText: 'Error al cargar los pagos' })).toBeVisible()
    await page.getByRole('button', { name: 'Reintentar' }).click()
    await expect(page.getByText('No hay pagos registrados')).toBeVisible()
  })

test('rows are as high as chosen, heads stand over their figures, a cancelled amount is struck through', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await pay(db, pair.affiliate, pair.issuer, { total_amount: '1250.00', payment_status: 'cancelled' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/payments')
  const row = await expectRow(page, { Emisor: pair.issuer.company_name })
  const height = async () => Math.round((await row.boundingBox())?.height ?? Number.NaN)
  await expect.poll(height).toBeLessThanOrEqual(41)
  await page.getByRole('button', { name: 'Vista compacta; cambiar a cómoda' }).click()
  await expect.poll(height).toBeGreaterThanOrEqual(48)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Vista cómoda; cambiar a compacta' })).toBeVisible()
  await expect.poll(height).toBeGreaterThanOrEqual(48)

  const amount = row.getByRole('deletion').getByText('$1,250.00')
  const ends = [page.getByRole('columnheader', { name: 'Monto' }).getByText('Monto'), amount].map(async (text) =>
    text.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return Math.round(range.getBoundingClientRect().right)
    }),
  )
  const [head, figure] = await Promise.all(ends)
  expect(head).toBe(figure)
})
