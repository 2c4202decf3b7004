import type { Locator } from '@playwright/test'
import { auth } from '#contract/auth.ts'
import { PAID_STAYS, PAYMENT_PAID, paymentWarningTexts } from '#contract/payment-texts.ts'
import { payments } from '#contract/payments.ts'
import { addDays, dateInMexico, dayFirst } from '#contract/time.ts'
import { makeAffiliate, makeEntry, makeIssuer, makePayment, makeRelationship } from '#db/factories.ts'
import { factOf } from './facts.ts'
import { expect, forgetProof, PASSWORD, test } from './fixtures.ts'
import {
  callsOf,
  choiceOf,
  choose,
  chooseAction,
  expectHeads,
  expectRow,
  expectToast,
  hold,
  openAction,
  optionsOf,
} from './screen.ts'

const PATH = '/app/admin/payments'
const field = (dialog: Locator, label: string) => dialog.getByLabel(label, { exact: true })
const longDay = (date: string) =>
  new Intl.DateTimeFormat('es-MX', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(date),
  )

test('the administrator makes a payment: told what is wrong, calculated, asked before deleting it, paid and read', async ({
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
  await makePayment(db, pair.ids)
  const retired = await makeAffiliate(db)
  const ended = { affiliate_id: retired.id, issuer_id: pair.issuer.id, relationship_status: 'inactive' }
  await makeRelationship(db, ended)
  const names = `${pair.affiliate.company_name} - ${pair.issuer.company_name}`
  await signIn('admin')
  await page.goto(`${PATH}?emisor=${pair.issuer.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Gestión de Pagos')
  await page.getByRole('button', { name: 'Crear Pago' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Crear Pago' })
  const [from, to] = [field(dialog, 'Inicio del periodo'), field(dialog, 'Fin del periodo')]
  const save = dialog.getByRole('button', { name: 'Crear', exact: true })
  const calculate = dialog.getByRole('button', { name: 'Calcular' })

  await test.step('what is wrong is said, and nothing is sent', async () => {
    const calls = callsOf(page, payments.create)
    await save.click()
    await expect(dialog.getByText('Debe seleccionar una relación', { exact: true })).toBeVisible()
    await expect(dialog.getByText('El monto es requerido', { exact: true })).toBeVisible()
    await field(dialog, 'Total de leads').fill('5')
    await field(dialog, 'Total de conversiones').fill('6')
    await expect(dialog.getByText('Las conversiones no pueden ser mayores que los leads')).toBeVisible()
    await field(dialog, 'Total de conversiones').fill('5')
    await expect(dialog.getByText('Las conversiones no pueden ser mayores que los leads')).toBeHidden()
    await field(dialog, 'Notas').fill('n'.repeat(501))
    await expect(dialog.getByText('501/500')).toBeVisible()
    await to.fill('0110')
    await save.click()
    await expect(dialog.getByText('Fecha inválida')).toBeVisible()
    await to.fill('1/10/25')
    await to.blur()
    await expect(to).toHaveValue('01/10/2025')
    expect(calls).toEqual([])
  })

  await test.step('the calendars offer no day that would be refused', async () => {
    await to.fill('')
    await dialog.getByRole('button', { name: 'Elegir fecha: Inicio del periodo' }).click()
    const month = page.getByRole('dialog', { name: 'Inicio del periodo' })
    const dayIn = (one: Locator, date: string) => one.getByRole('button', { name: longDay(date), exact: true })
    await expect(dayIn(month, today)).toBeFocused()
    await page.keyboard.press('ArrowRight') // tomorrow may be walked to, and not be picked
    await expect(dayIn(month, addDays(today, 1))).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('Enter')
    await expect(month).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await expect(month).toBeHidden()
    await expect(from).toHaveValue(dayFirst(addDays(today, -1)))
    await dialog.getByRole('button', { name: 'Elegir fecha: Fin del periodo' }).click()
    const endMonth = page.getByRole('dialog', { name: 'Fin del periodo' })
    await expect(dayIn(endMonth, today)).toBeFocused()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect(dayIn(endMonth, addDays(today, -2))).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeVisible()
  })

  await test.step('it is for those who work together now, and once for each period', async () => {
    await expect(calculate).toHaveAccessibleDescription('Elige la relación y el periodo')
    await choiceOf(dialog, 'Relación').fill(retired.company_name)
    await expect(page.getByText(/^Ninguna relación por pagar coincide\./)).toBeVisible()
    await choose(dialog, 'Relación', names)
    await from.fill('02/04/2025')
    await to.fill('30/04/2025')
    await expect(dialog.getByText('Entre el pago anterior y este queda 1 día sin pagar.')).toBeVisible()
    await from.fill('01/03/2025')
    await to.fill('31/03/2025')
    await expect(dialog.getByText('sin pagar.')).toBeHidden()
    const overlap = dialog.getByText(paymentWarningTexts.PERIOD_OVERLAP)
    await expect(overlap).toContainText('01/03/2025 - 31/03/2025')
    await expect(choiceOf(dialog, 'Estado')).toHaveText('Pendiente')
    expect(await optionsOf(dialog, 'Estado')).toEqual(['Pendiente', 'Procesando', 'Pagado', 'Cancelado'])
    await choose(dialog, 'Estado', 'Cancelado')
    await expect(overlap).toBeHidden()
    await choose(dialog, 'Estado', 'Pendiente')
    await field(dialog, 'Monto total (MXN)').fill('0')
    await field(dialog, 'Fecha de pago').fill(dayFirst(today))
    await field(dialog, 'Notas').fill('SPEI 2026')
    await save.click()
    await expectToast(page, /Ya existe un pago/)
    await expect(dialog).toBeVisible()
  })

  await test.step('its totals are calculated, and what Tab enters is typed over', async () => {
    await from.fill(dayFirst(start))
    await to.fill(dayFirst(today))
    await calculate.click()
    const found = dialog.getByRole('region', { name: 'Comisiones del periodo' })
    await expect(found.getByText('2 comisiones devengadas de 2 leads: $1,750.50 MXN.')).toBeVisible()
    await expect(found.getByText('hay 1 comisión devengada sin pago ($80.00, desde el 04/03/2025)')).toBeVisible()
    await expectRow(found, { Producto: pair.product.name, Monto: '$250.50' })
    await expect(field(dialog, 'Total de leads')).toHaveValue('2')
    await expect(field(dialog, 'Total de conversiones')).toHaveValue('2')
    await expect(field(dialog, 'Monto total (MXN)')).toHaveValue('1,750.50')
    await field(dialog, 'Total de conversiones').press('Tab')
    await page.keyboard.type('1750.5')
    // The middle of a date is put right without the caret running away.
    await field(dialog, 'Fecha de pago').fill('31/10/2025')
    for (const key of ['Home', 'ArrowRight', 'Delete', '0']) await page.keyboard.press(key)
    await expect(field(dialog, 'Fecha de pago')).toHaveValue('30/10/2025')
    await expect(field(dialog, 'Monto total (MXN)')).toHaveValue('1,750.50')
    await field(dialog, 'Fecha de pago').fill(dayFirst(today))
  })

  const period = `${dayFirst(start)} - ${dayFirst(today)} (8 días)`
  const row = await test.step('it is saved as it stands on the screen', async () => {
    const answered = await hold(page, payments.create)
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await save.click()
    expect((await sent).postDataJSON()).toMatchObject({
      ...{ relationship: pair.relationship.id, period_start: start, period_end: today, payment_date: today },
      ...{ total_leads: 2, total_conversions: 2, total_amount: '1750.50', payment_status: 'pending' },
      notes: 'SPEI 2026',
    })
    await expect(dialog.getByRole('button', { name: 'Creando...' })).toBeVisible()
    answered()
    await expectToast(page, 'Pago creado exitosamente')
    expect(await expectHeads(page)).toEqual([
      '', // the boxes
      ...['Periodo', 'Emisor', 'Afiliado', 'Monto', 'Estado', 'Fecha de Pago', 'Acciones'],
    ])
    return expectRow(page, {
      ...{ Periodo: period, Emisor: pair.issuer.company_name, Afiliado: pair.affiliate.company_name },
      ...{ Monto: '$1,750.50', Estado: 'Pendiente', 'Fecha de Pago': dayFirst(today) },
    })
  })

  await test.step('who would delete it is asked', async () => {
    await chooseAction(row, /^Eliminar/)
    const question = page.getByRole('alertdialog', { name: 'Eliminar Pago' })
    const { issuer, affiliate } = pair
    await expect(
      question.getByText(
        `¿Eliminar el pago de $1,750.50 de ${issuer.company_name} a ${affiliate.company_name}, del periodo ${period}?`,
      ),
    ).toBeVisible()
    await question.getByRole('button', { name: 'Cancelar' }).click()
  })

  await test.step('it is paid, and read with its commissions', async () => {
    await row.getByRole('button', { name: /^Editar/ }).click()
    const edit = page.getByRole('dialog', { name: 'Editar Pago' })
    await expect(field(edit, 'Notas')).toHaveValue('SPEI 2026')
    await expect(field(edit, 'Inicio del periodo')).toHaveValue(dayFirst(start))
    await expect(choiceOf(edit, 'Relación')).toHaveValue(names)
    await choose(edit, 'Estado', 'Pagado')
    await edit.getByRole('button', { name: 'Actualizar' }).click()
    await expectToast(page, 'Pago actualizado exitosamente')
    const paid = await expectRow(page, { Periodo: period, Estado: 'Pagado' })
    await paid.getByRole('link', { name: /^Pago/ }).press('Enter')
    const detail = page.getByRole('dialog', { name: /^Pago \d+$/ })
    const line = detail.getByRole('list', { name: 'Comisiones del pago' }).getByRole('listitem').first()
    for (const text of [pair.product.name, '$1,500.00', 'Pagada']) await expect(line).toContainText(text)
    await expect(factOf(detail, 'Notas')).toHaveText('SPEI 2026')
  })
})

test('payments are found, changed also when their relationship is gone, cancelled with a reason, and deleted while never paid', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const [other, gone] = [await makeIssuer(db), await makeIssuer(db, { user_status: 'inactive' })]
  const { id } = await makeRelationship(db, { affiliate_id: pair.affiliate.id, issuer_id: other.id })
  const theirs = { relationship_id: id, affiliate_id: pair.affiliate.id, issuer_id: other.id }
  const large = await makePayment(db, theirs, { total_amount: '1234567890.00' })
  await makePayment(db, pair.ids)
  for (let day = 0; day < 50; day += 2) {
    const days = { period_start: addDays('2025-04-01', day), period_end: addDays('2025-04-02', day) }
    await makePayment(db, pair.ids, { ...days, total_amount: '100.00' })
  }
  await db
    .updateTable('relationship')
    .set({ archived_at: '2025-06-01T12:00:00Z', relationship_status: 'inactive' })
    .where('id', '=', pair.relationship.id)
    .execute()
  const me = await (await signIn('admin')).call(auth.profile)
  await page.goto(`${PATH}?emisor=${gone.id}&afiliado=${pair.affiliate.id}`)
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') })

  await test.step('a filter by an issuer that is not offered is seen and can be removed', async () => {
    await expect(page.getByText('No hay pagos para los filtros seleccionados')).toBeVisible()
    await expect(choiceOf(page, 'Emisor')).toHaveValue(`#${gone.id}`)
    await choose(page, 'Emisor', 'Todos los emisores')
    await expect(page.getByText('27 pagos · $1,234,571,890.00')).toBeVisible()
  })

  await test.step('they are found by issuer, affiliate and status', async () => {
    await choose(page, 'Emisor', other.company_name)
    await expect(rows).toHaveCount(1)
    await expect(page.getByText('1 pago · $1,234,567,890.00')).toBeVisible()
    await choose(page, 'Estado', 'Cancelado')
    await expect(page.getByText('0 pagos · $0.00')).toBeVisible()
    await expect(page.getByText('No hay pagos para los filtros seleccionados')).toBeVisible()
    await choose(page, 'Estado', 'Todos los estados')
    await expectRow(page, { Emisor: other.company_name, Monto: '$1,234,567,890.00' })
    expect((await optionsOf(page, 'Afiliado'))[0]).toBe('Todos los afiliados')
  })

  await test.step('on a small window no action leaves the screen', async () => {
    await page.setViewportSize({ width: 1024, height: 768 })
    await expect(page.getByRole('button', { name: `Más acciones del pago ${large.id}` })).toBeInViewport({ ratio: 1 })
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('without filters the keyboard goes on in the page', async () => {
    await page.getByRole('button', { name: 'Limpiar' }).press('Enter')
    await expect(page).toHaveURL(PATH)
    await expect(page.getByRole('button', { name: 'Limpiar' })).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
  })

  await choose(page, 'Emisor', pair.issuer.company_name)
  await choose(page, 'Filas por página', '25')
  await page.getByRole('button', { name: 'Página siguiente' }).click()
  const row = await expectRow(page, { Periodo: '01/03/2025 - 31/03/2025 (31 días)' })
  await expect(row.getByText('1–31 mar 2025 31 días', { exact: true })).toBeVisible()
  const dialog = page.getByRole('dialog', { name: 'Editar Pago' })
  const edit = () => row.getByRole('button', { name: /^Editar/ }).click()
  const save = () => dialog.getByRole('button', { name: 'Actualizar' }).click()

  await test.step('paid, it keeps whom and what it paid; set back it gets another total, and is paid by who confirms', async () => {
    await edit()
    await expect(choiceOf(dialog, 'Relación')).toHaveValue(
      `${pair.affiliate.company_name} - ${pair.issuer.company_name}`,
    )
    await choose(dialog, 'Estado', 'Pagado')
    await save()
    await expectRow(page, { Estado: 'Pagado' })
    const remove = await openAction(row, /^Eliminar/)
    await expect(remove).toContainText(PAYMENT_PAID)
    await expect(remove).toBeDisabled()
    await page.keyboard.press('Escape')
    await edit()
    const to = field(dialog, 'Fin del periodo')
    const total = field(dialog, 'Monto total (MXN)')
    const kept = [choiceOf(dialog, 'Relación'), field(dialog, 'Inicio del periodo'), to, total]
    for (const one of kept) await expect(one).toBeDisabled()
    await expect(dialog.getByText(PAID_STAYS)).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Calcular' })).toBeHidden()
    await choose(dialog, 'Estado', 'Pendiente')
    for (const one of kept) await expect(one).toBeEnabled()
    await to.fill('30/03/2025')
    await choose(dialog, 'Estado', 'Pagado')
    await save()
    await expect(dialog.getByText(PAID_STAYS)).toHaveCount(2)
    await choose(dialog, 'Estado', 'Pendiente')
    await to.fill('31/03/2025')
    await total.fill('1600')
    await field(dialog, 'Motivo del ajuste').fill('Se acordó otro monto')
    await save()
    await expectRow(page, { Monto: '$1,600.00', Estado: 'Pendiente' })
    await edit()
    await choose(dialog, 'Estado', 'Pagado')
    await forgetProof(db, me.id)
    await save()
    const confirm = page.getByRole('dialog', { name: 'Confirma que eres tú para continuar' })
    await confirm.getByLabel('Tu contraseña').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expectToast(page, 'Pago actualizado exitosamente')
    await expectRow(page, { Monto: '$1,600.00', Estado: 'Pagado' })
  })

  await test.step('paid once, it is cancelled with a reason, not deleted, and may become anything else', async () => {
    await edit()
    await choose(dialog, 'Estado', 'Cancelado')
    await save()
    await expect(dialog.getByText('Explica por qué se cancela un pago que ya se pagó')).toBeVisible()
    await field(dialog, 'Motivo de la cancelación').fill('El banco devolvió la transferencia')
    await save()
    await expectRow(page, { Estado: 'Cancelado El banco devolvió la transferencia' })
    for (const status of ['Procesando', 'Pendiente']) {
      await edit()
      await choose(dialog, 'Estado', status)
      await save()
      await expectRow(page, { Periodo: '01/03/2025', Estado: new RegExp(status) })
    }
    await expect(await openAction(row, /^Eliminar/)).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('Escape')
  })

  await test.step('one that was never paid is deleted', async () => {
    await page.getByRole('button', { name: 'Página anterior' }).click()
    const unpaid = await expectRow(page, { Periodo: '19/05/2025 - 20/05/2025 (2 días)' })
    await chooseAction(unpaid, /^Eliminar/)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click()
    await expectToast(page, 'Pago eliminado exitosamente')
    await expect(unpaid).toBeHidden()
  })
})
