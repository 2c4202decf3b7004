import { receivers } from '#contract/receivers.ts'
import { makeCommission, makeIssuer, makePayment } from '#db/factories.ts'
import { become, expect, test } from './fixtures.ts'
import { chooseAction, expectNoViolations, expectToast, openAction } from './screen.ts'

const READS = 'Tu perfil es de consulta'
const NOT = 'Tu perfil no incluye esta acción'

test('who only reads sees all there is, and reads on each button why it is not for them', async ({
  page,
  db,
  signIn,
  pair,
}) => {
  await makePayment(db, pair.ids)
  await become('reader', db, await signIn('admin'))

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
  await expectNoViolations(page)

  // What stands in its form alone is read there.
  await page.goto(`/app/admin/products?emisor=${pair.issuer.id}`)
  await expect(page.getByRole('button', { name: 'Nuevo Producto' })).toBeDisabled()
  await page.getByRole('button', { name: `Editar ${pair.product.name}` }).click()
  const form = page.getByRole('dialog', { name: 'Editar Producto' })
  await expect(form.getByText(READS).first()).toBeVisible()
  await expect(form.getByLabel('URL de redirección')).toBeDisabled()
  await expect(form.getByLabel('URL de redirección')).toHaveValue(pair.product.redirect_url)
  await expect(form.getByRole('button', { name: 'Actualizar' })).toBeDisabled()
})

test('who pays makes payments and commissions, and neither products nor users', async ({ page, db, signIn, pair }) => {
  const commission = await makeCommission(db, pair.ids)
  await become('finance', db, await signIn('admin'))
  await page.goto('/app/admin/products')
  await expect(page.getByRole('button', { name: 'Nuevo Producto' })).toHaveAccessibleDescription(NOT)
  const menu = page.getByRole('navigation', { name: 'Panel Administrador' })
  await menu.getByRole('link', { name: 'Usuarios' }).click()
  await expect(page.getByRole('button', { name: 'Nuevo Usuario' })).toHaveAccessibleDescription(NOT)
  await menu.getByRole('link', { name: 'Pagos' }).click()
  await page.getByRole('button', { name: 'Crear Pago' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Crear Pago' })).toBeVisible()
  await page.goto(`/app/admin/commissions?emisor=${pair.issuer.id}`)
  await chooseAction(page.getByRole('row', { name: pair.affiliate.company_name }), `Eliminar ${commission.name}`)
  await expect(page.getByRole('alertdialog')).toBeVisible()
})

test('who does not pay reads so in the form to which the palette leads', async ({ page, db, signIn }) => {
  await become('operator', db, await signIn('admin'))
  await page.goto('/app/admin/dashboard')
  await page.getByRole('button', { name: 'Buscar… Ctrl K' }).click()
  await page.getByRole('option', { name: 'Crear pago' }).click()
  const form = page.getByRole('dialog', { name: 'Crear Pago' })
  await expect(form.getByText(NOT).first()).toBeVisible()
  await expect(form.getByLabel('Total de leads')).toBeDisabled()
  await expect(form.getByRole('button', { name: 'Crear', exact: true })).toHaveAccessibleDescription(NOT)
  await expectNoViolations(page)
})

test('who operates reads the secret of a webhook, and does not change it', async ({ page, db, signIn, issuer }) => {
  const api = await signIn('issuer', issuer)
  const body = { name: 'Banco central', url: 'https://red.example.mx/', method: 'POST', types: ['lead.event'] }
  await api.call(receivers.create, { body })
  await become('operator', db, api)
  await page.goto('/app/issuer/webhooks')
  await chooseAction(page.getByRole('row', { name: 'Banco central' }), /^Secreto de/)
  const secrets = page.getByRole('dialog', { name: 'Secreto de firma' })
  await expect(secrets.getByText(/^whsec_..•+$/)).toBeVisible()
  const change = secrets.getByRole('button', { name: 'Cambiar', exact: true })
  await expect(change).toBeDisabled()
  await expect(change).toHaveAccessibleDescription(NOT)
})

test('the people of an inactive company read on each button that it is inactive', async ({ page, db, signIn }) => {
  const closed = 'La empresa está inactiva: solo es posible consultar'
  await signIn('issuer', await makeIssuer(db, { user_status: 'inactive' }))
  await page.goto('/app/issuer/commissions')
  await expect(page.getByRole('button', { name: 'Nueva Comisión' }).first()).toHaveAccessibleDescription(closed)
  // What is their own they change all the same.
  await page.getByRole('link', { name: 'Configuraciones' }).first().click()
  await page.getByRole('checkbox', { name: 'Pagos realizados: en Afluente' }).click()
  await expectToast(page, 'Preferencia guardada')
  await page.goto('/app/issuer/people')
  const invite = page.getByRole('button', { name: 'Invitar a una persona' })
  await expect(invite).toBeDisabled()
  await expect(invite).toHaveAccessibleDescription(closed)
})
