import { commissionEntries } from '#contract/commission-entries.ts'
import { terms } from '#contract/terms.ts'
import { addDays, dateInMexico, dayFirst } from '#contract/time.ts'
import { makeAffiliate, makeCommission, makeEntry, makePair, makeTerm } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { callsOf, choose, chooseHinted, expectNoViolations, expectRow, expectToast, failNext } from './screen.ts'

test('the administrator sets how commissions are validated, and takes a change back', async ({
  page,
  signIn,
  pair,
}) => {
  await signIn('admin')
  await page.goto('/app/admin/settings')
  await page.getByRole('link', { name: 'Condiciones' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Condiciones')
  await page.getByRole('button', { name: 'Nueva condición' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nueva condición' })
  await choose(dialog, 'Alcance', 'Afiliado y producto')
  const save = dialog.getByRole('button', { name: 'Crear condición' })
  await save.click()
  await expect(dialog.getByText('Selecciona una relación')).toBeVisible()
  await expect(dialog.getByText('Selecciona un producto')).toBeVisible()
  const { affiliate, issuer, product } = pair
  const names = `${affiliate.company_name} - ${issuer.company_name}`
  await dialog.getByRole('combobox', { name: 'Relación' }).fill(names)
  await page.getByRole('option', { name: names }).click()
  await dialog.getByRole('combobox', { name: 'Producto' }).fill(product.name)
  await page.getByRole('option', { name: product.name }).click()
  const start = addDays(dateInMexico(), 3)
  await dialog.getByRole('textbox', { name: 'A partir del' }).fill(dayFirst(start))
  await choose(dialog, 'Aprobación', 'Con aprobación')
  await dialog.getByLabel('Días de validación').fill('200')
  await save.click()
  await expect(dialog.getByText('De 0 a 180 días')).toBeVisible()
  await dialog.getByLabel('Días de validación').fill('30')
  await expectNoViolations(page)
  await failNext(page, terms.create)
  const calls = callsOf(page, terms.create)
  await save.click()
  await expect.poll(() => calls).toHaveLength(1)
  await expect(dialog).toBeVisible()
  await save.dblclick()
  await expectToast(page, 'Condición creada exitosamente')
  expect(calls).toHaveLength(2)
  const whom = `${issuer.company_name} · ${product.name} · ${affiliate.company_name}`
  const row = await expectRow(page, { 'Para quién': whom, Validación: '30 días', Estado: 'Por empezar' })
  await expectNoViolations(page)
  await row.getByRole('button', { name: `Cancelar la condición de ${whom}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancelar la condición' }).click()
  await expectToast(page, 'Condición cancelada exitosamente')
  await expectRow(page, { 'Para quién': whom, Estado: 'Cancelada' })
  await expect(page.getByRole('main')).toBeFocused()
})

test('a condition begins on the day on which it is made, also on a page that was left open over night', async ({
  page,
  signIn,
}) => {
  await signIn('admin')
  await page.goto('/app/admin/terms')
  const [create, day] = [
    page.getByRole('button', { name: 'Nueva condición' }).first(),
    page.getByRole('dialog', { name: 'Nueva condición' }).getByRole('textbox', { name: 'A partir del' }),
  ]
  await create.click()
  await expect(day).toHaveValue(dayFirst(dateInMexico()))
  await page.keyboard.press('Escape')
  await expect(day).toHaveCount(0)
  await page.clock.setFixedTime(Date.now() + 86_400_000)
  await create.click()
  await expect(day).toHaveValue(dayFirst(addDays(dateInMexico(), 1)))
})

test('a condition is read with the new name of a company at once', async ({ page, signIn, db, pair }) => {
  await makeTerm(db, { relationship_id: pair.relationship.id, validation: 'explicit' })
  const whom = `${pair.issuer.company_name} · ${pair.affiliate.company_name}`
  await signIn('admin')
  await page.goto('/app/admin/terms')
  await expectRow(page, { 'Para quién': whom })
  await page.getByRole('link', { name: 'Afiliados', exact: true }).click()
  await page.getByRole('searchbox').fill(pair.affiliate.company_name)
  await page.getByRole('button', { name: `Editar ${pair.affiliate.company_name}`, exact: true }).click()
  const edit = page.getByRole('dialog', { name: 'Editar Afiliado' })
  await edit.getByLabel('Empresa').fill(`Nuevo ${pair.affiliate.company_name}`)
  await edit.getByRole('button', { name: 'Actualizar' }).click()
  await expectToast(page, 'Afiliado actualizado exitosamente')
  await page.getByRole('link', { name: 'Configuración', exact: true }).click()
  await page.getByRole('link', { name: 'Condiciones' }).click()
  await expectRow(page, { 'Para quién': `${pair.issuer.company_name} · Nuevo ${pair.affiliate.company_name}` })
})

test('a product does not outlast the relationship that it was chosen for', async ({ page, signIn, db, pair }) => {
  const others = await makePair(db)
  await signIn('admin')
  await page.goto('/app/admin/terms')
  await page.getByRole('button', { name: 'Nueva condición' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nueva condición' })
  await choose(dialog, 'Alcance', 'Afiliado y producto')
  const chooseRelationship = ({ affiliate, issuer }: Pick<typeof pair, 'affiliate' | 'issuer'>) =>
    chooseHinted(dialog, 'Relación', `${affiliate.company_name} - ${issuer.company_name}`)
  await chooseRelationship(pair)
  await choose(dialog, 'Producto', new RegExp(`^${pair.product.name} `))
  await chooseRelationship(others)
  await dialog.getByRole('button', { name: 'Crear condición' }).click()
  await expect(dialog.getByText('Selecciona un producto')).toBeVisible()
})

test('conditions that end with a move of their relationship are shown so at once', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const next = await makeAffiliate(db)
  await makeTerm(db, { relationship_id: pair.relationship.id, validation: 'explicit' })
  const whom = `${pair.issuer.company_name} · ${pair.affiliate.company_name}`
  const open = async (name: string) => page.getByRole('link', { name, exact: true }).click()
  await signIn('admin')
  await page.goto('/app/admin/settings')
  await open('Condiciones')
  await expectRow(page, { 'Para quién': whom, Estado: 'Vigente' })
  await open('Relaciones')
  await page.getByPlaceholder('Buscar por afiliado, emisor o notas...').fill(pair.affiliate.company_name)
  const row = await expectRow(page, { Afiliado: pair.affiliate.company_name })
  await row.getByRole('button', { name: /^Editar/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Editar Relación' })
  await choose(dialog, 'Afiliado', next.company_name)
  await dialog.getByRole('button', { name: 'Actualizar' }).click()
  await page.getByRole('alertdialog', { name: 'Confirmar Cambios' }).getByRole('button', { name: 'Confirmar' }).click()
  await expectToast(page, 'Relación actualizada exitosamente')
  await open('Configuración')
  await open('Condiciones')
  await expectRow(page, { 'Para quién': whom, Estado: 'Cancelada' })
})

test('an issuer approves what its affiliate then sees to be paid', async ({ page, signIn, db, pair }) => {
  const made = [
    await makeEntry(db, pair.ids, { amount: '500.00', due_on: 'infinity' }),
    await makeEntry(db, pair.ids, { amount: '250.50', due_on: 'infinity' }),
    await makeEntry(db, pair.ids, { amount: '100.00', due_on: 'infinity' }),
  ]
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/commissions')
  await choose(page, 'Situación de la comisión', 'Espera aprobación')
  await expect(page.getByText('3 comisiones · $850.50')).toBeVisible()
  await expectRow(page, { Lead: String(made[0]?.lead_id), 'Qué espera': 'Espera la aprobación del emisor' })

  await signIn('issuer', pair.issuer)
  await page.goto('/app/issuer/dashboard')
  await page.getByRole('link', { name: /^Comisiones por aprobar/ }).click()
  await expect(page).toHaveURL(/\/app\/issuer\/approvals$/)
  await expect(page.getByText('3 comisiones · $850.50')).toBeVisible()
  const approve = page.getByRole('button', { name: /^Aprobar/ })
  await expect(approve).toBeDisabled()
  await page.getByRole('checkbox', { name: 'Elegir las 3 de esta página' }).check()
  await page.getByRole('checkbox', { name: `Elegir la comisión ${made[2]?.id}` }).uncheck()
  await expect(approve).toHaveText('Aprobar 2 seleccionadas ($750.50)')
  await expectNoViolations(page)
  await failNext(page, commissionEntries.approve)
  await approve.click()
  await expectToast(page, 'Error')
  await expect(approve).toHaveText('Aprobar 2 seleccionadas ($750.50)')
  const calls = callsOf(page, commissionEntries.approve)
  await approve.dblclick()
  await expectToast(page, '2 comisiones aprobadas')
  expect(calls).toHaveLength(1)
  await expect(page.getByText('1 comisión · $100.00')).toBeVisible()
  await page.goto(`/app/issuer/approvals?producto=999999`)
  await expect(page.getByText('Nada espera aprobación con esos filtros')).toBeVisible()

  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/commissions?situacion=payable')
  await expect(page.getByText('2 comisiones · $750.50')).toBeVisible()
  await page.getByRole('button', { name: `¿De dónde sale la comisión ${made[0]?.id}?` }).click()
  await expect(page.getByRole('dialog').getByText('La comisión se aprobó')).toBeVisible()
})

test('what was chosen is chosen still after a lead was read, and after the last the keyboard goes on', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const [first, second, third] = [
    await makeEntry(db, pair.ids, { amount: '500.00', due_on: 'infinity' }),
    await makeEntry(db, pair.ids, { amount: '250.50', due_on: 'infinity' }),
    await makeEntry(db, pair.ids, { amount: '100.00', due_on: 'infinity' }),
  ]
  await signIn('issuer', pair.issuer)
  await page.goto('/app/issuer/approvals')
  const box = ({ id }: { id: number }) => page.getByRole('checkbox', { name: `Elegir la comisión ${id}`, exact: true })
  await box(first).check()
  await box(second).check()
  await page.getByRole('link', { name: `Lead ${second.lead_id}`, exact: true }).click()
  await expect(page.getByRole('dialog', { name: /^Lead #/ })).toBeVisible()
  await page.goBack()
  const approve = page.getByRole('button', { name: /^Aprobar/ })
  await expect(approve).toHaveText('Aprobar 2 seleccionadas ($750.50)')
  await box(third).check()
  await approve.press('Enter')
  await expectToast(page, '3 comisiones aprobadas')
  await expect(page.getByText('Nada espera aprobación')).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})

test('after the last page is approved, those before it are shown', async ({ page, signIn, db, pair }) => {
  const make = () => makeEntry(db, pair.ids, { due_on: 'infinity' })
  await make() // with the commission of them all
  await Promise.all(Array.from({ length: 100 }, make))
  await signIn('issuer', pair.issuer)
  await page.goto('/app/issuer/approvals')
  await page.getByRole('button', { name: 'Página siguiente' }).click()
  await expect(page).toHaveURL(/pagina=2/)
  await page.getByRole('checkbox', { name: 'Elegir la única' }).check()
  await page.getByRole('button', { name: /^Aprobar/ }).click()
  await expectToast(page, '1 comisión aprobada')
  await expect(page.getByRole('checkbox', { name: 'Elegir las 100 de esta página' })).toBeVisible()
  await expect(page).toHaveURL(/approvals$/)
})

test('an affiliate reads with its products what their commissions wait for', async ({ page, signIn, db, pair }) => {
  await makeCommission(db, { ...pair.ids, payout: '500.00' })
  await makeTerm(db, { product_id: pair.product.id, validation: 'explicit', validation_days: 30 })
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/products')
  await expectRow(page, { Comisión: /\$500\.00.*30 días de validación, con aprobación/ })
})

test('who has nothing to approve is told so, and a failed load can be tried again', async ({
  page,
  signIn,
  pair,
  db,
}) => {
  await makeTerm(db, { issuer_id: pair.issuer.id, validation: 'explicit' })
  await signIn('issuer', pair.issuer)
  await failNext(page, commissionEntries.waiting)
  await page.goto('/app/issuer/approvals')
  await expect(page.getByText('Error al cargar las comisiones por aprobar')).toBeVisible()
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await expect(page.getByText('Nada espera aprobación')).toBeVisible()
})
