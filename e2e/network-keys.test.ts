import { auth } from '#contract/auth.ts'
import { networkKeys } from '#contract/network-keys.ts'
import { unique } from '#db/factories.ts'
import { become, expect, forgetProof, PASSWORD, test } from './fixtures.ts'
import {
  answerNext,
  callsOf,
  choose,
  expectNoViolations,
  expectRow,
  expectToast,
  failNext,
  hold,
  success,
} from './screen.ts'

const KEYS = '/app/admin/keys'

test('a responsable makes a key, sees it once, reads with it, and revokes it', async ({
  page,
  request,
  db,
  signIn,
}) => {
  const { id } = await (await signIn('admin')).call(auth.profile)
  await page.goto('/app/admin/settings')
  await page.getByRole('link', { name: 'Claves de consulta' }).click()
  await expect(page).toHaveURL(KEYS)
  await page.getByRole('button', { name: 'Nueva clave' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nueva clave de consulta' })
  const save = dialog.getByRole('button', { name: 'Crear clave' })
  await save.click()
  await expect(dialog.getByText('Debe tener al menos 2 caracteres')).toBeVisible()
  await expectNoViolations(page)
  const name = `Almacén ${unique()}`
  await dialog.getByLabel('Nombre').fill(name)
  await choose(dialog, 'Alcance', 'Dinero')
  await choose(dialog, 'Vigencia', '30 días')
  await forgetProof(db, id)
  const calls = callsOf(page, networkKeys.create)
  await save.dblclick()
  const confirm = page.getByRole('dialog', { name: 'Confirma que eres tú para continuar' })
  await expect(confirm).toBeVisible()
  await page.evaluate(() => history.back())
  await confirm.getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Seguir editando' }).click()
  await expect(page).toHaveURL(KEYS)
  await save.click()
  await confirm.getByLabel('Tu contraseña').fill('x')
  await page.evaluate(() => history.back())
  await page.getByRole('alertdialog').getByRole('button', { name: 'Descartar' }).click()
  await expect(confirm).toHaveCount(0)
  // The form below is asked about by itself.
  await page.getByRole('alertdialog').getByRole('button', { name: 'Seguir editando' }).click()
  await save.click()
  await confirm.getByLabel('Tu contraseña').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Clave creada exitosamente')
  // The three that were refused, and the one after the confirmation.
  expect(calls).toHaveLength(4)
  const shown = page.getByRole('dialog', { name: `Clave «${name}»` })
  await expect(shown.getByText('Cópiala ahora: no se volverá a mostrar.')).toBeVisible()
  await expectNoViolations(page)
  const key = (await shown.locator('code').first().textContent()) ?? ''
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect(shown).toBeVisible()
  await shown.getByRole('button', { name: 'Listo' }).click()
  await expect(shown).toBeHidden()
  await expect(page.getByText(key)).toHaveCount(0)

  const read = (path: string) => request.get(path, { headers: { 'X-API-Key': key } })
  expect((await read('/api/v1/payments/')).status()).toBe(200)
  expect((await read('/api/v1/leads/')).status()).toBe(403)
  await page.reload()
  const row = await expectRow(page.getByRole('table'), { Nombre: name, Alcance: 'Dinero', Estado: 'Vigente' })
  await expect(row.getByTitle('Desde la red 127.0.0.0/24')).toBeVisible()
  await expectNoViolations(page)
  await row.getByRole('button', { name: `Revocar ${name}` }).click()
  await page.getByRole('alertdialog', { name: 'Revocar clave' }).getByRole('button', { name: 'Revocar' }).click()
  await expectToast(page, 'La clave dejó de funcionar')
  await expectRow(page.getByRole('table'), { Nombre: name, Estado: 'Revocada' })
  await expect(page.getByRole('main')).toBeFocused()
  expect((await read('/api/v1/payments/')).status()).toBe(401)
})

test('the list says that it loads, that it is empty, and that it could not be read', async ({ page, signIn }) => {
  await signIn('admin')
  const release = await hold(page, networkKeys.list)
  await page.goto(KEYS)
  await expect(page.getByText('Cargando claves...').first()).toBeAttached()
  await answerNext(page, networkKeys.list, 200, success([]))
  release()
  await expect(page.getByText('Todavía no hay claves')).toBeVisible()
  await failNext(page, networkKeys.list)
  await page.reload()
  await expect(page.getByText('Error al cargar las claves').first()).toBeVisible()
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await expect(page.getByText('Error al cargar las claves')).toHaveCount(0)
})

test('who is no responsable is told so, and a company does not come here', async ({ page, db, signIn, issuer }) => {
  await become('operator', db, await signIn('admin'))
  await page.goto(KEYS)
  const create = page.getByRole('button', { name: 'Nueva clave' }).first()
  await expect(create).toBeDisabled()
  await expect(create).toHaveAccessibleDescription('Tu perfil no incluye esta acción')
  await signIn('issuer', issuer)
  await page.goto(KEYS)
  await expect(page).toHaveURL('/app/unauthorized')
})
