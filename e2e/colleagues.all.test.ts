import { commissions } from '#contract/commissions.ts'
import { receivers } from '#contract/receivers.ts'
import { users } from '#contract/users.ts'
import { makeUser } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { choiceOf, choose, chooseHinted, expectRow, expectToast, loseNext } from './screen.ts'

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

test('a user whom a colleague suspended stays so', async ({ page, signIn, db }) => {
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
  await expectToast(page, 'Estos datos cambiaron después de que los abriste.')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('button', { name: 'Descartar' }).click()
  await expectRow(page, { Nombre: 'Suspendido' })
  await edit.click()
  await expect(choiceOf(dialog, 'Estado')).toHaveText('Suspendido')
})
