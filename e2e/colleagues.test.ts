import type { Locator, Page } from '@playwright/test'
import { affiliates } from '#contract/affiliates.ts'
import { commissions } from '#contract/commissions.ts'
import { payments } from '#contract/payments.ts'
import { products } from '#contract/products.ts'
import { rates } from '#contract/rates.ts'
import { users } from '#contract/users.ts'
import { makeCommission, makePayment, makeUser, unique } from '#db/factories.ts'
import { expect, PASSWORD, test } from './fixtures.ts'
import {
  answerNext,
  callsOf,
  choiceOf,
  choose,
  chooseAction,
  expectRow,
  expectToast,
  failNext,
  hold,
  loseNext,
} from './screen.ts'
import { go } from './sessions.ts'

// That the server refuses what is outdated and writes once what comes twice, its own tests say: server/http/idempotency.test.ts
// and those of each noun.

const CHANGED = 'Estos datos cambiaron después de que los abriste.'

const discard = async (page: Page, dialog: Locator) => {
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('button', { name: 'Descartar' }).click()
}

test('what a colleague changed stays, and so does what was typed meanwhile', async ({ page, signIn, db, pair }) => {
  const { id } = await makePayment(db, pair.ids)
  const commission = await makeCommission(db, pair.ids)
  const { id: userId } = await makeUser(db, { role: 'affiliate', affiliateId: pair.affiliate.id })
  const colleague = await signIn('admin')
  await signIn('admin')

  await test.step('a payment that was paid', async () => {
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

  await test.step('an amount that began after the list was read; a save that fails leaves the form', async () => {
    await go(page, `/app/admin/commissions?emisor=${pair.issuer.id}`, 'Comisiones')
    const edit = page.getByRole('row').getByRole('button', { name: 'Editar' })
    await expect(edit).toBeVisible()
    await colleague.call(rates.create, { body: { commission_id: commission.id, amount: '620.50' } })
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

  await test.step('the user of a company, who is edited as it is now', async () => {
    await go(page, `/app/admin/affiliates?q=${pair.affiliate.company_name}`, 'Afiliados')
    const dialog = page.getByRole('dialog', { name: 'Editar Usuario' })
    await chooseAction(page, /^Editar usuario administrador/)
    await expect(choiceOf(dialog, 'Estado')).toHaveText('Activo')
    await dialog.getByRole('button', { name: 'Cancelar' }).click()
    await colleague.call(users.update, { params: { id: userId }, body: { user_status: 'suspended' } })
    await chooseAction(page, /^Editar usuario administrador/)
    await expect(choiceOf(dialog, 'Estado')).toHaveText('Suspendido')
    await dialog.getByLabel('Apellidos').fill('Prueba Paz')
    await dialog.getByRole('button', { name: 'Actualizar' }).click()
    await expectToast(page, 'Usuario actualizado exitosamente')
  })
})

test('what a colleague deleted leaves the list, and a row is edited again before its list has been loaded anew', async ({
  page,
  signIn,
  pair,
  makePerson,
}) => {
  const person = await makePerson('admin')
  const colleague = await signIn('admin')
  await signIn('admin')

  await test.step('the own saves are in nobody’s way', async () => {
    await page.goto(`/app/admin/users?q=${person.email}`)
    await chooseAction(page, /^Restablecer contraseña de/)
    const reset = page.getByRole('dialog', { name: 'Restablecer contraseña' })
    await reset.getByLabel('Contraseña nueva').fill('Otra-Orilla-27')
    await reset.getByRole('button', { name: 'Restablecer', exact: true }).click()
    await expect(reset).toBeHidden()
    await page.getByRole('button', { name: 'Editar Ana Prueba' }).click()
    const dialog = page.getByRole('dialog', { name: 'Editar Usuario' })
    await dialog.getByLabel('Apellidos').fill('Prueba Paz')
    await dialog.getByRole('button', { name: 'Actualizar' }).click()
    await expectToast(page, 'Usuario actualizado exitosamente')
  })

  await test.step('edited again', async () => {
    await go(page, `/app/admin/products?emisor=${pair.issuer.id}`, 'Productos')
    const edit = page.getByRole('row').getByRole('button', { name: 'Editar' })
    const dialog = page.getByRole('dialog', { name: 'Editar Producto' })
    await edit.click()
    const release = await hold(page, products.list)
    for (const name of ['Tarjeta Oro', 'Tarjeta Platino']) {
      await dialog.getByLabel('Nombre').fill(name)
      await dialog.getByRole('button', { name: 'Actualizar' }).click()
      await expect(dialog).toBeHidden()
      await expectRow(page, { Nombre: name })
      await edit.click()
      await expect(dialog.getByLabel('Nombre')).toHaveValue(name)
    }
    release()
    await page.keyboard.press('Escape')
  })

  await test.step('deleted', async () => {
    await go(page, `/app/admin/affiliates?q=${pair.affiliate.company_name}`, 'Afiliados')
    const row = await expectRow(page, { Empresa: pair.affiliate.company_name })
    await colleague.call(affiliates.remove, { params: { id: pair.affiliate.id } })
    await chooseAction(row, /^Eliminar/)
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: 'Eliminar' }).click()
    await expectToast(page, 'Afiliado no encontrado')
    await expect(page.getByText('No se encontraron resultados para la búsqueda')).toBeVisible()
  })
})

test('what was sent and not answered is there once, and pressing again says so', async ({ page, signIn, pair }) => {
  const { issuer } = pair
  const admin = await signIn('admin')
  await page.goto(`/app/admin/products?emisor=${issuer.id}`)

  await test.step('an edit may be saved', async () => {
    await page.getByRole('row').getByRole('button', { name: 'Editar' }).click()
    const dialog = page.getByRole('dialog', { name: 'Editar Producto' })
    const save = dialog.getByRole('button', { name: 'Actualizar' })
    await dialog.getByLabel('Nombre').fill('Tarjeta Bronce')
    await loseNext(page, products.update)
    await save.click()
    await expectToast(page, 'Error 503')
    await save.click()
    await expectToast(page, 'Lo que enviaste antes quizá ya se guardó.')
    await discard(page, dialog)
    await expectRow(page, { Nombre: 'Tarjeta Bronce' })
  })

  await test.step('a product is created once, and not under another name', async () => {
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
    expect(made.map(({ name }) => name).sort()).toEqual(['Tarjeta Bronce', 'Tarjeta Oro', 'Tarjeta Plata'])
  })

  await go(page, '/app/admin/users', 'Usuarios')
  const dialog = page.getByRole('dialog', { name: 'Nuevo Usuario' })
  const create = dialog.getByRole('button', { name: 'Crear', exact: true })
  const email = `nueva${unique()}@empresa.mx`
  const fillIn = async (address: string) => {
    await page.getByRole('button', { name: 'Nuevo Usuario' }).click()
    await dialog.getByLabel('Nombre', { exact: true }).fill('José')
    await dialog.getByLabel('Apellidos').fill('Ñúñez')
    await dialog.getByLabel('Email').fill(address)
    await choose(dialog, 'Rol', 'Administrador')
  }
  await test.step('a new user whose status was not saved is saved by pressing again', async () => {
    await fillIn(email)
    await dialog.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
    await choose(dialog, 'Estado', 'Inactivo')
    await answerNext(page, users.update, 500, {})
    const updates = callsOf(page, users.update)
    await create.click()
    await expectToast(page, 'Ocurrió un error al procesar la solicitud')
    await create.click()
    await expectToast(page, 'Usuario creado exitosamente')
    expect(updates).toHaveLength(2)
    await page.getByRole('searchbox').fill(email)
    await expectRow(page, { Nombre: 'Inactivo', Email: email })
  })

  await test.step('an invited user is there, and is given another link from the list', async () => {
    await fillIn(`otra-${email}`)
    await dialog.getByLabel('Enviar invitación').check()
    await loseNext(page, users.create)
    const lost = page.waitForResponse((answer) => answer.status() === 503)
    await create.click()
    await lost
    await create.click()
    const shown = page.getByRole('dialog', { name: 'Enlace para José Ñúñez' })
    await expect(shown.getByRole('alert')).toHaveText(
      'La cuenta ya está creada, pero su enlace se perdió. Dale otro desde la lista de usuarios.',
    )
    await shown.getByRole('button', { name: 'Listo' }).click()
    await page.getByRole('searchbox').fill(`otra-${email}`)
    await expectRow(page, { Email: `otra-${email}` })
  })
})
