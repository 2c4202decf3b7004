import type { Locator } from '@playwright/test'
import { paymentWarningTexts } from '#contract/payment-texts.ts'
import { payments } from '#contract/payments.ts'
import { addDays, dateInMexico, dayFirst } from '#contract/time.ts'
import { makeAffiliate, makeEntry, makeIssuer, makePayment, makeRelationship } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import {
  answerNext,
  callsOf,
  choiceOf,
  choose,
  chooseAction,
  expectHeads,
  expectNoViolations,
  expectRow,
  expectToast,
  failNext,
  hold,
  openAction,
  optionsOf,
  success,
} from './screen.ts'

const PATH = '/app/admin/payments'
const field = (dialog: Locator, label: string) => dialog.getByLabel(label, { exact: true })

test('the administrator calculates a payment, is asked before deleting it, and pays it', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const today = dateInMexico()
  const start = addDays(today, -7)
  await makeEntry(db, pair.ids, { amount: '1500.00' })
  await makeEntry(db, pair.ids, { amount: '250.50' })
  await makeEntry(db, pair.ids, { amount: '80.00', earned_at: '2025-03-04T12:00:00Z' })
  await signIn('admin')
  await page.goto(`${PATH}?emisor=${pair.issuer.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Gestión de Pagos')
  await page.getByRole('button', { name: 'Crear Pago' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Crear Pago' })
  await expect(choiceOf(dialog, 'Estado')).toHaveText('Pendiente')
  expect(await optionsOf(dialog, 'Estado')).toEqual(['Pendiente', 'Procesando', 'Pagado', 'Cancelado'])
  const calculate = dialog.getByRole('button', { name: 'Calcular' })
  await expect(calculate).toHaveAccessibleDescription('Elige la relación y el periodo')
  await choose(dialog, 'Relación', `${pair.affiliate.company_name} - ${pair.issuer.company_name}`)
  await field(dialog, 'Inicio del periodo').fill(dayFirst(start))
  await field(dialog, 'Fin del periodo').fill(dayFirst(today))
  await calculate.click()
  const found = dialog.getByRole('region', { name: 'Comisiones del periodo' })
  await expect(found.getByText('2 comisiones devengadas de 2 leads: $1,750.50 MXN.')).toBeVisible()
  await expect(found.getByText('hay 1 comisión devengada sin pago ($80.00, desde el 04/03/2025)')).toBeVisible()
  await expectRow(found, { Producto: pair.product.name, Monto: '$250.50' })
  await expect(field(dialog, 'Total de leads')).toHaveValue('2')
  await expect(field(dialog, 'Total de conversiones')).toHaveValue('2')
  await expect(field(dialog, 'Monto total (MXN)')).toHaveValue('1,750.50')
  // What Tab enters is typed over, grouped or not; the middle of a date is put right without the caret running away.
  await field(dialog, 'Total de conversiones').press('Tab')
  await page.keyboard.type('1750.5')
  await field(dialog, 'Fecha de pago').fill('31/10/2025')
  for (const key of ['Home', 'ArrowRight', 'Delete', '0']) await page.keyboard.press(key)
  await expect(field(dialog, 'Fecha de pago')).toHaveValue('30/10/2025')
  await expect(field(dialog, 'Monto total (MXN)')).toHaveValue('1,750.50')
  await field(dialog, 'Fecha de pago').fill(dayFirst(today))
  await field(dialog, 'Notas').fill('SPEI 2026')
  await expectNoViolations(page)
  const answered = await hold(page, payments.create)
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  expect((await sent).postDataJSON()).toMatchObject({
    ...{ relationship: pair.relationship.id, period_start: start, period_end: today, payment_date: today },
    ...{ total_leads: 2, total_conversions: 2, total_amount: '1750.50', payment_status: 'pending', notes: 'SPEI 2026' },
  })
  await expect(dialog.getByRole('button', { name: 'Creando...' })).toBeVisible()
  answered()
  await expectToast(page, 'Pago creado exitosamente')
  expect(await expectHeads(page)).toEqual([
    '', // the boxes
    'Periodo',
    'Emisor',
    'Afiliado',
    'Monto',
    'Estado',
    'Fecha de Pago',
    'Acciones',
  ])
  const period = `${dayFirst(start)} - ${dayFirst(today)}`
  const row = await expectRow(page, {
    Periodo: `${period} (8 días)`,
    Emisor: pair.issuer.company_name,
    Afiliado: pair.affiliate.company_name,
    Monto: '$1,750.50',
    Estado: 'Pendiente',
    'Fecha de Pago': dayFirst(today),
  })
  await expectNoViolations(page)

  await chooseAction(row, /^Eliminar/)
  const question = page.getByRole('alertdialog', { name: 'Eliminar Pago' })
  await expect(
    question.getByText(
      `¿Eliminar el pago de $1,750.50 de ${pair.issuer.company_name} a ${pair.affiliate.company_name}, del periodo ${period} (8 días)?`,
    ),
  ).toBeVisible()
  await question.getByRole('button', { name: 'Cancelar' }).click()

  await row.getByRole('button', { name: /^Editar/ }).click()
  const edit = page.getByRole('dialog', { name: 'Editar Pago' })
  await expect(field(edit, 'Notas')).toHaveValue('SPEI 2026')
  await expect(field(edit, 'Inicio del periodo')).toHaveValue(dayFirst(start))
  await expect(choiceOf(edit, 'Relación')).toHaveValue(`${pair.affiliate.company_name} - ${pair.issuer.company_name}`)
  await choose(edit, 'Estado', 'Pagado')
  await edit.getByRole('button', { name: 'Actualizar' }).click()
  await expectToast(page, 'Pago actualizado exitosamente')
  const paid = await expectRow(page, { Estado: 'Pagado' })

  await paid.getByRole('link', { name: /^Pago/ }).press('Enter')
  const detail = page.getByRole('dialog', { name: /^Pago \d+$/ })
  const line = detail.getByRole('list', { name: 'Comisiones del pago' }).getByRole('listitem').first()
  for (const text of [pair.product.name, '$1,500.00', 'Pagada']) await expect(line).toContainText(text)
  await expectNoViolations(page)
})

test('a payment changes from any status to any other on its page, and outlives its relationship', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makePayment(db, pair.ids)
  for (let day = 0; day < 50; day += 2)
    await makePayment(db, pair.ids, {
      period_start: addDays('2025-04-01', day),
      period_end: addDays('2025-04-02', day),
    })
  await db
    .updateTable('relationship')
    .set({ archived_at: '2025-06-01T12:00:00Z', relationship_status: 'inactive' })
    .where('id', '=', pair.relationship.id)
    .execute()
  await signIn('admin')
  await page.goto(`${PATH}?emisor=${pair.issuer.id}`)
  await choose(page, 'Filas por página', '25')
  await page.getByRole('button', { name: 'Página siguiente' }).click()
  const row = await expectRow(page, { Periodo: '01/03/2025 - 31/03/2025 (31 días)' })
  await expect(row.getByText('1–31 mar 2025 31 días', { exact: true })).toBeVisible()
  for (const status of ['Pagado', 'Pendiente', 'Cancelado', 'Procesando']) {
    // Paid once, it is cancelled with a reason and no longer deleted.
    await row.getByRole('button', { name: /^Editar/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Editar Pago' })
    await expect(choiceOf(dialog, 'Relación')).toHaveValue(
      `${pair.affiliate.company_name} - ${pair.issuer.company_name}`,
    )
    await choose(dialog, 'Estado', status)
    if (status === 'Cancelado') await field(dialog, 'Motivo de la cancelación').fill('Se pagó dos veces')
    await dialog.getByRole('button', { name: 'Actualizar' }).click()
    await expectRow(page, { Estado: new RegExp(status) })
  }
  await expect(await openAction(row, /^Eliminar/)).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Página anterior' }).click()
  const unpaid = await expectRow(page, { Periodo: '19/05/2025 - 20/05/2025 (2 días)' })
  await chooseAction(unpaid, /^Eliminar/)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click()
  await expectToast(page, 'Pago eliminado exitosamente')
  await expect(unpaid).toBeHidden()
})

test('the form of a payment says what is wrong, in its words', async ({ page, signIn }) => {
  const today = dateInMexico()
  await signIn('admin')
  await page.goto(PATH)
  await page.getByRole('button', { name: 'Crear Pago' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Crear Pago' })
  const calls = callsOf(page, payments.create)
  const save = dialog.getByRole('button', { name: 'Crear', exact: true })
  await save.click()
  for (const text of [
    'Debe seleccionar una relación',
    'La fecha de inicio es requerida',
    'La fecha de fin es requerida',
    'El monto es requerido',
    'La fecha de pago es requerida',
  ])
    await expect(dialog.getByText(text, { exact: true })).toBeVisible()
  await expect(dialog.getByText('Debe ser un número positivo')).toHaveCount(2)
  await expectNoViolations(page)
  await field(dialog, 'Total de leads').fill('-1')
  await field(dialog, 'Total de conversiones').fill('-1')
  await expect(dialog.getByText('Debe ser un número positivo')).toHaveCount(2)
  await field(dialog, 'Total de leads').fill('5')
  await field(dialog, 'Total de conversiones').fill('6')
  await save.click()
  await expect(dialog.getByText('Las conversiones no pueden ser mayores que los leads')).toBeVisible()
  await field(dialog, 'Total de conversiones').fill('5')
  await expect(dialog.getByText('Las conversiones no pueden ser mayores que los leads')).toBeHidden()
  for (const wrong of ['10.555', 'abc', '-1']) {
    await field(dialog, 'Monto total (MXN)').fill(wrong)
    await expect(dialog.getByText('Formato de monto inválido')).toBeVisible()
  }
  for (const right of ['10', '10.5', '10.55']) {
    await field(dialog, 'Monto total (MXN)').fill(right)
    await expect(dialog.getByText('Formato de monto inválido')).toBeHidden()
  }
  await field(dialog, 'Notas').fill('n'.repeat(501))
  await expect(dialog.getByText('501/500')).toBeVisible()
  await save.click()
  await expect(dialog.getByText('Máximo 500 caracteres')).toBeVisible()
  await field(dialog, 'Fin del periodo').fill('0110')
  await save.click()
  await expect(dialog.getByText('Fecha inválida')).toBeVisible()
  for (const short of ['01102025', '1/10/25']) {
    await field(dialog, 'Fin del periodo').fill(short)
    await field(dialog, 'Fin del periodo').blur()
    await expect(field(dialog, 'Fin del periodo')).toHaveValue('01/10/2025')
  }
  await expect(dialog.getByText('Fecha inválida')).toBeHidden()
  await field(dialog, 'Inicio del periodo').fill(dayFirst(addDays(today, 1)))
  await save.click()
  await expect(dialog.getByText('La fecha de inicio no puede ser futura')).toBeVisible()
  for (const end of [addDays(today, -3), addDays(today, -4)]) {
    await field(dialog, 'Inicio del periodo').fill(dayFirst(addDays(today, -3)))
    await field(dialog, 'Fin del periodo').fill(dayFirst(end))
    await save.click()
    await expect(dialog.getByText('La fecha de fin debe ser posterior a la fecha de inicio')).toBeVisible()
  }
  expect(calls).toEqual([])
})

test('the calendars offer no day that would be refused', async ({ page, signIn }) => {
  const today = dateInMexico()
  const dayOf = (date: string) =>
    new Intl.DateTimeFormat('es-MX', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
      new Date(date),
    )
  await signIn('admin')
  await page.goto(PATH)
  await page.getByRole('button', { name: 'Crear Pago' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Crear Pago' })
  await dialog.getByRole('button', { name: 'Elegir fecha: Inicio del periodo' }).click()
  const month = page.getByRole('dialog', { name: 'Inicio del periodo' })
  const day = (date: string) => month.getByRole('button', { name: dayOf(date), exact: true })
  await expect(day(today)).toBeFocused()
  await expectNoViolations(page)
  await page.keyboard.press('ArrowRight') // tomorrow may be walked to, and not be picked
  await expect(day(addDays(today, 1))).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Enter')
  await expect(month).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(month).toBeHidden()
  const start = addDays(today, -1)
  await expect(field(dialog, 'Inicio del periodo')).toHaveValue(dayFirst(start))
  await dialog.getByRole('button', { name: 'Elegir fecha: Fin del periodo' }).click()
  const endMonth = page.getByRole('dialog', { name: 'Fin del periodo' })
  await expect(endMonth.getByRole('button', { name: dayOf(today), exact: true })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(endMonth.getByRole('button', { name: dayOf(addDays(start, -1)), exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
})

test('a payment is for those who work together now, and once for each period', async ({ page, signIn, db, pair }) => {
  const retired = await makeAffiliate(db)
  await makeRelationship(db, {
    affiliate_id: retired.id,
    issuer_id: pair.issuer.id,
    relationship_status: 'inactive',
  })
  await makePayment(db, pair.ids)
  await signIn('admin')
  await page.goto(`${PATH}?emisor=${pair.issuer.id}`)
  await page.getByRole('button', { name: 'Crear Pago' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Crear Pago' })
  await choiceOf(dialog, 'Relación').fill(retired.company_name)
  await expect(page.getByText(/^Ninguna relación por pagar coincide\./)).toBeVisible()
  await choose(dialog, 'Relación', `${pair.affiliate.company_name} - ${pair.issuer.company_name}`)
  await field(dialog, 'Inicio del periodo').fill('01/03/2025')
  await field(dialog, 'Fin del periodo').fill('31/03/2025')
  await field(dialog, 'Total de leads').fill('0')
  await field(dialog, 'Total de conversiones').fill('0')
  await field(dialog, 'Monto total (MXN)').fill('0')
  await field(dialog, 'Fecha de pago').fill('04/04/2025')
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  await expectToast(page, /Ya existe un pago/)
  await expect(dialog).toBeVisible()
  await field(dialog, 'Inicio del periodo').fill('02/04/2025')
  await field(dialog, 'Fin del periodo').fill('30/04/2025')
  await expect(dialog.getByText('Entre el pago anterior y este queda 1 día sin pagar.')).toBeVisible()
  await field(dialog, 'Inicio del periodo').fill('01/04/2025')
  await expect(dialog.getByText('sin pagar.')).toBeHidden()
  await field(dialog, 'Inicio del periodo').fill('01/03/2025')
  await field(dialog, 'Fin del periodo').fill('30/03/2025')
  const overlap = dialog.getByText(paymentWarningTexts.PERIOD_OVERLAP)
  await expect(overlap).toContainText('01/03/2025 - 31/03/2025')
  await choose(dialog, 'Estado', 'Cancelado')
  await expect(overlap).toBeHidden()
  await choose(dialog, 'Estado', 'Procesando')
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  await expectToast(page, new RegExp(paymentWarningTexts.PERIOD_OVERLAP))
  await expectRow(page, { Periodo: '01/03/2025 - 30/03/2025 (30 días)', Monto: '$0.00', Estado: 'Procesando' })
})

test('payments are found by issuer, affiliate and status', async ({ page, signIn, db, pair }) => {
  const issuer = await makeIssuer(db)
  const relationship = await makeRelationship(db, { affiliate_id: pair.affiliate.id, issuer_id: issuer.id })
  await makePayment(db, pair.ids, { payment_status: 'paid' })
  await makePayment(db, { relationship_id: relationship.id, affiliate_id: pair.affiliate.id, issuer_id: issuer.id })
  await signIn('admin')
  await page.goto(PATH)
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') })
  await choose(page, 'Afiliado', pair.affiliate.company_name)
  await expect(rows).toHaveCount(2)
  await expect(page.getByText('2 pagos · $3,000.00')).toBeVisible()
  await choose(page, 'Emisor', issuer.company_name)
  await expect(rows).toHaveCount(1)
  await choose(page, 'Emisor', 'Todos los emisores')
  await choose(page, 'Estado', 'Pagado')
  await expectRow(page, { Emisor: pair.issuer.company_name })
  await expect(page.getByText('1 pago · $1,500.00')).toBeVisible()
  await choose(page, 'Estado', 'Cancelado')
  await expect(page.getByText('0 pagos · $0.00')).toBeVisible()
  await expect(page.getByText('No hay pagos para los filtros seleccionados')).toBeVisible()
  await choose(page, 'Estado', 'Todos los estados')
  await expect(rows).toHaveCount(2)
  expect((await optionsOf(page, 'Afiliado'))[0]).toBe('Todos los afiliados')
  await page.getByRole('button', { name: 'Limpiar' }).press('Enter')
  await expect(page).toHaveURL(PATH)
  await expect(page.getByRole('button', { name: 'Limpiar' })).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
})

test('a filter by an issuer that is not offered is seen and can be removed', async ({ page, signIn, db, pair }) => {
  await makePayment(db, pair.ids)
  const gone = await makeIssuer(db, { user_status: 'inactive' })
  await signIn('admin')
  await page.goto(`${PATH}?emisor=${gone.id}&afiliado=${pair.affiliate.id}`)
  await expect(page.getByText('No hay pagos para los filtros seleccionados')).toBeVisible()
  await expect(choiceOf(page, 'Emisor')).toHaveValue(`#${gone.id}`)
  await choose(page, 'Emisor', 'Todos los emisores')
  await expectRow(page, { Emisor: pair.issuer.company_name })
})

test('the screen of payments loads, fails, recovers and may be empty', async ({ page, signIn, db, pair }) => {
  await makePayment(db, pair.ids)
  await signIn('admin')
  await failNext(page, payments.list)
  await page.goto(`${PATH}?emisor=${pair.issuer.id}`)
  await expect(page.getByText('Cargando pagos...')).toBeVisible()
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await expectRow(page, { Emisor: pair.issuer.company_name })
  await answerNext(page, payments.list, 200, success([]))
  await page.goto(PATH)
  await expect(page.getByText('No hay pagos registrados')).toBeVisible()
})

test('on paper the list is a table, however narrow the paper', async ({ page, signIn, db, pair }) => {
  await makePayment(db, pair.ids)
  await signIn('admin')
  // Within the margins of A4.
  await page.setViewportSize({ width: 673, height: 950 })
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  await expect(page.getByRole('row')).toHaveCount(1)
  const amount = page.getByRole('columnheader', { name: 'Monto' })
  await expect(amount).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  await expect(amount).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Acciones' })).toBeHidden()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(673)
})
