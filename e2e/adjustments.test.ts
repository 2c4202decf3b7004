import { adjustments } from '#contract/adjustments.ts'
import { PAIR_CHANGED } from '#contract/relationships.ts'
import { makeAffiliate, makePair } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { choiceOf, choose, chooseHinted, expectRow, expectToast, loseNext } from './screen.ts'

test('the administrator writes a bonus and a charge, each for whom it was meant and once, and voids the bonus', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const [others, next] = [await makePair(db), await makeAffiliate(db)]
  await signIn('admin')
  await page.goto('/app/admin/payments')
  await page.getByRole('navigation').getByRole('link', { name: 'Bonos y ajustes' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bonos y ajustes')
  const create = page.getByRole('button', { name: 'Nuevo movimiento' }).first()
  const dialog = page.getByRole('dialog', { name: 'Nuevo movimiento' })
  const [amount, note] = [dialog.getByLabel('Monto (MXN)'), dialog.getByLabel('Motivo')]
  const save = dialog.getByRole('button', { name: 'Registrar' })
  const chooseRelationship = ({ affiliate, issuer }: Pick<typeof pair, 'affiliate' | 'issuer'>) =>
    chooseHinted(dialog, 'Relación', `${affiliate.company_name} - ${issuer.company_name}`)

  await test.step('what is wrong is said', async () => {
    await create.click()
    await save.click()
    await expect(dialog.getByText('Debe seleccionar una relación')).toBeVisible()
    await expect(dialog.getByText('El monto es requerido')).toBeVisible()
    await expect(dialog.getByText('Explica por qué (de 10 a 500 caracteres)')).toBeVisible()
  })

  await test.step('a product is of the chosen relationship, and can be taken back', async () => {
    const product = choiceOf(dialog, 'Producto')
    await chooseRelationship(others)
    await choose(dialog, 'Producto', new RegExp(`^${others.product.name} `))
    await expect(product).toHaveValue(others.product.name)
    await chooseRelationship(pair)
    await expect(product).toHaveValue('Ninguno en particular')
    await choose(dialog, 'Producto', new RegExp(`^${pair.product.name} `))
    await choose(dialog, 'Producto', 'Ninguno en particular')
  })

  await test.step('a bonus of nothing is none', async () => {
    await amount.fill('0')
    await note.fill('Bono por meta de volumen')
    await save.click()
    await expect(dialog.getByText('El monto debe ser mayor que cero')).toBeVisible()
    await amount.fill('310')
  })

  await test.step('it is not given to whoever has its relationship by now', async () => {
    await db.updateTable('relationship').set({ affiliate_id: next.id }).where('id', '=', pair.relationship.id).execute()
    await save.click()
    const relationship = choiceOf(dialog, 'Relación')
    await expect(relationship).toHaveAccessibleDescription(PAIR_CHANGED)
    await expect(relationship).toHaveValue(`${next.company_name} - ${pair.issuer.company_name}`)
  })

  await test.step('whose answer was lost is registered once, and not under other fields', async () => {
    await loseNext(page, adjustments.create)
    await save.click()
    await expectToast(page, 'Error 503')
    await amount.fill('320')
    await save.click()
    await expectToast(page, 'Lo que enviaste antes ya se registró o se está registrando.')
    await amount.fill('310')
    await save.click()
    await expectToast(page, 'Bono registrado exitosamente')
    await expect(dialog).toBeHidden()
    const facts = { Afiliado: next.company_name, Motivo: 'Bono por meta de volumen', Monto: '$310.00' }
    await expectRow(page, { Tipo: 'Bono', ...facts, Estado: 'Devengada' })
  })

  await test.step('a charge is deducted', async () => {
    await create.click()
    await chooseRelationship({ affiliate: next, issuer: pair.issuer })
    await choose(dialog, 'Tipo', 'Ajuste en contra del afiliado')
    await amount.fill('120.5')
    await note.fill('Comisión pagada dos veces')
    await save.click()
    await expectToast(page, 'Ajuste registrado exitosamente')
    await choose(page, 'Afiliado', next.company_name)
    await expectRow(page, { Tipo: 'Ajuste', Motivo: 'Comisión pagada dos veces', Monto: '-$120.50' })
    await expect(page.getByText('2 movimientos · $189.50')).toBeVisible()
    await choose(page, 'Tipo de movimiento', 'Bono')
    await expect(page.getByText('1 movimiento · $310.00')).toBeVisible()
  })

  await test.step('the bonus is voided with a reason', async () => {
    const row = await expectRow(page, { Tipo: 'Bono', Monto: '$310.00' })
    await row.getByRole('button', { name: /^Anular el bono/ }).click()
    await page.getByLabel('Por qué se anula').fill('Se capturó dos veces')
    await page.getByRole('dialog').getByRole('button', { name: 'Anular' }).click()
    await expectToast(page, 'Movimiento anulado exitosamente')
    await expectRow(page, { Motivo: 'Bono por meta de volumen Anulado: Se capturó dos veces', Estado: 'Revertida' })
  })
})
