import type { Locator, Page } from '@playwright/test'
import { affiliates } from '#contract/affiliates.ts'
import { commissions } from '#contract/commissions.ts'
import { payments } from '#contract/payments.ts'
import { products } from '#contract/products.ts'
import { rates } from '#contract/rates.ts'
import { receivers } from '#contract/receivers.ts'
import { users } from '#contract/users.ts'
import { makeCommission, makePayment, makeUser, unique } from '#db/factories.ts'
import { expect, PASSWORD, test } from './fixtures.ts'
import {
  answerNext,
  callsOf,
  choiceOf,
  choose,
  chooseAction,
  chooseHinted,
  expectNoViolations,
  expectRow,
  expectToast,
  failNext,
  hold,
  loseNext,
} from './screen.ts'

const CHANGED = 'Estos datos cambiaron después de que los abriste.'

const discard = async (page: Page, dialog: Locator) => {
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('button', { name: 'Descartar' }).click()
}

test('a payment that a colleague paid stays paid, and what was typed meanwhile stays on the screen', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { id } = await makePayment(db, pair.ids)
  const colleague = await signIn('admin')
  await signIn('admin')
  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  const edit = page.getByRole('button', { name: `Editar pago ${id}` })
  await expect(edit).toBeVisible()
  await colleague.call(payments.update, { params: { id }, body: { payment_status: 'paid' } })
  await edit.click()
  const dialog = page.getByRole('dialog', { name: 'Editar Pago' })
  const save = dialog.getByRole('button', { name: 'Actualizar' })
  await dialog.getByLabel('Notas').fill('SPEI 41')
  await save.click()
  await expectToast(page, CHANGED)
  const again = page.waitForResponse((response) => response.request().method() === 'PUT')
  await save.click()
  expect((await again).status()).toBe(412)
  await expect(dialog.getByLabel('Notas')).toHaveValue('SPEI 41')
  await discard(page, dialog)
  await expectRow(page, { Estado: 'Pagado' })
  await edit.click()
  await dialog.getByLabel('Notas').fill('SPEI 41')
  await save.click()
  await expectToast(page, 'Pago actualizado exitosamente')
  expect(await colleague.call(payments.get, { params: { id } })).toMatchObject({
    payment_status: 'paid',
    notes: 'SPEI 41',
  })
})

test('a user whom a colleague suspended stays so; the own saves are in nobody’s way', async ({ page, signIn, db }) => {
  const { id, email } = await makeUser(db, { role: 'admin' })
  const colleague = await signIn('admin')
  await signIn('admin')
  await page.goto(`/app/admin/users?q=${email}`)
  const edit = page.getByRole('button', { name: 'Editar Ana Prueba' })
  await expect(edit).toBeVisible()
  await colleague.call(users.update, { params: { id }, body: { user_status: 'suspended' } })
  await edit.click()
  const dialog = page.getByRole('dialog', { name: 'Editar Usuario' })
  await dialog.getByLabel('Apellidos').fill('Prueba Paz')
  await dialog.getByRole('button', { name: 'Actualizar' }).click()
  await expectToast(page, CHANGED)
  await discard(page, dialog)
  await expectRow(page, { Nombre: 'Suspendido' })
  await chooseAction(page, /^Restablecer contraseña de/)
  const reset = page.getByRole('dialog', { name: 'Restablecer contraseña' })
  await reset.getByLabel('Contraseña nueva').fill('Otra-Orilla-27')
  await reset.getByRole('button', { name: 'Restablecer', exact: true }).click()
  await expect(reset).toBeHidden()
  await edit.click()
  await expect(choiceOf(dialog, 'Estado')).toHaveText('Suspendido')
  await dialog.getByLabel('Apellidos').fill('Prueba Paz')
  await dialog.getByRole('button', { name: 'Actualizar' }).click()
  await expectToast(page, 'Usuario actualizado exitosamente')
  expect(await colleague.call(users.get, { params: { id } })).toMatchObject({
    user_status: 'suspended',
    last_name: 'Prueba Paz',
  })
})

test('the user of a company is edited as it is now, not as it was when it was looked at before', async ({
  page,
  signIn,
  db,
  affiliate,
}) => {
  const { id } = await makeUser(db, { role: 'affiliate', affiliateId: affiliate.id })
  const colleague = await signIn('admin')
  await signIn('admin')
  await page.goto(`/app/admin/affiliates?q=${affiliate.company_name}`)
  const dialog = page.getByRole('dialog', { name: 'Editar Usuario' })
  await chooseAction(page, /^Editar usuario administrador/)
  await expect(choiceOf(dialog, 'Estado')).toHaveText('Activo')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await colleague.call(users.update, { params: { id }, body: { user_status: 'suspended' } })
  await chooseAction(page, /^Editar usuario administrador/)
  await expect(choiceOf(dialog, 'Estado')).toHaveText('Suspendido')
  await dialog.getByLabel('Apellidos').fill('Prueba Paz')
  await dialog.getByRole('button', { name: 'Actualizar' }).click()
  await expectToast(page, 'Usuario actualizado exitosamente')
})

test('a row is edited again before its list has been loaded anew', async ({ page, signIn, pair }) => {
  await signIn('admin')
  await page.goto(`/app/admin/products?emisor=${pair.issuer.id}`)
  const edit = page.getByRole('row').getByRole('button', { name: 'Editar' })
  const dialog = page.getByRole('dialog', { name: 'Editar Producto' })
  await edit.click()
  const release = await hold(page, products.list)
  const names = ['Tarjeta Oro', 'Tarjeta Platino']
  for (const name of names) {
    await dialog.getByLabel('Nombre').fill(name)
    await dialog.getByRole('button', { name: 'Actualizar' }).click()
    await expect(dialog).toBeHidden()
    await expectRow(page, { Nombre: name })
    await edit.click()
    await expect(dialog.getByLabel('Nombre')).toHaveValue(name)
  }
  release()
})

test('an amount that began after the list was read stays, and a save that fails leaves the form', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { id } = await makeCommission(db, pair.ids)
  const colleague = await signIn('admin')
  await signIn('admin')
  await page.goto(`/app/admin/commissions?emisor=${pair.issuer.id}`)
  const edit = page.getByRole('row').getByRole('button', { name: 'Editar' })
  await expect(edit).toBeVisible()
  await colleague.call(rates.create, { body: { commission_id: id, amount: '620.50' } })
  await edit.click()
  const dialog = page.getByRole('dialog', { name: 'Editar Comisión' })
  const [text, save] = [dialog.getByLabel('Descripción'), dialog.getByRole('button', { name: 'Actualizar Comisión' })]
  await text.fill('Por tarjeta entregada')
  await failNext(page, commissions.update)
  await failNext(page, products.list)
  const asked = page.waitForResponse((answer) => answer.status() === 500 && answer.url().includes(products.list.path))
  await save.click()
  await asked
  await expect(text).toHaveValue('Por tarjeta entregada')
  await save.click()
  await expect(dialog).toBeHidden()
  const [saved] = await colleague.call(commissions.list, { query: { issuer_id: pair.issuer.id } })
  expect(saved).toMatchObject({ payout: '620.50', description: 'Por tarjeta entregada' })
})

test('an edit whose answer was lost says that it may be saved', async ({ page, signIn, pair }) => {
  await signIn('admin')
  await page.goto(`/app/admin/products?emisor=${pair.issuer.id}`)
  await page.getByRole('row').getByRole('button', { name: 'Editar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Editar Producto' })
  const save = dialog.getByRole('button', { name: 'Actualizar' })
  await dialog.getByLabel('Nombre').fill('Tarjeta Oro')
  await loseNext(page, products.update)
  await save.click()
  await expectToast(page, 'Error 503')
  await save.click()
  await expectToast(page, 'Lo que enviaste antes quizá ya se guardó.')
  await discard(page, dialog)
  await expectRow(page, { Nombre: 'Tarjeta Oro' })
})

test('what a colleague deleted leaves the list of who deletes it too', async ({ page, signIn, affiliate }) => {
  const colleague = await signIn('admin')
  await signIn('admin')
  await page.goto(`/app/admin/affiliates?q=${affiliate.company_name}`)
  const row = await expectRow(page, { Empresa: affiliate.company_name })
  await colleague.call(affiliates.remove, { params: { id: affiliate.id } })
  await chooseAction(row, /^Eliminar/)
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Eliminar' }).click()
  await expectToast(page, 'Afiliado no encontrado')
  await expect(page.getByText('No se encontraron resultados para la búsqueda')).toBeVisible()
})

test('a product whose answer was lost is created once, and not under another name', async ({
  page,
  signIn,
  issuer,
}) => {
  const admin = await signIn('admin')
  await page.goto('/app/admin/products')
  await choose(page, 'Filtrar por emisor', issuer.company_name)
  const dialog = page.getByRole('dialog', { name: 'Nuevo Producto' })
  const save = dialog.getByRole('button', { name: 'Crear', exact: true })
  const lose = async (name: string) => {
    await page.getByRole('button', { name: 'Nuevo Producto' }).first().click()
    await choose(dialog, 'Emisor', issuer.company_name)
    await dialog.getByLabel('Nombre').fill(name)
    await dialog.getByLabel('Descripción').fill('Sin anualidad')
    await dialog.getByLabel('URL de redirección').fill('https://banco.mx/alta?ref={tracking_id}')
    await loseNext(page, products.create)
    await save.click()
    await expectToast(page, 'Error 503')
    // The list behind the form, where no role is to be found.
    await expect(page.getByRole('cell', { name, exact: true, includeHidden: true })).toHaveCount(1)
  }
  await lose('Tarjeta Oro')
  await save.click()
  await expectToast(page, 'Producto creado exitosamente')
  await expect(dialog).toBeHidden()
  await lose('Tarjeta Plata')
  await dialog.getByLabel('Nombre').fill('Tarjeta Platino')
  await save.click()
  await expectToast(page, 'Lo que enviaste antes ya se registró o se está registrando.')
  await discard(page, dialog)
  const made = await admin.call(products.list, { query: { issuer_id: issuer.id } })
  expect(made.map(({ name }) => name).sort()).toEqual(['Tarjeta Oro', 'Tarjeta Plata'])
})

test('a postback and a commission whose answer was lost are there once, and pressing again says so', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/postbacks')
  await page.getByRole('button', { name: 'Nuevo postback' }).first().click()
  const postback = page.getByRole('dialog', { name: 'Nuevo postback' })
  await postback.getByLabel('Nombre').fill('Mi rastreador')
  await postback.getByLabel('Dirección').fill('https://red.example.mx/p?s={external_id}')
  await loseNext(page, receivers.create)
  await postback.getByRole('button', { name: 'Crear' }).click()
  await expectToast(page, 'Error 503')
  await postback.getByRole('button', { name: 'Crear' }).click()
  await expectToast(page, 'Dirección creada exitosamente')
  const made = db.selectFrom('receiver').select('name').where('affiliate_id', '=', pair.affiliate.id)
  expect(await made.execute()).toEqual([{ name: 'Mi rastreador' }])

  await signIn('admin')
  await page.goto('/app/admin/commissions')
  await page.getByRole('button', { name: 'Nueva Comisión' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nueva Comisión' })
  await choose(dialog, 'Afiliado', pair.affiliate.company_name)
  await chooseHinted(dialog, 'Producto', pair.product.name)
  await dialog.getByLabel('Comisión (MXN)').fill('500')
  await dialog.getByLabel('Nombre').fill('Tarjeta aprobada')
  await loseNext(page, commissions.create)
  await dialog.getByRole('button', { name: 'Configurar Comisión' }).click()
  await expectToast(page, 'Error 503')
  await dialog.getByRole('button', { name: 'Configurar Comisión' }).click()
  await expectToast(page, 'Comisión creada exitosamente')
})

test('a new user whose status was not saved is saved by pressing again', async ({ page, signIn }) => {
  await signIn('admin')
  await page.goto('/app/admin/users')
  await page.getByRole('button', { name: 'Nuevo Usuario' }).click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo Usuario' })
  const email = `nueva${unique()}@empresa.mx`
  await dialog.getByLabel('Nombre', { exact: true }).fill('José')
  await dialog.getByLabel('Apellidos').fill('Ñúñez')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await choose(dialog, 'Rol', 'Administrador')
  await choose(dialog, 'Estado', 'Inactivo')
  await answerNext(page, users.update, 500, {})
  const updates = callsOf(page, users.update)
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  await expectToast(page, 'Ocurrió un error al procesar la solicitud')
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  await expectToast(page, 'Usuario creado exitosamente')
  expect(updates).toHaveLength(2)
  await page.getByRole('searchbox').fill(email)
  await expectRow(page, { Nombre: 'Inactivo', Email: email })
})

test('an invited user whose answer was lost is there, and is given another link from the list', async ({
  page,
  signIn,
}) => {
  await signIn('admin')
  await page.goto('/app/admin/users')
  await page.getByRole('button', { name: 'Nuevo Usuario' }).click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo Usuario' })
  await dialog.getByLabel('Nombre', { exact: true }).fill('José')
  await dialog.getByLabel('Apellidos').fill('Ñúñez')
  const email = `nueva${unique()}@empresa.mx`
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Enviar invitación').check()
  await choose(dialog, 'Rol', 'Administrador')
  await loseNext(page, users.create)
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  await expectToast(page, 'Ocurrió un error al procesar la solicitud')
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  const shown = page.getByRole('dialog', { name: 'Enlace para José Ñúñez' })
  await expect(shown.getByRole('alert')).toHaveText(
    'La cuenta ya está creada, pero su enlace se perdió. Dale otro desde la lista de usuarios.',
  )
  await expectNoViolations(page)
  await shown.getByRole('button', { name: 'Listo' }).click()
  await page.getByRole('searchbox').fill(email)
  await expectRow(page, { Email: email })
})
