import { adjustments } from '#contract/adjustments.ts'
import { PAIR_CHANGED } from '#contract/relationships.ts'
import { makeAffiliate, makeEntry, makePair } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import {
  callsOf,
  choiceOf,
  choose,
  chooseHinted,
  expectNoViolations,
  expectRow,
  expectToast,
  failNext,
  loseNext,
} from './screen.ts'

test('the administrator writes a bonus, which the affiliate sees with its reason, and voids it', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeEntry(db, pair.ids, { amount: '500.00' })
  await signIn('admin')
  await page.goto('/app/admin/payments')
  await page.getByRole('navigation').getByRole('link', { name: 'Bonos y ajustes' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bonos y ajustes')
  await page.getByRole('button', { name: 'Nuevo movimiento' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo movimiento' })
  const save = dialog.getByRole('button', { name: 'Registrar' })
  await save.click()
  await expect(dialog.getByText('Debe seleccionar una relación')).toBeVisible()
  await expect(dialog.getByText('El monto es requerido')).toBeVisible()
  await expect(dialog.getByText('Explica por qué (de 10 a 500 caracteres)')).toBeVisible()
  const { affiliate, issuer } = pair
  const names = `${affiliate.company_name} - ${issuer.company_name}`
  await dialog.getByRole('combobox', { name: 'Relación' }).fill(names)
  await page.getByRole('option', { name: names }).click()
  await dialog.getByLabel('Monto (MXN)').fill('0')
  await dialog.getByLabel('Motivo').fill('Bono por meta de volumen')
  await expect(dialog.getByText('El monto debe ser mayor que cero')).toBeVisible()
  await dialog.getByLabel('Monto (MXN)').fill('250')
  await expectNoViolations(page)
  await failNext(page, adjustments.create)
  const calls = callsOf(page, adjustments.create)
  await save.click()
  await expect.poll(() => calls).toHaveLength(1)
  await expect(dialog).toBeVisible()
  await save.dblclick()
  await expectToast(page, 'Bono registrado exitosamente')
  expect(calls).toHaveLength(2)
  const facts = { Afiliado: affiliate.company_name, Motivo: 'Bono por meta de volumen', Monto: '$250.00' }
  const row = await expectRow(page, { Tipo: 'Bono', ...facts, Estado: 'Devengada' })
  await expectNoViolations(page)

  await signIn('affiliate', affiliate)
  await page.goto('/app/affiliate/commissions')
  await expect(page.getByText('Bono por meta de volumen: espera entrar en un pago')).toBeVisible()
  await expect(page.getByText('2 comisiones · $750.00')).toBeVisible()
  await page
    .getByRole('button', { name: /¿De dónde sale la comisión/ })
    .first()
    .click()
  await expect(page.getByRole('dialog', { name: '¿De dónde sale?' })).toContainText('Bono capturado por una persona')

  await signIn('admin')
  await page.goto('/app/admin/adjustments')
  await row.getByRole('button', { name: /^Anular el bono/ }).click()
  await page.getByLabel('Por qué se anula').fill('Se capturó dos veces')
  await page.getByRole('dialog').getByRole('button', { name: 'Anular' }).click()
  await expectToast(page, 'Movimiento anulado exitosamente')
  await expectRow(page, { Motivo: 'Bono por meta de volumen Anulado: Se capturó dos veces', Estado: 'Revertida' })
})

test('a product is of the chosen relationship, and can be taken back', async ({ page, signIn, db, pair }) => {
  const others = await makePair(db)
  await signIn('admin')
  await page.goto('/app/admin/adjustments')
  await page.getByRole('button', { name: 'Nuevo movimiento' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo movimiento' })
  const product = choiceOf(dialog, 'Producto')
  const chooseRelationship = ({ affiliate, issuer }: Pick<typeof pair, 'affiliate' | 'issuer'>) =>
    chooseHinted(dialog, 'Relación', `${affiliate.company_name} - ${issuer.company_name}`)
  await chooseRelationship(pair)
  await choose(dialog, 'Producto', new RegExp(`^${pair.product.name} `))
  await expect(product).toHaveValue(pair.product.name)
  await chooseRelationship(others)
  await expect(product).toHaveValue('Ninguno en particular')
  await choose(dialog, 'Producto', new RegExp(`^${others.product.name} `))
  await choose(dialog, 'Producto', 'Ninguno en particular')
  await dialog.getByLabel('Monto (MXN)').fill('75')
  await dialog.getByLabel('Motivo').fill('Bono por meta de volumen')
  await dialog.getByRole('button', { name: 'Registrar' }).click()
  await expectToast(page, 'Bono registrado exitosamente')
  await expectRow(page, { Afiliado: others.affiliate.company_name, Monto: '$75.00' })
})

test('a charge is deducted from the payment that its issuer sees', async ({ page, signIn, db }) => {
  const pair = await makePair(db)
  await makeEntry(db, pair.ids, { amount: '500.00' })
  await signIn('admin')
  await page.goto('/app/admin/adjustments')
  await page.getByRole('button', { name: 'Nuevo movimiento' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo movimiento' })
  const names = `${pair.affiliate.company_name} - ${pair.issuer.company_name}`
  await dialog.getByRole('combobox', { name: 'Relación' }).fill(names)
  await page.getByRole('option', { name: names }).click()
  await choose(dialog, 'Tipo', 'Ajuste en contra del afiliado')
  await dialog.getByLabel('Monto (MXN)').fill('120.5')
  await dialog.getByLabel('Motivo').fill('Comisión pagada dos veces')
  await dialog.getByRole('button', { name: 'Registrar' }).click()
  await expectToast(page, 'Ajuste registrado exitosamente')
  await signIn('issuer', pair.issuer)
  await page.goto('/app/issuer/adjustments')
  await expectRow(page, { Tipo: 'Ajuste', Motivo: 'Comisión pagada dos veces', Monto: '-$120.50' })
  await expect(page.getByRole('button', { name: 'Nuevo movimiento' })).toBeHidden()
  await expectNoViolations(page)
})

test('a bonus is not given to whoever has its relationship by now', async ({ page, signIn, db }) => {
  const [pair, next] = [await makePair(db), await makeAffiliate(db)]
  await signIn('admin')
  await page.goto('/app/admin/adjustments')
  await page.getByRole('button', { name: 'Nuevo movimiento' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo movimiento' })
  const relationship = dialog.getByRole('combobox', { name: 'Relación' })
  await chooseHinted(dialog, 'Relación', `${pair.affiliate.company_name} - ${pair.issuer.company_name}`)
  await dialog.getByLabel('Monto (MXN)').fill('90')
  await dialog.getByLabel('Motivo').fill('Bono por meta de volumen')
  await db.updateTable('relationship').set({ affiliate_id: next.id }).where('id', '=', pair.relationship.id).execute()
  const save = dialog.getByRole('button', { name: 'Registrar' })
  await save.click()
  await expect(relationship).toHaveAccessibleDescription(PAIR_CHANGED)
  await expect(relationship).toHaveValue(`${next.company_name} - ${pair.issuer.company_name}`)
  await save.click()
  await expectToast(page, 'Bono registrado exitosamente')
  await expectRow(page, { Afiliado: next.company_name, Monto: '$90.00' })
})

test('a bonus whose answer was lost is registered once, and not under other fields', async ({ page, signIn, db }) => {
  const pair = await makePair(db)
  await signIn('admin')
  await page.goto('/app/admin/adjustments')
  const open = page.getByRole('button', { name: 'Nuevo movimiento' }).first()
  const dialog = page.getByRole('dialog', { name: 'Nuevo movimiento' })
  const save = dialog.getByRole('button', { name: 'Registrar' })
  const names = `${pair.affiliate.company_name} - ${pair.issuer.company_name}`
  const fill = async (note: string) => {
    await open.click()
    await dialog.getByRole('combobox', { name: 'Relación' }).fill(names)
    await page.getByRole('option', { name: names }).click()
    await dialog.getByLabel('Monto (MXN)').fill('310')
    await dialog.getByLabel('Motivo').fill(note)
    await loseNext(page, adjustments.create)
    await save.click()
    await expectToast(page, 'Error 503')
  }
  await fill('Bono de la primera campaña')
  await save.click()
  await expectToast(page, 'Bono registrado exitosamente')
  await expect(dialog).toBeHidden()
  await expectRow(page, { Motivo: 'Bono de la primera campaña', Monto: '$310.00' })
  await fill('Bono de la segunda campaña')
  await dialog.getByLabel('Monto (MXN)').fill('320')
  await save.click()
  await expectToast(page, 'Lo que enviaste antes ya se registró o se está registrando.')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('button', { name: 'Descartar' }).click()
  await expectRow(page, { Motivo: 'Bono de la segunda campaña', Monto: '$310.00' })
})
