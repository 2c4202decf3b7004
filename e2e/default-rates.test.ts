import { rates } from '#contract/rates.ts'
import {
  makeAffiliate,
  makeCommission,
  makeDefault,
  makeEntry,
  makePayingStep,
  makeProduct,
  makeRelationship,
} from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { callsOf, choose, chooseAction, expectNoViolations, expectRow, expectToast, failNext } from './screen.ts'

const PATH = '/app/issuer/commissions'

test('a product gets a default and a step its own amount, and both end', async ({ page, signIn, db, pair }) => {
  const { name } = pair.product
  await makePayingStep(db, { product_id: pair.product.id, name: 'Aprobada' })
  await makePayingStep(db, { product_id: pair.product.id, name: 'Entregada' })
  const other = await makeAffiliate(db)
  await makeRelationship(db, { affiliate_id: other.id, issuer_id: pair.issuer.id })
  await makeCommission(db, { ...pair.ids, name: 'Propia' })
  await signIn('issuer', pair.issuer)
  await page.goto(PATH)
  await expect(page.getByRole('heading', { name: 'Sin comisión: 1 afiliado y producto' })).toBeVisible()
  const open = page.getByRole('button', { name: 'Tarifa general del producto' })
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Tarifa general del producto' })
  const save = dialog.getByRole('button', { name: 'Guardar tarifa' })
  await save.click()
  await expect(dialog.getByText('Selecciona un producto')).toBeVisible()
  await expect(dialog.getByText('Ingresa el monto')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Producto' }).click()
  await page.getByRole('option', { name }).click()
  await dialog.getByLabel('Nuevo monto (MXN)').fill('300')
  const meaning = dialog.getByRole('region', { name: 'Lo que significa' })
  await expect(meaning).toContainText('La gana 1 afiliado sin monto propio.')
  await expectNoViolations(page)
  await failNext(page, rates.create)
  await save.click()
  await expectToast(page, 'Error al procesar la comisión')
  const calls = callsOf(page, rates.create)
  await save.dblclick()
  await expectToast(page, 'Tarifa guardada exitosamente')
  expect(calls).toHaveLength(1)
  await expect(page.getByRole('heading', { name: /Sin comisión/ })).toBeHidden()
  const table = page.getByRole('table', { name: 'Tarifas generales y por paso' })
  const general = { Producto: name, Afiliado: 'Todos sin comisión propia', Paso: 'Todos los pasos' }
  const ofProduct = await expectRow(table, { ...general, Comisión: '$300.00' })

  await chooseAction(page.getByRole('row', { name: /Propia/ }), 'Programar cambio de Propia')
  const change = page.getByRole('dialog', { name: 'Programar cambio' })
  await change.getByRole('combobox', { name: 'Paso' }).click()
  await page.getByRole('option', { name: 'Entregada' }).click()
  await change.getByLabel('Nuevo monto (MXN)').fill('900')
  await change.getByRole('button', { name: 'Programar cambio' }).click()
  await expect(change).toBeHidden()
  await expectRow(table, { Afiliado: pair.affiliate.company_name, Paso: 'Entregada', Comisión: '$900.00' })
  await expectNoViolations(page)

  await ofProduct.getByRole('button', { name: `Historial de montos de ${name}` }).click()
  const history = page.getByRole('dialog', { name: 'Historial de montos' })
  await expect(history).toContainText('Todos sin comisión propia')
  await expectRow(history, { 'Monto anterior': 'Ninguno', 'Monto nuevo': '$300.00', Quién: 'Ana Prueba' })
  await page.keyboard.press('Escape')

  await ofProduct.getByRole('button', { name: `Quitar tarifa de ${name}` }).click()
  const ending = page.getByRole('alertdialog', { name: 'Quitar tarifa' })
  await expect(ending).toContainText('Quien no tenga comisión propia deja de ganar')
  await ending.getByRole('button', { name: 'Quitar' }).click()
  await expectToast(page, 'Tarifa quitada exitosamente')
  await expect(page.getByRole('heading', { name: /Sin comisión/ })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})

test('a step does not outlast the product that it was chosen for', async ({ page, signIn, db, pair }) => {
  await makePayingStep(db, { product_id: pair.product.id, name: 'Aprobada' })
  await makePayingStep(db, { product_id: pair.product.id, name: 'Entregada' })
  const other = await makeProduct(db, { issuer_id: pair.issuer.id, name: 'Cuenta de ahorro' })
  await signIn('issuer', pair.issuer)
  await page.goto(PATH)
  await page.getByRole('button', { name: 'Tarifa general del producto' }).click()
  const dialog = page.getByRole('dialog', { name: 'Tarifa general del producto' })
  await choose(dialog, 'Producto', pair.product.name)
  await choose(dialog, 'Paso', 'Entregada')
  await choose(dialog, 'Producto', other.name)
  await dialog.getByLabel('Nuevo monto (MXN)').fill('300')
  await dialog.getByRole('button', { name: 'Guardar tarifa' }).click()
  await expectToast(page, 'Tarifa guardada exitosamente')
})

test('an affiliate without a commission reads what the product pays it by each step', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { id: product_id } = pair.product
  await makePayingStep(db, { product_id: pair.product.id, name: 'Aprobada' })
  const delivered = await makePayingStep(db, { product_id: pair.product.id, name: 'Entregada' })
  await makeDefault(db, { product_id }, '300.00')
  await makeDefault(db, { product_id, event_step_id: delivered.id }, '350.00')
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/products')
  await expectRow(page, { Comisión: /^\$300\.00.*Entregada: \$350\.00/ })
  await page.goto('/app/affiliate/events')
  await expectRow(page, { Nombre: 'Aprobada', Comisión: /\$300\.00/ })
  await expectRow(page, { Nombre: 'Entregada', Comisión: /\$350\.00/ })
})

test('an administrator sees the defaults of every issuer, and who earned what by them', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { id: product_id, name } = pair.product
  for (let count = 0; count < 5; count += 1)
    await makeDefault(db, { product_id: (await makeProduct(db, { issuer_id: pair.issuer.id })).id }, '200.00')
  await makeDefault(db, { product_id }, '300.00')
  await makeEntry(db, pair.ids, { amount: '300.00' })
  await db.updateTable('commission').set({ archived_at: new Date() }).where('product_id', '=', product_id).execute()
  await signIn('admin')
  await page.goto('/app/admin/commissions')
  await page.getByRole('button', { name: /^Ver todos/ }).click()
  const table = page.getByRole('table', { name: 'Tarifas generales y por paso' })
  const row = await expectRow(table, { Emisor: pair.issuer.company_name, Producto: name, Comisión: '$300.00' })
  await row.getByRole('button', { name: `Programar cambio de ${name}` }).click()
  const change = page.getByRole('dialog', { name: 'Programar cambio' })
  await change.getByLabel('Nuevo monto (MXN)').fill('350')
  const meaning = change.getByRole('region', { name: 'Lo que significa' })
  await expect(meaning).toContainText('1 lead ganó esta comisión: +$50.00 al mes.')
  await meaning.getByRole('button', { name: 'Por afiliado' }).click()
  await expect(meaning.getByRole('listitem')).toContainText(`${pair.affiliate.company_name} 1 en 30 días`)
  await expectNoViolations(page)
})
