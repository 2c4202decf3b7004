import { affiliates } from '#contract/affiliates.ts'
import { commissions } from '#contract/commissions.ts'
import { products } from '#contract/products.ts'
import {
  makeAffiliate,
  makeAnnounced,
  makeCommission,
  makeEvent,
  makeLead,
  makePayingStep,
  makeProduct,
  makeRelationship,
} from '#db/factories.ts'
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
  loseNext,
  success,
} from './screen.ts'

const PATH = '/app/issuer/commissions'

test('the issuer sets a commission, changes it and deletes it', async ({ page, signIn, pair }) => {
  await signIn('issuer', pair.issuer)
  await page.goto(PATH)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Comisiones')
  await expect(page.getByText('No hay comisiones configuradas')).toBeVisible()
  await page.getByRole('button', { name: 'Nueva Comisión' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nueva Comisión' })
  await choose(dialog, 'Afiliado', pair.affiliate.company_name)
  await choose(dialog, 'Producto', pair.product.name)
  await dialog.getByLabel('Comisión (MXN)').fill('1150.5')
  await dialog.getByLabel('Nombre').fill('Tarjeta aprobada')
  await expect(dialog.getByLabel('Comisión (MXN)')).toHaveValue('1,150.50')
  const answered = await hold(page, commissions.create)
  const calls = callsOf(page, commissions.create)
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await dialog.getByRole('button', { name: 'Configurar Comisión' }).dblclick()
  const { affiliate_id, product_id, relationship_id } = pair.ids
  const ids = { affiliate_id, product_id, relationship_id }
  expect((await sent).postDataJSON()).toEqual({ ...ids, name: 'Tarjeta aprobada', description: '', payout: '1150.50' })
  await expect(dialog.getByRole('button', { name: 'Configurando...' })).toBeVisible()
  answered()
  await expectToast(page, 'Comisión creada exitosamente')
  expect(calls).toHaveLength(1)
  expect(await expectHeads(page)).toEqual(['Nombre', 'Producto', 'Afiliado', 'Comisión', 'Fecha', 'Acciones'])
  const row = await expectRow(page, {
    Nombre: 'Tarjeta aprobada',
    Producto: pair.product.name,
    Afiliado: pair.affiliate.company_name,
    Comisión: '$1,150.50',
    Fecha: /^\d\d\/\d\d\/20\d\d$/,
  })
  await expectNoViolations(page)

  await row.getByRole('button', { name: 'Editar' }).click()
  const edit = page.getByRole('dialog', { name: 'Editar Comisión' })
  await expect(choiceOf(edit, 'Afiliado')).toBeDisabled()
  await expect(choiceOf(edit, 'Producto')).toBeDisabled()
  await expect(choiceOf(edit, 'Producto')).toHaveValue(pair.product.name)
  await expectNoViolations(page)
  await edit.getByLabel('Comisión (MXN)').fill('900')
  await edit.getByLabel('Nombre').fill('Tarjeta entregada')
  await edit.getByLabel('Descripción').fill('Solo la primera tarjeta')
  const updated = await hold(page, commissions.update)
  await edit.getByRole('button', { name: 'Actualizar Comisión' }).click()
  await expect(edit.getByRole('button', { name: 'Actualizando...' })).toBeVisible()
  updated()
  await expectToast(page, 'Comisión actualizada exitosamente')
  const changed = await expectRow(page, { Nombre: 'Tarjeta entregada', Comisión: '$900.00' })

  await chooseAction(changed, 'Historial de montos de Tarjeta entregada')
  const history = page.getByRole('dialog', { name: 'Historial de montos' })
  await expect(history.getByText('Cada lead gana el mejor de dos montos')).toBeVisible()
  expect(await expectHeads(history)).toEqual(['Fecha', 'Monto anterior', 'Monto nuevo', 'Quién'])
  const moment = /^\d\d\/\d\d\/20\d\d \d\d:\d\d$/
  const [Fecha, Quién] = [moment, 'Ana Prueba (Emisor)']
  await expectRow(history, { Fecha, 'Monto anterior': '$1,150.50', 'Monto nuevo': '$900.00', Quién })
  await expectRow(history, { Fecha, 'Monto anterior': 'Ninguno', 'Monto nuevo': '$1,150.50', Quién })
  await expect(history.getByRole('row').nth(1)).toContainText('$900.00')
  await expectNoViolations(page)
  await history.getByRole('button', { name: 'Cerrar', exact: true }).click()
  await expect(history).toBeHidden()

  await chooseAction(changed, 'Eliminar')
  const question = page.getByRole('alertdialog', { name: 'Eliminar Comisión' })
  await expect(question.getByText('Tarjeta entregada')).toBeVisible()
  await expect(question).toContainText('genere desde ahora no generarán comisión')
  await question.getByRole('button', { name: 'Cancelar' }).click()
  await expect(changed).toBeVisible()
  await chooseAction(changed, 'Eliminar')
  const removals = callsOf(page, commissions.remove)
  await question.getByRole('button', { name: 'Eliminar' }).dblclick()
  await expectToast(page, 'Comisión eliminada exitosamente')
  expect(removals).toHaveLength(1)
  await expect(page.getByText('No hay comisiones configuradas')).toBeVisible()
})

test('the form says what is wrong, and Cancelar sends nothing', async ({ page, signIn, pair }) => {
  await signIn('issuer', pair.issuer)
  await page.goto(PATH)
  await page.getByRole('button', { name: 'Nueva Comisión' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nueva Comisión' })
  const calls = callsOf(page, commissions.create)
  const save = dialog.getByRole('button', { name: 'Configurar Comisión' })
  await save.click()
  for (const text of [
    'Selecciona un afiliado',
    'Selecciona un producto',
    'El payout es requerido',
    'El nombre debe tener al menos 3 caracteres',
  ])
    await expect(dialog.getByText(text, { exact: true })).toBeVisible()
  await expect(choiceOf(dialog, 'Afiliado')).toBeFocused()
  await expectNoViolations(page)
  await dialog.getByLabel('Comisión (MXN)').fill('abc')
  await expect(dialog.getByText('Formato de monto inválido')).toBeVisible()
  const name = dialog.getByLabel('Nombre')
  await name.fill('AB')
  await expect(dialog.getByText('El nombre debe tener al menos 3 caracteres')).toBeVisible()
  await name.fill('A'.repeat(101))
  await expect(dialog.getByText('El nombre no puede exceder 100 caracteres')).toBeVisible()
  await name.fill('A'.repeat(100))
  await expect(dialog.getByText('El nombre no puede exceder 100 caracteres')).toBeHidden()
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('alertdialog').getByRole('button').last().click()
  await expect(dialog).toBeHidden()
  expect(calls).toEqual([])
})

test('one product and one affiliate have one commission', async ({ page, signIn, db, pair }) => {
  await makeCommission(db, { ...pair.ids, name: 'La primera' })
  await signIn('issuer', pair.issuer)
  await page.goto(PATH)
  await page.getByRole('button', { name: 'Nueva Comisión' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nueva Comisión' })
  await choose(dialog, 'Afiliado', pair.affiliate.company_name)
  await choose(dialog, 'Producto', pair.product.name)
  await dialog.getByLabel('Comisión (MXN)').fill('10')
  await dialog.getByLabel('Nombre').fill('La segunda')
  await dialog.getByRole('button', { name: 'Configurar Comisión' }).click()
  await expectToast(page, 'Ya existe una configuración para este producto y afiliado')
  await expect(dialog).toBeVisible()
  await answerNext(page, commissions.create, 500, {})
  await dialog.getByRole('button', { name: 'Configurar Comisión' }).click()
  await expectToast(page, 'Error al procesar la comisión')
  await expect(dialog.getByLabel('Nombre')).toHaveValue('La segunda')
  await page.reload()
  await expectRow(page, { Nombre: 'La primera' })
  await expect(page.getByText('La segunda')).toHaveCount(0)
})

test('an affiliate that left the list meanwhile is refused', async ({ page, signIn, db, pair }) => {
  await makeCommission(db, { ...pair.ids, name: 'Aprobadas' })
  await signIn('issuer', pair.issuer)
  await page.goto(PATH)
  const calls = callsOf(page, commissions.update)
  await answerNext(page, affiliates.list, 200, success([]))
  await (await expectRow(page, { Nombre: 'Aprobadas' })).getByRole('button', { name: 'Editar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Editar Comisión' })
  await dialog.getByLabel('Nombre').fill('Otra más')
  await dialog.getByRole('button', { name: 'Actualizar Comisión' }).click()
  await expect(dialog.getByText('Selecciona un afiliado válido')).toBeVisible()
  expect(calls).toEqual([])
})

for (const role of ['issuer', 'admin'] as const)
  test(`the ${role} reads in the form that the relationship is inactive, before anything is typed`, async ({
    page,
    signIn,
    db,
    pair,
  }) => {
    await makeAnnounced(db, await makeCommission(db, { ...pair.ids, name: 'Aprobadas' }))
    const { id } = pair.relationship
    await db.updateTable('relationship').set({ relationship_status: 'inactive' }).where('id', '=', id).execute()
    await signIn(role, role === 'issuer' ? pair.issuer : undefined)
    await page.goto(role === 'issuer' ? PATH : `/app/admin/commissions?emisor=${pair.issuer.id}`)
    await page.getByRole('button', { name: 'Editar Aprobadas' }).click()
    const dialog = page.getByRole('dialog', { name: 'Editar Comisión' })
    const reason = `La relación entre ${pair.affiliate.company_name} y ${pair.issuer.company_name} está inactiva`
    await expect(dialog.getByText(`${reason}. Puedes ver los datos, no cambiarlos.`)).toBeVisible()
    await expect(dialog.getByLabel('Comisión (MXN)')).toBeDisabled()
    await expect(dialog.getByRole('button', { name: 'Actualizar Comisión' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await chooseAction(page.getByRole('table').first(), 'Programar cambio de Aprobadas')
    const change = page.getByRole('dialog', { name: 'Programar cambio' })
    await expect(change.getByText(`${reason}. Puedes ver los datos, no cambiarlos.`)).toBeVisible()
    await expect(change.getByLabel('Nuevo monto (MXN)')).toBeDisabled()
    await expect(change.getByRole('button', { name: 'Programar cambio' })).toBeDisabled()
    if (role === 'issuer') await expectNoViolations(page)
    await change.getByRole('button', { name: 'Cancelar este cambio' }).click()
    await expect(change.getByText('El cambio se canceló.')).toBeVisible()
  })

test('the search looks into the name, the product and the affiliate', async ({ page, signIn, db, pair }) => {
  const affiliate = await makeAffiliate(db, { company_name: `Guía Ágil ${pair.issuer.id}` })
  const relationship = await makeRelationship(db, { affiliate_id: affiliate.id, issuer_id: pair.issuer.id })
  const product = await makeProduct(db, { issuer_id: pair.issuer.id, name: 'Crédito Nómina' })
  await makeCommission(db, { ...pair.ids, name: 'Aprobadas' })
  await makeCommission(db, {
    issuer_id: pair.issuer.id,
    affiliate_id: affiliate.id,
    relationship_id: relationship.id,
    product_id: product.id,
    name: 'Entregadas',
  })
  await signIn('issuer', pair.issuer)
  await page.goto(PATH)
  const search = page.getByRole('searchbox')
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') })
  await expect(rows).toHaveCount(2)
  for (const [words, name] of [
    ['aprobad', 'Aprobadas'],
    ['nomina', 'Entregadas'],
    ['guia agil', 'Entregadas'],
  ] as const) {
    await search.fill(words)
    await expect(rows).toHaveCount(1)
    await expectRow(page, { Nombre: name })
  }
  await page.setViewportSize({ width: 390, height: 844 })
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Entregadas' })
  await expect(card).toContainText(/Crédito Nómina · Guía Ágil \d+ · \d\d\/\d\d\/\d{4}/)
  await search.fill('zzzz')
  await expect(page.getByText('No se encontraron comisiones que coincidan con la búsqueda')).toBeVisible()
})

for (const endpoint of [affiliates.list, products.list]) {
  test(`without ${endpoint.path} there is nothing to configure`, async ({ page, signIn, issuer }) => {
    await signIn('issuer', issuer)
    await page.goto(PATH)
    await expect(page.getByText('No hay comisiones configuradas')).toBeVisible()
    await failNext(page, endpoint)
    await page.getByRole('button', { name: 'Nueva Comisión' }).first().click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('No se pudieron cargar los datos necesarios. Inténtalo de nuevo.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Cerrar', exact: true }).click()
    await expect(dialog).toBeHidden()
  })
}

test('a failed load can be tried again', async ({ page, signIn, db, pair }) => {
  await makeCommission(db, { ...pair.ids, name: 'Aprobadas' })
  await signIn('issuer', pair.issuer)
  await failNext(page, commissions.list)
  await page.goto(PATH)
  await expect(page.getByText('Cargando comisiones...')).toBeVisible()
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await expectRow(page, { Nombre: 'Aprobadas' })
})

test('a history that fails to load can be tried again', async ({ page, signIn, db, pair }) => {
  await makeCommission(db, { ...pair.ids, name: 'Aprobadas' })
  await signIn('issuer', pair.issuer)
  await page.goto(PATH)
  const row = await expectRow(page, { Nombre: 'Aprobadas' })
  await failNext(page, commissions.history)
  const answered = await hold(page, commissions.history)
  await chooseAction(row, 'Historial de montos de Aprobadas')
  const dialog = page.getByRole('dialog', { name: 'Historial de montos' })
  await expect(dialog.getByText('Cargando historial...')).toBeVisible()
  answered()
  await expect(dialog.getByRole('alert')).toContainText('Error al cargar el historial')
  await dialog.getByRole('button', { name: 'Reintentar' }).click()
  await expectRow(dialog, { 'Monto anterior': 'Ninguno', Quién: 'Sistema' })
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('what is promoted without a commission is named, and one press away from having it', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makePayingStep(db, { product_id: pair.product.id })
  await signIn('issuer', pair.issuer)
  await page.goto(PATH)
  const missing = page.getByRole('table', { name: 'Sin comisión' })
  await expectRow(missing, {
    Producto: pair.product.name,
    Afiliado: pair.affiliate.company_name,
    'Eventos sin comisión': '0',
    Desde: '-',
  })
  await expectNoViolations(page)
  await missing.getByRole('button', { name: `Configurar comisión de ${pair.affiliate.company_name}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Nueva Comisión' })
  await expect(choiceOf(dialog, 'Afiliado')).toHaveValue(pair.affiliate.company_name)
  await expect(choiceOf(dialog, 'Producto')).toHaveValue(pair.product.name)
  await expect(dialog.getByLabel('Nombre')).toHaveValue(pair.product.name)
  await dialog.getByLabel('Comisión (MXN)').fill('850')
  await dialog.getByRole('button', { name: 'Configurar Comisión' }).click()
  await expectToast(page, 'Comisión creada exitosamente')
  // Gone first: while it is there, the page has the heads of two tables.
  await expect(missing).toHaveCount(0)
  await expectRow(page, { Producto: pair.product.name, Comisión: '$850.00' })
})

test('many missing commissions leave room for those that are set, and are searched with them', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeCommission(db, { ...pair.ids, name: 'Aprobadas' })
  const product = await makeProduct(db, { issuer_id: pair.issuer.id })
  const step = await makePayingStep(db, { product_id: product.id })
  for (let each = 0; each < 5; each++)
    await makeRelationship(db, { affiliate_id: (await makeAffiliate(db)).id, issuer_id: pair.issuer.id })
  const unpaid = await makeAffiliate(db)
  const ids = { affiliate_id: unpaid.id, issuer_id: pair.issuer.id }
  const relationship = await makeRelationship(db, ids)
  const lead = await makeLead(db, { ...ids, relationship_id: relationship.id, product_id: product.id })
  await makeEvent(db, lead, step, { event_type_id: 3, event_type_name: 'aprobado' })
  await signIn('issuer', pair.issuer)
  await page.goto(PATH)
  const missing = page.getByRole('table', { name: 'Sin comisión' })
  const rows = missing.getByRole('row').filter({ has: page.getByRole('cell') })
  await expect(rows).toHaveCount(5)
  await expectRow(missing, { Afiliado: unpaid.company_name, 'Eventos sin comisión': '1' })
  await page.getByRole('button', { name: 'Ver todos (7)' }).click()
  await expect(rows).toHaveCount(7)
  const search = page.getByRole('searchbox')
  await search.fill(pair.affiliate.company_name)
  await expect(rows).toHaveCount(1)
  await expect(page.getByRole('heading', { name: 'Sin comisión: 1 afiliado y producto' })).toBeVisible()
  await missing.getByRole('button', { name: `Configurar comisión de ${pair.affiliate.company_name}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Nueva Comisión' })
  await dialog.getByLabel('Nombre').fill('Segunda')
  await dialog.getByLabel('Comisión (MXN)').fill('300')
  const save = dialog.getByRole('button', { name: 'Configurar Comisión' })
  await loseNext(page, commissions.create)
  await save.click()
  await expectToast(page, 'Error 503')
  await expect(missing).toHaveCount(0)
  await save.click()
  await expectToast(page, 'Comisión creada exitosamente')
  await search.fill('Aprobadas')
  await expect(missing).toHaveCount(0)
  await expectRow(page, { Nombre: 'Aprobadas' })
})

test('the administrator is told of missing commissions, sets one and changes it', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makePayingStep(db, { product_id: pair.product.id })
  await signIn('admin')
  await page.goto('/app/admin/dashboard')
  await page
    .getByRole('list', { name: 'Por atender' })
    .getByRole('link', { name: /^Relaciones sin comisión/ })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Comisiones')
  await expect(page.getByRole('combobox', { name: 'Estado' })).toHaveText('Sin comisión')
  await choose(page, 'Afiliado', pair.affiliate.company_name)
  await expect(page.getByText('0 configuradas · 1 sin comisión')).toBeVisible()
  await expectRow(page, { Emisor: pair.issuer.company_name, Comisión: 'Sin comisión', 'Eventos sin comisión': '0' })
  await expectNoViolations(page)
  await page.getByRole('button', { name: `Configurar comisión de ${pair.affiliate.company_name}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Nueva Comisión' })
  await dialog.getByLabel('Comisión (MXN)').fill('700')
  await dialog.getByRole('button', { name: 'Configurar Comisión' }).click()
  await expectToast(page, 'Comisión creada exitosamente')
  await expect(page.getByText('No se encontraron comisiones con esos filtros')).toBeVisible()

  await page.getByRole('link', { name: 'Configuración', exact: true }).click()
  await page.getByRole('link', { name: 'Comisiones', exact: true }).click()
  await choose(page, 'Emisor', pair.issuer.company_name)
  await choose(page, 'Producto', pair.product.name)
  const row = await expectRow(page, { Afiliado: pair.affiliate.company_name, Comisión: '$700.00' })
  await row.getByRole('button', { name: `Editar ${pair.product.name}` }).click()
  const edit = page.getByRole('dialog', { name: 'Editar Comisión' })
  await edit.getByLabel('Comisión (MXN)').fill('725')
  await edit.getByRole('button', { name: 'Actualizar Comisión' }).click()
  await expectToast(page, 'Comisión actualizada exitosamente')
  const changed = await expectRow(page, { Comisión: '$725.00' })
  await chooseAction(changed, `Historial de montos de ${pair.product.name}`)
  const history = page.getByRole('dialog', { name: 'Historial de montos' })
  await expectRow(history, { 'Monto anterior': '$700.00', 'Monto nuevo': '$725.00', Quién: /Administrador/ })
})
