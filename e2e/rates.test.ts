import { commissions } from '#contract/commissions.ts'
import { rates } from '#contract/rates.ts'
import {
  makeAffiliate,
  makeCommission,
  makeDefault,
  makeEntry,
  makeLead,
  makePayingStep,
  makeProduct,
  makeRelationship,
} from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { callsOf, choose, chooseAction, expectRow, expectToast, failNext } from './screen.ts'

const PATH = '/app/issuer/commissions'

test('a change is announced with what it means, shown, and taken back; a commission is copied to others', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeCommission(db, { ...pair.ids, name: 'Aprobadas' })
  const lead = await makeLead(db, pair.ids)
  await makeEntry(db, pair.ids, { lead_id: lead.id, amount: '500.00' })
  const others = [await makeAffiliate(db), await makeAffiliate(db), await makeAffiliate(db)]
  for (const { id } of others) await makeRelationship(db, { affiliate_id: id, issuer_id: pair.issuer.id })
  await signIn('issuer', pair.issuer)
  await page.goto(PATH)
  const own = page.getByRole('row', { name: /Aprobadas/ })

  await test.step('announced once', async () => {
    await chooseAction(own, 'Programar cambio de Aprobadas')
    const dialog = page.getByRole('dialog', { name: 'Programar cambio' })
    const save = dialog.getByRole('button', { name: 'Programar cambio' })
    await save.click()
    await expect(dialog.getByText('Ingresa el monto')).toBeVisible()
    await expect(dialog.getByText('Fecha inválida')).toBeVisible()
    await dialog.getByLabel('Nuevo monto (MXN)').fill('620.5')
    await dialog.getByRole('textbox', { name: 'A partir del' }).fill('01/01/2031')
    const meaning = dialog.getByRole('region', { name: 'Lo que significa' })
    await expect(meaning).toContainText('En los últimos 30 días 1 lead ganó esta comisión: +$120.50 al mes.')
    await expect(meaning).toContainText('1 comisión ya devengada ($500.00) conserva su monto.')
    const calls = callsOf(page, rates.create)
    await save.dblclick()
    await expectToast(page, 'Cambio programado exitosamente')
    expect(calls).toHaveLength(1)
    await expect(dialog).toBeHidden()
    await expect(own).toContainText('$500.00, programado $620.50 desde el 01/01/2031')
  })

  await test.step('listed before it begins', async () => {
    await chooseAction(own, 'Historial de montos de Aprobadas')
    const history = page.getByRole('dialog', { name: 'Historial de montos' })
    await expectRow(history, { Fecha: '01/01/2031 00:00Programado', 'Monto nuevo': '$620.50', Quién: 'Ana Prueba' })
    await page.keyboard.press('Escape')
    await expect(history).toBeHidden()
  })

  await test.step('taken back', async () => {
    await chooseAction(own, 'Programar cambio de Aprobadas')
    const dialog = page.getByRole('dialog', { name: 'Programar cambio' })
    await dialog.getByText('Ya programado: $620.50 desde el 01/01/2031.').waitFor()
    await dialog.getByRole('button', { name: 'Cancelar este cambio' }).click()
    await expect(dialog.getByText('El cambio se canceló.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancelar', exact: true }).click()
    await expect(own).toContainText('$500.00')
    await expect(own).not.toContainText('programado')
  })

  const action = () => chooseAction(own.first(), 'Copiar Aprobadas a más afiliados')
  const dialog = page.getByRole('dialog', { name: 'Copiar a más afiliados' })
  const last = dialog.getByRole('checkbox', { name: others[2]?.company_name ?? '' })

  await test.step('copied to whom is chosen', async () => {
    await action()
    await expect(dialog.getByRole('button', { name: 'Copiar', exact: true })).toHaveAttribute('aria-disabled', 'true')
    await dialog.getByRole('checkbox', { name: 'Todos' }).check()
    await last.uncheck()
    await expect(dialog.getByRole('checkbox', { name: 'Todos' })).not.toBeChecked()
    const calls = callsOf(page, commissions.copy)
    await dialog.getByRole('button', { name: 'Copiar a 2 afiliados' }).dblclick()
    await expectToast(page, 'Comisiones creadas exitosamente')
    expect(calls).toHaveLength(1)
    for (const { company_name } of others.slice(0, 2))
      await expectRow(page.getByRole('table').last(), { Afiliado: company_name, Comisión: '$500.00' })
  })

  await test.step('a copy that failed says so and is made again; nobody is left then', async () => {
    const copied = page.getByRole('row', { name: pair.affiliate.company_name })
    const again = () => chooseAction(copied, 'Copiar Aprobadas a más afiliados')
    await again()
    await last.check()
    await failNext(page, commissions.copy)
    await dialog.getByRole('button', { name: 'Copiar a 1 afiliado' }).click()
    await expect(dialog.getByRole('alert')).toBeVisible()
    await dialog.getByRole('button', { name: 'Copiar a 1 afiliado' }).click()
    await expect(dialog).toBeHidden()
    await again()
    await expect(dialog.getByText('Todos tienen comisión')).toBeVisible()
  })
})

test('a product gets a default and a step its own amount, and both end', async ({ page, signIn, db, pair }) => {
  const { name } = pair.product
  for (const step of ['Aprobada', 'Entregada']) await makePayingStep(db, { product_id: pair.product.id, name: step })
  const saving = await makeProduct(db, { issuer_id: pair.issuer.id, name: 'Cuenta de ahorro' })
  const other = await makeAffiliate(db)
  await makeRelationship(db, { affiliate_id: other.id, issuer_id: pair.issuer.id })
  await makeCommission(db, { ...pair.ids, name: 'Propia' })
  await signIn('issuer', pair.issuer)
  await page.goto(PATH)
  const table = page.getByRole('table', { name: 'Tarifas generales y por paso' })
  const open = page.getByRole('button', { name: 'Tarifa general del producto' })
  const dialog = page.getByRole('dialog', { name: 'Tarifa general del producto' })
  const save = dialog.getByRole('button', { name: 'Guardar tarifa' })
  await expect(page.getByRole('heading', { name: 'Sin comisión: 1 afiliado y producto' })).toBeVisible()

  await test.step('a step does not outlast the product that it was chosen for', async () => {
    await open.click()
    await save.click()
    await expect(dialog.getByText('Selecciona un producto')).toBeVisible()
    await expect(dialog.getByText('Ingresa el monto')).toBeVisible()
    await choose(dialog, 'Producto', name)
    await choose(dialog, 'Paso', 'Entregada')
    await choose(dialog, 'Producto', saving.name)
    await dialog.getByLabel('Nuevo monto (MXN)').fill('200')
    await failNext(page, rates.create)
    await save.click()
    await expectToast(page, 'Error al procesar la comisión')
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/rates/'))
    await save.click()
    expect((await sent).postDataJSON()).toEqual({ product_id: saving.id, event_step_id: null, amount: '200.00' })
    await expectToast(page, 'Tarifa guardada exitosamente')
    await expectRow(table, { Producto: saving.name, Paso: 'Todos los pasos', Comisión: '$200.00' })
  })

  await test.step('a default says whom it pays, and ends the warning', async () => {
    await open.click()
    await choose(dialog, 'Producto', name)
    await dialog.getByLabel('Nuevo monto (MXN)').fill('300')
    const meaning = dialog.getByRole('region', { name: 'Lo que significa' })
    await expect(meaning).toContainText('La gana 1 afiliado sin monto propio.')
    await save.click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('heading', { name: /Sin comisión/ })).toBeHidden()
  })
  const general = { Producto: name, Afiliado: 'Todos sin comisión propia', Paso: 'Todos los pasos' }
  const ofProduct = await expectRow(table, { ...general, Comisión: '$300.00' })

  await test.step('a step of one affiliate has its own amount', async () => {
    await chooseAction(page.getByRole('row', { name: /Propia/ }), 'Programar cambio de Propia')
    const change = page.getByRole('dialog', { name: 'Programar cambio' })
    await choose(change, 'Paso', 'Entregada')
    await change.getByLabel('Nuevo monto (MXN)').fill('900')
    await change.getByRole('button', { name: 'Programar cambio' }).click()
    await expect(change).toBeHidden()
    await expectRow(table, { Afiliado: pair.affiliate.company_name, Paso: 'Entregada', Comisión: '$900.00' })
  })

  await test.step('its history', async () => {
    await ofProduct.getByRole('button', { name: `Historial de montos de ${name}` }).click()
    const history = page.getByRole('dialog', { name: 'Historial de montos' })
    await expect(history).toContainText('Todos sin comisión propia')
    await expectRow(history, { 'Monto anterior': 'Ninguno', 'Monto nuevo': '$300.00', Quién: 'Ana Prueba' })
    await page.keyboard.press('Escape')
    await expect(history).toBeHidden()
  })

  await test.step('its end, after which it is missing again', async () => {
    await ofProduct.getByRole('button', { name: `Quitar tarifa de ${name}` }).click()
    const ending = page.getByRole('alertdialog', { name: 'Quitar tarifa' })
    await expect(ending).toContainText('Quien no tenga comisión propia deja de ganar')
    await ending.getByRole('button', { name: 'Quitar' }).click()
    await expectToast(page, 'Tarifa quitada exitosamente')
    await expect(page.getByRole('heading', { name: /Sin comisión/ })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
  })
})

test('an administrator sees what defaults mean for each affiliate, and compensates what was earned before a change', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { issuer, affiliate, product } = pair
  const name = `De ${product.name}`
  await makeCommission(db, { ...pair.ids, name })
  for (const amount of ['500.00', '400.00', '620.50']) await makeEntry(db, pair.ids, { amount })
  const byDefault = await makeProduct(db, { issuer_id: issuer.id, name: `Crédito ${product.id}` })
  for (let count = 0; count < 5; count += 1)
    await makeDefault(db, { product_id: (await makeProduct(db, { issuer_id: issuer.id })).id }, '200.00')
  await makeDefault(db, { product_id: byDefault.id }, '300.00')
  await makeEntry(db, { ...pair.ids, product_id: byDefault.id }, { amount: '300.00' })
  await db.updateTable('commission').set({ archived_at: new Date() }).where('product_id', '=', byDefault.id).execute()
  await signIn('admin')
  await page.goto(`/app/admin/commissions?producto=${product.id}`)
  const dialog = page.getByRole('dialog', { name: 'Programar cambio' })
  const meaning = dialog.getByRole('region', { name: 'Lo que significa' })

  await test.step('the defaults of every issuer, and who earned what by one', async () => {
    await page.getByRole('button', { name: /^Ver todos/ }).click()
    const table = page.getByRole('table', { name: 'Tarifas generales y por paso' })
    const row = await expectRow(table, { Emisor: issuer.company_name, Producto: byDefault.name, Comisión: '$300.00' })
    await row.getByRole('button', { name: `Programar cambio de ${byDefault.name}` }).click()
    await dialog.getByLabel('Nuevo monto (MXN)').fill('350')
    await expect(meaning).toContainText('1 lead ganó esta comisión: +$50.00 al mes.')
    await meaning.getByRole('button', { name: 'Por afiliado' }).click()
    await expect(meaning.getByRole('listitem')).toContainText(`${affiliate.company_name} 1 en 30 días`)
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').getByRole('button').last().click()
    await expect(dialog).toBeHidden()
  })

  await test.step('a change that compensates says what it writes, and why', async () => {
    await chooseAction(page.getByRole('row', { name: affiliate.company_name }), `Programar cambio de ${name}`)
    await dialog.getByLabel('Nuevo monto (MXN)').fill('620.5')
    await dialog.getByRole('textbox', { name: 'A partir del' }).fill('01/01/2031')
    await expect(meaning).toContainText('3 comisiones ya devengadas')
    await dialog.getByRole('textbox', { name: 'Compensar lo devengado desde' }).fill('01/01/2020')
    await expect(meaning).toContainText('Se harán 2 ajustes: +$341.00 en total.')
    const save = dialog.getByRole('button', { name: 'Programar y compensar' })
    await save.click()
    await expect(dialog.getByText('Explica por qué (de 10 a 500 caracteres)')).toBeVisible()
    await dialog.getByLabel('Motivo de la compensación').fill('Se acordó con el banco en la junta')
    await save.click()
    await expectToast(page, 'Cambio programado exitosamente')
    await expect(dialog).toBeHidden()
  })

  await test.step('whoever ends the commission, or would cancel the change, sees before what becomes of that', async () => {
    await signIn('issuer', issuer)
    await page.goto(PATH)
    const own = page.getByRole('row', { name: affiliate.company_name })
    await chooseAction(own, `Eliminar ${name}`)
    const ending = page.getByRole('alertdialog')
    await expect(ending).toContainText('Los 2 ajustes con los que compensa lo devengado (+$341.00) se conservan')
    await ending.getByRole('button', { name: 'Cancelar' }).click()
    await chooseAction(own, `Programar cambio de ${name}`)
    await expect(dialog.getByText('Compensa lo devengado con 2 ajustes: +$341.00 en total.')).not.toContainText(
      'Al cancelarlo se anulan.',
    )
    const cancel = dialog.getByRole('button', { name: 'Cancelar este cambio' })
    await expect(cancel).toHaveAttribute('aria-disabled', 'true')
    await expect(cancel).toHaveAccessibleDescription(/solo un administrador puede cancelarlo/)
  })
})
