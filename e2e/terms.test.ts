import { addDays, dateInMexico, dayFirst } from '#contract/time.ts'
import { makeAffiliate, makePair, makeTerm } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { choose, chooseHinted, expectRow, expectToast, goByMenu } from './screen.ts'

test('the administrator sets how commissions are validated, takes a change back, and reads what became of conditions', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const [others, next] = [await makePair(db), await makeAffiliate(db)]
  const ending = await makePair(db)
  await makeTerm(db, { relationship_id: ending.relationship.id, validation: 'explicit' })
  const { affiliate, issuer, product } = pair
  const openTerms = async () => {
    await page.getByRole('link', { name: 'Condiciones', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Condiciones')
  }
  await signIn('admin')
  await page.goto('/app/admin/settings')
  await openTerms()
  const create = page.getByRole('button', { name: 'Nueva condición' }).first()
  const dialog = page.getByRole('dialog', { name: 'Nueva condición' })
  const save = dialog.getByRole('button', { name: 'Crear condición' })
  const day = dialog.getByRole('textbox', { name: 'A partir del' })
  const chooseRelationship = (of: Pick<typeof pair, 'affiliate' | 'issuer'>) =>
    chooseHinted(dialog, 'Relación', `${of.affiliate.company_name} - ${of.issuer.company_name}`)

  await test.step('a condition needs whom it is for, and begins today', async () => {
    await create.click()
    await expect(day).toHaveValue(dayFirst(dateInMexico()))
    await choose(dialog, 'Alcance', 'Afiliado y producto')
    await save.click()
    await expect(dialog.getByText('Selecciona una relación')).toBeVisible()
    await expect(dialog.getByText('Selecciona un producto')).toBeVisible()
  })

  await test.step('a product does not outlast the relationship that it was chosen for', async () => {
    await chooseRelationship(others)
    await choose(dialog, 'Producto', new RegExp(`^${others.product.name} `))
    await chooseRelationship(pair)
    await save.click()
    await expect(dialog.getByText('Selecciona un producto')).toBeVisible()
    await choose(dialog, 'Producto', new RegExp(`^${product.name} `))
  })

  const whom = `${issuer.company_name} · ${product.name} · ${affiliate.company_name}`
  await test.step('it is set for later, and taken back', async () => {
    await day.fill(dayFirst(addDays(dateInMexico(), 3)))
    await choose(dialog, 'Aprobación', 'Con aprobación')
    await dialog.getByLabel('Días de validación').fill('200')
    await save.click()
    await expect(dialog.getByText('De 0 a 180 días')).toBeVisible()
    await dialog.getByLabel('Días de validación').fill('30')
    await save.click()
    await expectToast(page, 'Condición creada exitosamente')
    const row = await expectRow(page, { 'Para quién': whom, Validación: '30 días', Estado: 'Por empezar' })
    await row.getByRole('button', { name: `Cancelar la condición de ${whom}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancelar la condición' }).click()
    await expectToast(page, 'Condición cancelada exitosamente')
    await expectRow(page, { 'Para quién': whom, Estado: 'Cancelada' })
    await expect(page.getByRole('main')).toBeFocused()
  })

  const [theirs, renamed] = [ending.affiliate.company_name, `Nuevo ${ending.affiliate.company_name}`]
  await test.step('it is read with the new name of a company at once', async () => {
    await expectRow(page, { 'Para quién': `${ending.issuer.company_name} · ${theirs}`, Estado: 'Vigente' })
    await goByMenu(page, 'Afiliados')
    await page.getByRole('searchbox').fill(theirs)
    await page.getByRole('button', { name: `Editar ${theirs}`, exact: true }).click()
    const edit = page.getByRole('dialog', { name: 'Editar Afiliado' })
    await edit.getByLabel('Empresa').fill(renamed)
    await edit.getByRole('button', { name: 'Actualizar' }).click()
    await expectToast(page, 'Afiliado actualizado exitosamente')
    await goByMenu(page, 'Configuración')
    await openTerms()
    await expectRow(page, { 'Para quién': `${ending.issuer.company_name} · ${renamed}`, Estado: 'Vigente' })
  })

  await test.step('those that end with a move of their relationship are shown so at once', async () => {
    await goByMenu(page, 'Relaciones')
    await page.getByRole('searchbox').fill(renamed)
    const row = await expectRow(page, { Afiliado: renamed })
    await row.getByRole('button', { name: /^Editar/ }).click()
    const edit = page.getByRole('dialog', { name: 'Editar Relación' })
    await choose(edit, 'Afiliado', next.company_name)
    await edit.getByRole('button', { name: 'Actualizar' }).click()
    const question = page.getByRole('alertdialog', { name: 'Confirmar Cambios' })
    await question.getByRole('button', { name: 'Confirmar' }).click()
    await expectToast(page, 'Relación actualizada exitosamente')
    await goByMenu(page, 'Configuración')
    await openTerms()
    await expectRow(page, { 'Para quién': `${ending.issuer.company_name} · ${renamed}`, Estado: 'Cancelada' })
  })

  await test.step('on a page that was left open over night it begins on the day on which it is made', async () => {
    await page.clock.setFixedTime(Date.now() + 86_400_000)
    await create.click()
    await expect(day).toHaveValue(dayFirst(addDays(dateInMexico(), 1)))
  })
})
