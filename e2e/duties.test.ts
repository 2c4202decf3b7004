import { makeIssuer, makePayment } from '#db/factories.ts'
import { become, expect, test } from './fixtures.ts'
import { expectToast, openAction } from './screen.ts'

const READS = 'Tu perfil es de consulta'
const NOT = 'Tu perfil no incluye esta acción'

test('who may not change something sees all there is, and reads on each button and form why it is not for them', async ({
  page,
  db,
  signIn,
  pair,
}) => {
  await makePayment(db, pair.ids)
  const api = await signIn('admin')

  await test.step('who only reads: buttons, actions of a row, and of those that are chosen', async () => {
    await become('reader', db, api)
    await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
    const create = page.getByRole('button', { name: 'Crear Pago' })
    await expect(create).toBeDisabled()
    await expect(create).toHaveAccessibleDescription(READS)
    await create.click({ force: true })
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const list = page.getByRole('table')
    await expect(list.getByRole('button', { name: /^Editar pago/ })).toBeDisabled()
    await expect(await openAction(list, /^Eliminar pago/)).toContainText(READS)
    await page.keyboard.press('Escape')
    await page.getByRole('checkbox', { name: /^Elegir Pago/ }).check()
    await expect(page.getByRole('button', { name: 'Cambiar estado' })).toBeDisabled()
  })

  await test.step('what stands in a form alone is read there', async () => {
    await page.goto(`/app/admin/products?emisor=${pair.issuer.id}`)
    await expect(page.getByRole('button', { name: 'Nuevo Producto' })).toBeDisabled()
    await page.getByRole('button', { name: `Editar ${pair.product.name}` }).click()
    const form = page.getByRole('dialog', { name: 'Editar Producto' })
    await expect(form.getByText(READS).first()).toBeVisible()
    await expect(form.getByLabel('URL de redirección')).toBeDisabled()
    await expect(form.getByLabel('URL de redirección')).toHaveValue(pair.product.redirect_url)
    await expect(form.getByRole('button', { name: 'Actualizar' })).toBeDisabled()
  })

  await test.step('who pays makes payments, and no users', async () => {
    await become('finance', db, api)
    await page.goto('/app/admin/users')
    await expect(page.getByRole('button', { name: 'Nuevo Usuario' })).toHaveAccessibleDescription(NOT)
    await page.getByRole('link', { name: 'Pagos', exact: true }).click()
    await page.getByRole('button', { name: 'Crear Pago' }).first().click()
    const form = page.getByRole('dialog', { name: 'Crear Pago' })
    await expect(form.getByLabel('Total de leads')).toBeEnabled()
  })

  await test.step('who does not pay reads so in the form to which the palette leads', async () => {
    await become('operator', db, api)
    await page.goto('/app/admin/users')
    await page.getByRole('button', { name: 'Buscar… Ctrl K' }).click()
    await page.getByRole('option', { name: 'Crear pago' }).click()
    const form = page.getByRole('dialog', { name: 'Crear Pago' })
    await expect(form.getByText(NOT).first()).toBeVisible()
    await expect(form.getByLabel('Total de leads')).toBeDisabled()
    await expect(form.getByRole('button', { name: 'Crear', exact: true })).toHaveAccessibleDescription(NOT)
  })

  await test.step('the people of an inactive company change what is their own', async () => {
    const closed = 'La empresa está inactiva: solo es posible consultar'
    await signIn('issuer', await makeIssuer(db, { user_status: 'inactive' }))
    await page.goto('/app/issuer/people')
    const invite = page.getByRole('button', { name: 'Invitar a una persona' })
    await expect(invite).toBeDisabled()
    await expect(invite).toHaveAccessibleDescription(closed)
    await page.getByRole('link', { name: 'Configuraciones' }).first().click()
    await page.getByRole('checkbox', { name: 'Pagos realizados: en Afluente' }).click()
    await expectToast(page, 'Preferencia guardada')
  })
})
