import type { Locator, Page } from '@playwright/test'
import { affiliates } from '#contract/affiliates.ts'
import { commissions } from '#contract/commissions.ts'
import { products } from '#contract/products.ts'
import type { Db } from '#db/connect.ts'
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
  expectRow,
  expectToast,
  failNext,
  hold,
  loseNext,
  success,
} from './screen.ts'

const PATH = '/app/issuer/commissions'
const LISTS_FAILED = 'No se pudieron cargar los datos necesarios. Inténtalo de nuevo.'

const rowsOf = (table: Locator) => table.getByRole('row').filter({ has: table.page().getByRole('cell') })

/** Another affiliate of the issuer, with what a commission of it for the product needs. */
async function promote(db: Db, issuer_id: number, product_id: number, company_name: string, columns = {}) {
  const affiliate = await makeAffiliate(db, { company_name: `${company_name} ${issuer_id}` })
  const relationship = await makeRelationship(db, { affiliate_id: affiliate.id, issuer_id, ...columns })
  return { affiliate, ids: { relationship_id: relationship.id, affiliate_id: affiliate.id, issuer_id, product_id } }
}

/** Its relationship is inactive, and its commission has an announced change. */
async function makeStopped(db: Db, issuer_id: number, product_id: number) {
  const stopped = await promote(db, issuer_id, product_id, 'Detenido')
  await makeAnnounced(db, await makeCommission(db, { ...stopped.ids, name: 'Detenida' }))
  const { relationship_id } = stopped.ids
  await db
    .updateTable('relationship')
    .set({ relationship_status: 'inactive' })
    .where('id', '=', relationship_id)
    .execute()
  return stopped.affiliate
}

/** What is frozen says why before anything is typed; what was announced can be cancelled. */
async function expectFrozen(page: Page, affiliate: { company_name: string }, issuer: { company_name: string }) {
  const reason = `La relación entre ${affiliate.company_name} y ${issuer.company_name} está inactiva`
  const text = `${reason}. Puedes ver los datos, no cambiarlos.`
  await page.getByRole('button', { name: 'Editar Detenida' }).click()
  const edit = page.getByRole('dialog', { name: 'Editar Comisión' })
  await expect(edit.getByText(text)).toBeVisible()
  await expect(edit.getByLabel('Comisión (MXN)')).toBeDisabled()
  await expect(edit.getByRole('button', { name: 'Actualizar Comisión' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(edit).toBeHidden()
  await chooseAction(page.getByRole('row', { name: affiliate.company_name }), 'Programar cambio de Detenida')
  const change = page.getByRole('dialog', { name: 'Programar cambio' })
  await expect(change.getByText(text)).toBeVisible()
  await expect(change.getByLabel('Nuevo monto (MXN)')).toBeDisabled()
  await expect(change.getByRole('button', { name: 'Programar cambio' })).toBeDisabled()
  await change.getByRole('button', { name: 'Cancelar este cambio' }).click()
  await expect(change.getByText('El cambio se canceló.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(change).toBeHidden()
}

test('the issuer sets what each affiliate earns, changes it and takes it away', async ({ page, signIn, db, pair }) => {
  const { issuer, affiliate, product, ids } = pair
  const cell = await makeProduct(db, { issuer_id: issuer.id, name: 'Crédito Nómina' })
  const guide = await promote(db, issuer.id, cell.id, 'Guía Ágil')
  await makeCommission(db, { ...guide.ids, name: 'Entregadas' })
  const stopped = await makeStopped(db, issuer.id, product.id)
  await signIn('issuer', issuer)
  await page.goto(PATH)
  const list = page.getByRole('table')
  const search = page.getByRole('searchbox')
  const open = page.getByRole('button', { name: 'Nueva Comisión' })
  const dialog = page.getByRole('dialog', { name: 'Nueva Comisión' })
  const save = dialog.getByRole('button', { name: 'Configurar Comisión' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Comisiones')

  await test.step('without the affiliates there is nothing to configure', async () => {
    await failNext(page, affiliates.list)
    await open.click()
    await expect(dialog.getByText(LISTS_FAILED)).toBeVisible()
    await dialog.getByRole('button', { name: 'Cerrar', exact: true }).click()
    await expect(dialog).toBeHidden()
  })

  await test.step('the form says what is wrong, and what is thrown away is not sent', async () => {
    const calls = callsOf(page, commissions.create)
    await open.click()
    await save.click()
    for (const text of [
      'Selecciona un afiliado',
      'Selecciona un producto',
      'El payout es requerido',
      'El nombre debe tener al menos 3 caracteres',
    ])
      await expect(dialog.getByText(text, { exact: true })).toBeVisible()
    await expect(choiceOf(dialog, 'Afiliado')).toBeFocused()
    await dialog.getByLabel('Nombre').fill('AB')
    await dialog.getByRole('button', { name: 'Cancelar' }).click()
    await page.getByRole('alertdialog').getByRole('button').last().click()
    await expect(dialog).toBeHidden()
    expect(calls).toEqual([])
  })

  await test.step('one is set', async () => {
    await open.click()
    await choose(dialog, 'Afiliado', affiliate.company_name)
    await choose(dialog, 'Producto', product.name)
    await dialog.getByLabel('Comisión (MXN)').fill('1150.5')
    await dialog.getByLabel('Nombre').fill('Tarjeta aprobada')
    await expect(dialog.getByLabel('Comisión (MXN)')).toHaveValue('1,150.50')
    const answered = await hold(page, commissions.create)
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await save.click()
    const { affiliate_id, product_id, relationship_id } = ids
    const body = { affiliate_id, product_id, relationship_id, name: 'Tarjeta aprobada', description: '' }
    expect((await sent).postDataJSON()).toEqual({ ...body, payout: '1150.50' })
    await expect(dialog.getByRole('button', { name: 'Configurando...' })).toBeVisible()
    answered()
    await expectToast(page, 'Comisión creada exitosamente')
    expect(await expectHeads(page)).toEqual(['Nombre', 'Producto', 'Afiliado', 'Comisión', 'Fecha', 'Acciones'])
    await expectRow(page, {
      Nombre: 'Tarjeta aprobada',
      Producto: product.name,
      Afiliado: affiliate.company_name,
      Comisión: '$1,150.50',
      Fecha: /^\d\d\/\d\d\/20\d\d$/,
    })
  })

  await test.step('a second one of the same pair is refused, and stays in the form', async () => {
    await open.click()
    await choose(dialog, 'Afiliado', affiliate.company_name)
    await choose(dialog, 'Producto', product.name)
    await dialog.getByLabel('Comisión (MXN)').fill('10')
    await dialog.getByLabel('Nombre').fill('La segunda')
    await save.click()
    await expectToast(page, 'Ya existe una configuración para este producto y afiliado')
    await answerNext(page, commissions.create, 500, {})
    await save.click()
    await expectToast(page, 'Error al procesar la comisión')
    await expect(dialog.getByLabel('Nombre')).toHaveValue('La segunda')
    await dialog.getByRole('button', { name: 'Cancelar' }).click()
    await page.getByRole('alertdialog').getByRole('button').last().click()
    await expect(page.getByText('La segunda')).toHaveCount(0)
  })

  await test.step('the search looks into the name, the product and the affiliate', async () => {
    for (const [words, name] of [
      ['aprobad', 'Tarjeta aprobada'],
      ['nomina', 'Entregadas'],
      ['guia agil', 'Entregadas'],
    ] as const) {
      await search.fill(words)
      await expect(rowsOf(list)).toHaveCount(1)
      await expectRow(page, { Nombre: name })
    }
    await page.setViewportSize({ width: 390, height: 844 })
    const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Entregadas' })
    await expect(card).toContainText(/Crédito Nómina · Guía Ágil \d+ · \d\d\/\d\d\/\d{4}/)
    await page.setViewportSize({ width: 1440, height: 900 })
    await search.fill('zzzz')
    await expect(page.getByText('No se encontraron comisiones que coincidan con la búsqueda')).toBeVisible()
    await search.fill('')
  })

  await test.step('it is changed, but not whose it is', async () => {
    await page.getByRole('button', { name: 'Editar Tarjeta aprobada' }).click()
    const edit = page.getByRole('dialog', { name: 'Editar Comisión' })
    await expect(choiceOf(edit, 'Afiliado')).toBeDisabled()
    await expect(choiceOf(edit, 'Producto')).toBeDisabled()
    await expect(choiceOf(edit, 'Producto')).toHaveValue(product.name)
    await edit.getByLabel('Comisión (MXN)').fill('900')
    await edit.getByLabel('Nombre').fill('Tarjeta entregada')
    await edit.getByLabel('Descripción').fill('Solo la primera tarjeta')
    const updated = await hold(page, commissions.update)
    await edit.getByRole('button', { name: 'Actualizar Comisión' }).click()
    await expect(edit.getByRole('button', { name: 'Actualizando...' })).toBeVisible()
    updated()
    await expectToast(page, 'Comisión actualizada exitosamente')
  })
  const changed = await expectRow(page, { Nombre: 'Tarjeta entregada', Comisión: '$900.00' })

  await test.step('its history says who set which amount, and is asked for again when it failed', async () => {
    await failNext(page, commissions.history)
    const answered = await hold(page, commissions.history)
    await chooseAction(changed, 'Historial de montos de Tarjeta entregada')
    const history = page.getByRole('dialog', { name: 'Historial de montos' })
    await expect(history.getByText('Cada lead gana el mejor de dos montos')).toBeVisible()
    await expect(history.getByText('Cargando historial...')).toBeVisible()
    answered()
    await expect(history.getByRole('alert')).toContainText('Error al cargar el historial')
    await history.getByRole('button', { name: 'Reintentar' }).click()
    expect(await expectHeads(history)).toEqual(['Fecha', 'Monto anterior', 'Monto nuevo', 'Quién'])
    const [Fecha, Quién] = [/^\d\d\/\d\d\/20\d\d \d\d:\d\d$/, 'Ana Prueba (Emisor)']
    await expectRow(history, { Fecha, 'Monto anterior': '$1,150.50', 'Monto nuevo': '$900.00', Quién })
    await expectRow(history, { Fecha, 'Monto anterior': 'Ninguno', 'Monto nuevo': '$1,150.50', Quién })
    await expect(history.getByRole('row').nth(1)).toContainText('$900.00')
    await history.getByRole('button', { name: 'Cerrar', exact: true }).click()
    await expect(history).toBeHidden()
  })

  await test.step('of an inactive relationship nothing is set', () => expectFrozen(page, stopped, issuer))

  await test.step('it is taken away after a question', async () => {
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
    await expect(changed).toBeHidden()
  })

  await test.step('an affiliate that left the list meanwhile is refused', async () => {
    await answerNext(page, affiliates.list, 200, success([]))
    await page.reload()
    const calls = callsOf(page, commissions.update)
    await page.getByRole('button', { name: 'Editar Entregadas' }).click()
    const edit = page.getByRole('dialog', { name: 'Editar Comisión' })
    await edit.getByLabel('Nombre').fill('Otra más')
    await edit.getByRole('button', { name: 'Actualizar Comisión' }).click()
    await expect(edit.getByText('Selecciona un afiliado válido')).toBeVisible()
    expect(calls).toEqual([])
  })
})

test('what is promoted without a commission stands first, and is one press away from having it', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { issuer, affiliate } = pair
  await makeCommission(db, { ...pair.ids, name: 'Aprobadas' })
  const product = await makeProduct(db, { issuer_id: issuer.id })
  const step = await makePayingStep(db, { product_id: product.id })
  for (const name of ['Uno', 'Dos', 'Tres', 'Cuatro', 'Cinco']) await promote(db, issuer.id, product.id, name)
  const unpaid = await promote(db, issuer.id, product.id, 'Sin pago')
  const lead = await makeLead(db, unpaid.ids)
  await makeEvent(db, lead, step, { event_type_id: 3, event_type_name: 'aprobado' })
  await signIn('issuer', issuer)
  await page.goto(PATH)
  const missing = page.getByRole('table', { name: 'Sin comisión' })
  const rows = rowsOf(missing)
  const search = page.getByRole('searchbox')
  const dialog = page.getByRole('dialog', { name: 'Nueva Comisión' })

  await test.step('five of them, what lost most first, and all when asked', async () => {
    await expect(rows).toHaveCount(5)
    await expect(rows.first()).toContainText(unpaid.affiliate.company_name)
    await expectRow(missing, { Afiliado: unpaid.affiliate.company_name, 'Eventos sin comisión': '1' })
    await page.getByRole('button', { name: 'Ver todos (7)' }).click()
    await expect(rows).toHaveCount(7)
    const none = { 'Eventos sin comisión': '0', Desde: '-' }
    await expectRow(missing, { Producto: product.name, Afiliado: affiliate.company_name, ...none })
  })

  await test.step('set once, though the answer was lost', async () => {
    await search.fill(affiliate.company_name)
    await expect(rows).toHaveCount(1)
    await expect(page.getByRole('heading', { name: 'Sin comisión: 1 afiliado y producto' })).toBeVisible()
    await missing.getByRole('button', { name: `Configurar comisión de ${affiliate.company_name}` }).click()
    await expect(choiceOf(dialog, 'Afiliado')).toHaveValue(affiliate.company_name)
    await expect(choiceOf(dialog, 'Producto')).toHaveValue(product.name)
    await expect(dialog.getByLabel('Nombre')).toHaveValue(product.name)
    await dialog.getByLabel('Comisión (MXN)').fill('850')
    const save = dialog.getByRole('button', { name: 'Configurar Comisión' })
    await loseNext(page, commissions.create)
    await save.click()
    await expectToast(page, 'Error 503')
    await expect(missing).toHaveCount(0)
    await save.click()
    await expectToast(page, 'Comisión creada exitosamente')
    await expectRow(page, { Producto: product.name, Comisión: '$850.00' })
  })

  await test.step('they are searched with those that are set', async () => {
    await search.fill('Aprobadas')
    await expect(missing).toHaveCount(0)
    await expectRow(page, { Nombre: 'Aprobadas' })
  })
})

test('the administrator is told of missing commissions, sets one and changes it', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { issuer, affiliate, product } = pair
  await makePayingStep(db, { product_id: product.id })
  const stopped = await makeStopped(db, issuer.id, product.id)
  await signIn('admin')
  await page.goto('/app/admin/dashboard')
  await page
    .getByRole('list', { name: 'Por atender' })
    .getByRole('link', { name: /^Relaciones sin comisión/ })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Comisiones')
  await expect(page.getByRole('combobox', { name: 'Estado' })).toHaveText('Sin comisión')
  await choose(page, 'Afiliado', affiliate.company_name)
  await expect(page.getByText('0 configuradas · 1 sin comisión')).toBeVisible()
  await expectRow(page, { Emisor: issuer.company_name, Comisión: 'Sin comisión', 'Eventos sin comisión': '0' })
  const open = page.getByRole('button', { name: `Configurar comisión de ${affiliate.company_name}` })
  const dialog = page.getByRole('dialog', { name: 'Nueva Comisión' })

  await test.step('without the products there is nothing to configure', async () => {
    await failNext(page, products.list)
    await open.click()
    await expect(dialog.getByText(LISTS_FAILED)).toBeVisible()
    await dialog.getByRole('button', { name: 'Cerrar', exact: true }).click()
    await expect(dialog).toBeHidden()
  })

  await test.step('one is set, and missing no longer', async () => {
    await open.click()
    await dialog.getByLabel('Comisión (MXN)').fill('700')
    await dialog.getByRole('button', { name: 'Configurar Comisión' }).click()
    await expectToast(page, 'Comisión creada exitosamente')
    await expect(page.getByText('No se encontraron comisiones con esos filtros')).toBeVisible()
  })

  await page.getByRole('link', { name: 'Configuración', exact: true }).click()
  await page.getByRole('link', { name: 'Comisiones', exact: true }).click()
  await choose(page, 'Emisor', issuer.company_name)
  await choose(page, 'Producto', product.name)

  await test.step('it is changed, which its history says', async () => {
    const row = await expectRow(page, { Afiliado: affiliate.company_name, Comisión: '$700.00' })
    await row.getByRole('button', { name: `Editar ${product.name}` }).click()
    const edit = page.getByRole('dialog', { name: 'Editar Comisión' })
    await edit.getByLabel('Comisión (MXN)').fill('725')
    await edit.getByRole('button', { name: 'Actualizar Comisión' }).click()
    await expectToast(page, 'Comisión actualizada exitosamente')
    const changed = await expectRow(page, { Comisión: '$725.00' })
    await chooseAction(changed, `Historial de montos de ${product.name}`)
    const history = page.getByRole('dialog', { name: 'Historial de montos' })
    await expectRow(history, { 'Monto anterior': '$700.00', 'Monto nuevo': '$725.00', Quién: /Administrador/ })
    await page.keyboard.press('Escape')
    await expect(history).toBeHidden()
  })

  await test.step('of an inactive relationship nothing is set', () => expectFrozen(page, stopped, issuer))
})
