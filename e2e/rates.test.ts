import { commissions } from '#contract/commissions.ts'
import { rates } from '#contract/rates.ts'
import {
  makeAffiliate,
  makeAnnounced,
  makeCommission,
  makeEntry,
  makeLead,
  makePayingStep,
  makeRelationship,
} from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { callsOf, chooseAction, expectNoViolations, expectRow, expectToast, failNext } from './screen.ts'

const PATH = '/app/issuer/commissions'

test('a change is announced with what it means, shown, and taken back', async ({ page, signIn, db, pair }) => {
  await makeCommission(db, { ...pair.ids, name: 'Aprobadas' })
  const lead = await makeLead(db, pair.ids)
  await makeEntry(db, pair.ids, { lead_id: lead.id, amount: '500.00' })
  await signIn('issuer', pair.issuer)
  await page.goto(PATH)
  const action = () => chooseAction(page.getByRole('table'), 'Programar cambio de Aprobadas')
  await action()
  const dialog = page.getByRole('dialog', { name: 'Programar cambio' })
  const save = dialog.getByRole('button', { name: 'Programar cambio' })
  await save.click()
  await expect(dialog.getByText('Ingresa el monto')).toBeVisible()
  await expect(dialog.getByText('Fecha inválida')).toBeVisible()
  await dialog.getByLabel('Nuevo monto (MXN)').fill('620.5')
  await dialog.getByRole('textbox', { name: 'A partir del' }).fill('01/01/2026')
  await save.click()
  await expect(dialog.getByText('La fecha debe ser futura')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'A partir del' }).fill('01/01/2031')
  const meaning = dialog.getByRole('region', { name: 'Lo que significa' })
  await expect(meaning).toContainText('En los últimos 30 días 1 lead ganó esta comisión: +$120.50 al mes.')
  await expect(meaning).toContainText('1 comisión ya devengada ($500.00) conserva su monto.')
  await expectNoViolations(page)
  const calls = callsOf(page, rates.create)
  await save.dblclick()
  await expectToast(page, 'Cambio programado exitosamente')
  expect(calls).toHaveLength(1)
  await expect(dialog).toBeHidden()
  await expectRow(page, { Nombre: 'Aprobadas', Comisión: '$500.00, programado $620.50 desde el 01/01/2031' })

  await chooseAction(page, 'Historial de montos de Aprobadas')
  const history = page.getByRole('dialog', { name: 'Historial de montos' })
  await expectRow(history, { Fecha: '01/01/2031 00:00Programado', 'Monto nuevo': '$620.50', Quién: 'Ana Prueba' })
  await page.keyboard.press('Escape')

  await action()
  await dialog.getByText('Ya programado: $620.50 desde el 01/01/2031.').waitFor()
  await dialog.getByRole('button', { name: 'Cancelar este cambio' }).click()
  await expect(dialog.getByText('El cambio se canceló.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancelar', exact: true }).click()
  await expectRow(page, { Nombre: 'Aprobadas', Comisión: /^\$500\.00$/ })
})

test('an administrator compensates what was earned before the change', async ({ page, signIn, db, pair }) => {
  const name = `De ${pair.product.name}`
  await makeCommission(db, { ...pair.ids, name })
  for (const amount of ['500.00', '400.00', '620.50']) await makeEntry(db, pair.ids, { amount })
  await signIn('admin')
  await page.goto(`/app/admin/commissions?producto=${pair.product.id}`)
  await chooseAction(page.getByRole('row', { name: pair.product.name }), `Programar cambio de ${name}`)
  const dialog = page.getByRole('dialog', { name: 'Programar cambio' })
  await dialog.getByLabel('Nuevo monto (MXN)').fill('620.5')
  await dialog.getByRole('textbox', { name: 'A partir del' }).fill('01/01/2031')
  const meaning = dialog.getByRole('region', { name: 'Lo que significa' })
  await expect(meaning).toContainText('3 comisiones ya devengadas')
  const since = dialog.getByRole('textbox', { name: 'Compensar lo devengado desde' })
  await since.fill('01/01/2031')
  const save = dialog.getByRole('button', { name: 'Programar y compensar' })
  await save.click()
  await expect(dialog.getByText('La fecha no puede ser posterior a hoy')).toBeVisible()
  await since.fill('01/01/2020')
  await expect(meaning).toContainText('Se harán 2 ajustes: +$341.00 en total.')
  await expect(meaning).toContainText('Las comisiones quedan como se ganaron; cada ajuste es solo la diferencia')
  await expect(meaning).not.toContainText('su monto')
  await save.click()
  await expect(dialog.getByText('Explica por qué (de 10 a 500 caracteres)')).toBeVisible()
  await dialog.getByLabel('Motivo de la compensación').fill('Se acordó con el banco en la junta')
  await expectNoViolations(page)
  const calls = callsOf(page, rates.create)
  await save.dblclick()
  await expectToast(page, 'Cambio programado exitosamente')
  expect(calls).toHaveLength(1)
  await expect(dialog).toBeHidden()
  await page.goto('/app/admin/adjustments')
  for (const Monto of ['$120.50', '$220.50']) await expectRow(page, { Afiliado: pair.affiliate.company_name, Monto })
  // Whoever ends the commission, or cancels the change, sees before what becomes of the adjustments.
  await signIn('issuer', pair.issuer)
  await page.goto(PATH)
  await chooseAction(page.getByRole('table').first(), `Eliminar ${name}`)
  const ending = page.getByRole('alertdialog')
  await expect(ending).toContainText(
    'El cambio programado a $620.50 desde el 01/01/2031 se cancela. Los 2 ajustes con los que compensa lo devengado (+$341.00) se conservan; para anularlos, un administrador cancela antes el cambio.',
  )
  await ending.getByRole('button', { name: 'Cancelar' }).click()
  await chooseAction(page.getByRole('table').first(), `Programar cambio de ${name}`)
  await expect(dialog.getByText('Compensa lo devengado con 2 ajustes: +$341.00 en total.')).not.toContainText(
    'Al cancelarlo se anulan.',
  )
  const cancel = dialog.getByRole('button', { name: 'Cancelar este cambio' })
  await expect(cancel).toHaveAttribute('aria-disabled', 'true')
  await expect(cancel).toHaveAccessibleDescription(/solo un administrador puede cancelarlo/)
  await expectNoViolations(page)
  await page.keyboard.press('Escape')
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/commissions')
  await expect(page.getByText('Se acordó con el banco en la junta').first()).toBeVisible()
})

test('an affiliate reads what its product will pay', async ({ page, signIn, db, pair }) => {
  const commission = await makeCommission(db, { ...pair.ids, name: 'Aprobadas' })
  await makeAnnounced(db, commission)
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/products')
  await expectRow(page, { Comisión: /^\$500\.00.*, \$700\.00 desde el 01\/01\/2100$/ })
})

test('a commission is copied to others who promote its product', async ({ page, signIn, db, pair }) => {
  await makePayingStep(db, { product_id: pair.product.id })
  await makeCommission(db, { ...pair.ids, name: 'Aprobadas', payout: '620.50' })
  const others = [await makeAffiliate(db), await makeAffiliate(db), await makeAffiliate(db)]
  for (const { id } of others) await makeRelationship(db, { affiliate_id: id, issuer_id: pair.issuer.id })
  await signIn('issuer', pair.issuer)
  await page.goto(PATH)
  const action = () =>
    chooseAction(
      page.getByRole('row').filter({ hasText: pair.affiliate.company_name }),
      'Copiar Aprobadas a más afiliados',
    )
  await action()
  const dialog = page.getByRole('dialog', { name: 'Copiar a más afiliados' })
  await expect(dialog.getByRole('button', { name: 'Copiar', exact: true })).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByRole('checkbox', { name: 'Todos' }).check()
  await dialog.getByRole('checkbox', { name: others[2]?.company_name ?? '' }).uncheck()
  await expect(dialog.getByRole('checkbox', { name: 'Todos' })).not.toBeChecked()
  await expectNoViolations(page)
  const calls = callsOf(page, commissions.copy)
  await dialog.getByRole('button', { name: 'Copiar a 2 afiliados' }).dblclick()
  await expectToast(page, 'Comisiones creadas exitosamente')
  expect(calls).toHaveLength(1)
  for (const { company_name } of others.slice(0, 2))
    await expectRow(page.getByRole('table').last(), { Afiliado: company_name, Comisión: '$620.50' })
  await action()
  await dialog.getByRole('checkbox', { name: others[2]?.company_name ?? '' }).check()
  await failNext(page, commissions.copy)
  await dialog.getByRole('button', { name: 'Copiar a 1 afiliado' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByRole('button', { name: 'Copiar a 1 afiliado' }).click()
  await expect(dialog).toBeHidden()
  await action()
  await expect(dialog.getByText('Todos tienen comisión')).toBeVisible()
})
