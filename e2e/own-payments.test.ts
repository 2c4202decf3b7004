import type { Page } from '@playwright/test'
import { payments } from '#contract/payments.ts'
import type { Db } from '#db/connect.ts'
import { makeAffiliate, makeIssuer, makePayment, makeRelationship } from '#db/factories.ts'
import { factOf } from './facts.ts'
import { expect, test } from './fixtures.ts'
import { callsOf, choose, expectHeads, expectRow, optionsOf } from './screen.ts'

const REASON = 'El banco devolvió la transferencia'
const PAID_AT = '2025-04-04T18:00:00Z'

/** Payments of this pair, which works together from now on. */
async function payerOf(db: Db, affiliate: { id: number }, issuer: { id: number }) {
  const pair = { affiliate_id: affiliate.id, issuer_id: issuer.id }
  const { id } = await makeRelationship(db, pair)
  return (columns: Record<string, unknown>) => makePayment(db, { ...pair, relationship_id: id }, columns)
}

async function expectFound(page: Page, count: string, total: string) {
  const summary = page.getByRole('region', { name: 'Resumen' })
  await expect(factOf(summary, 'Pagos encontrados')).toHaveText(count)
  await expect(factOf(summary, 'Monto total')).toContainText(total)
  await expect(page.getByRole('button', { name: /^Ver pago/ })).toHaveCount(Number(count))
}

async function look(page: Page, { id }: { id: number }) {
  await page.getByRole('button', { name: `Ver pago ${id}` }).click()
  const detail = page.getByRole('dialog', { name: `Pago ${id}` })
  await expect(detail.getByText('Montos antes de IVA y retenciones.')).toBeVisible()
  return detail
}

async function expectActionsInSight(page: Page, { id }: { id: number }) {
  await page.setViewportSize({ width: 1024, height: 768 })
  await expect(page.getByRole('button', { name: `Ver pago ${id}` })).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('an affiliate finds its payments, looks into them and sets how high their rows are', async ({
  page,
  signIn,
  db,
  affiliate,
}) => {
  const [first, second] = [await makeIssuer(db), await makeIssuer(db)]
  const [payFirst, paySecond] = [await payerOf(db, affiliate, first), await payerOf(db, affiliate, second)]
  const april = await payFirst({
    ...{ payment_status: 'paid', paid_at: PAID_AT, total_amount: '1500.10' },
    ...{ adjustment_reason: 'Bono por volumen', notes: 'Incluye el bono de marzo' },
  })
  const november = await payFirst({
    ...{ period_start: '2024-11-01', period_end: '2024-11-30', total_amount: '0.20', payment_date: null },
  })
  const cancelled = await paySecond({
    ...{ payment_status: 'cancelled', total_amount: '1234567890.00', paid_at: PAID_AT, cancel_reason: REASON },
  })
  await signIn('affiliate', affiliate)
  await page.goto('/app/affiliate/payments')

  await test.step('the list has them all, and sums up what was not cancelled', async () => {
    expect(await expectHeads(page)).toEqual(['ID', 'Emisor', 'Periodo', 'Monto', 'Estado', 'Fecha de Pago', 'Acciones'])
    await expectRow(page, {
      ...{ Emisor: first.company_name, Periodo: '01/11/2024 - 30/11/2024 (30 días)' },
      ...{ Monto: '$0.20', 'Fecha de Pago': /^-$/ },
    })
    await expectRow(page, { Emisor: second.company_name, Estado: `Cancelado ${REASON}` })
    // A cancelled one is listed and in no sum (D75).
    await expectFound(page, '3', '$1,500.30')
    await expectActionsInSight(page, cancelled)
  })

  await test.step('each is looked into', async () => {
    const plain = await look(page, november)
    await expect(factOf(plain, 'Emisor')).toHaveText(first.company_name)
    await expect(factOf(plain, 'Periodo')).toHaveText('01/11/2024 - 30/11/2024 (30 días)')
    await expect(factOf(plain, 'Estado')).toHaveText('Pendiente')
    await expect(factOf(plain, 'Monto total')).toHaveText('$0.20')
    await expect(factOf(plain, 'Fecha de pago')).toHaveText('Sin fecha asignada')
    await expect(factOf(plain, 'Creado')).toHaveText(/^\d{2}\/\d{2}\/\d{4} \d{2}:\d{2}$/)
    await expect(factOf(plain, 'Actualizado')).toBeVisible()
    for (const fact of ['Notas', 'Total de leads']) await expect(factOf(plain, fact)).toHaveCount(0)
    await expect(plain.getByRole('button', { name: 'Imprimir' })).toBeVisible()
    await page.keyboard.press('Escape')
    const noted = await look(page, april)
    await expect(factOf(noted, 'Fecha de pago')).toHaveText('04/04/2025')
    await expect(factOf(noted, 'Notas')).toHaveText('Incluye el bono de marzo')
    await expect(factOf(noted, 'Ajuste')).toContainText('$1,500.10 sobre $0.00 en comisiones')
    await expect(factOf(noted, 'Ajuste')).toContainText('Bono por volumen')
    await page.keyboard.press('Escape')
    const stopped = await look(page, cancelled)
    await expect(factOf(stopped, 'Motivo de la cancelación')).toHaveText(REASON)
    await expect(factOf(stopped, 'Se había pagado')).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('they are found by issuer, year, month and status, and so again when the page is loaded anew', async () => {
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
  })

  const height = async () => Math.round((await page.getByRole('row').nth(1).boundingBox())?.height ?? Number.NaN)
  await test.step('rows are as high as chosen, also when the page is loaded anew', async () => {
    await expect.poll(height).toBeLessThanOrEqual(41)
    await page.getByRole('button', { name: 'Vista compacta; cambiar a cómoda' }).click()
    await expect.poll(height).toBeGreaterThanOrEqual(48)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Vista cómoda; cambiar a compacta' })).toBeVisible()
    await expectFound(page, '1', '$0.20')
    await expect.poll(height).toBeGreaterThanOrEqual(48)
    await choose(page, 'Estado', 'Pagado')
    await expect(page.getByText('No hay pagos para los filtros seleccionados')).toBeVisible()
    await page.getByRole('button', { name: 'Limpiar' }).click()
  })

  await test.step('heads stand over their figures, and a cancelled amount is struck through', async () => {
    const row = await expectRow(page, { Emisor: second.company_name })
    const amount = row.getByRole('deletion').getByText('$1,234,567,890.00')
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
})

test('an issuer finds its payments without asking the server again, looks into them and changes none', async ({
  page,
  signIn,
  db,
  issuer,
}) => {
  const [first, second] = [
    await makeAffiliate(db, { company_name: `Comparador Núñez ${issuer.id}` }),
    await makeAffiliate(db),
  ]
  const [payFirst, paySecond] = [await payerOf(db, first, issuer), await payerOf(db, second, issuer)]
  const noted = await payFirst({ payment_status: 'paid', notes: 'Transferencia en dos partes' })
  await paySecond({ payment_status: 'processing', payment_date: null, total_amount: '1234567890.00' })
  const cancelled = await paySecond({
    ...{ period_start: '2025-04-01', period_end: '2025-04-30', total_amount: '4740.00' },
    ...{ payment_status: 'cancelled', paid_at: PAID_AT, cancel_reason: REASON },
  })
  await signIn('issuer', issuer)
  await page.goto('/app/issuer/payments')
  await expect(page.getByRole('heading', { level: 1, name: 'Pagos' })).toBeVisible()

  await test.step('the list has them all, and sums up what was not cancelled', async () => {
    expect(await expectHeads(page)).toEqual([
      ...['ID', 'Afiliado', 'Periodo', 'Monto', 'Estado', 'Fecha de Pago', 'Acciones'],
    ])
    await expectRow(page, { Afiliado: first.company_name, Monto: '$1,500.00', Estado: 'Pagado' })
    await expectRow(page, { Afiliado: second.company_name, Estado: 'Procesando', 'Fecha de Pago': /^-$/ })
    await expectRow(page, { Afiliado: second.company_name, Estado: `Cancelado ${REASON}` })
    await expect(page.getByText('3 pagos · $1,234,569,390.00 · sin sumar 1 cancelado')).toBeVisible()
    await expect(page.getByRole('button', { name: /Crear|Editar|Eliminar/ })).toHaveCount(0)
    await expectActionsInSight(page, cancelled)
  })

  await test.step('they are found by affiliate, status and words, on what is loaded already', async () => {
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
  })

  await test.step('each is looked into', async () => {
    const detail = await look(page, noted)
    await expect(factOf(detail, 'Afiliado')).toHaveText(first.company_name)
    await expect(factOf(detail, 'Total de leads')).toHaveText('10')
    await expect(factOf(detail, 'Conversiones')).toHaveText('3 (30.00%)')
    await expect(factOf(detail, 'Monto total')).toHaveText('$1,500.00')
    await expect(factOf(detail, 'Notas')).toHaveText('Transferencia en dos partes')
    await expect(detail.getByRole('button', { name: 'Imprimir' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox').fill('')
    await choose(page, 'Estado', 'Cancelado')
    const stopped = await look(page, cancelled)
    await expect(factOf(stopped, 'Motivo de la cancelación')).toHaveText(REASON)
    await expect(factOf(stopped, 'Se había pagado')).toBeVisible()
  })
})
