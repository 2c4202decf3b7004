import { auth } from '#contract/auth.ts'
import { networkKeys } from '#contract/network-keys.ts'
import { unique } from '#db/factories.ts'
import { become, expect, forgetProof, PASSWORD, test } from './fixtures.ts'
import { callsOf, choose, expectRow, expectToast, goBack } from './screen.ts'

const KEYS = '/app/admin/keys'

test('a responsable makes a key, sees it once, reads with it, and revokes it; another duty is told so', async ({
  page,
  request,
  db,
  signIn,
}) => {
  const api = await signIn('admin')
  const { id } = await api.call(auth.profile)
  const name = `Almacén ${unique()}`
  await page.goto('/app/admin/settings')
  await page.getByRole('link', { name: 'Claves de consulta' }).click()
  await expect(page).toHaveURL(KEYS)
  const dialog = page.getByRole('dialog', { name: 'Nueva clave de consulta' })
  const save = dialog.getByRole('button', { name: 'Crear clave' })

  await test.step('the form says what is wrong', async () => {
    await page.getByRole('button', { name: 'Nueva clave' }).first().click()
    await save.click()
    await expect(dialog.getByText('Debe tener al menos 2 caracteres')).toBeVisible()
    await dialog.getByLabel('Nombre').fill(name)
    await choose(dialog, 'Alcance', 'Dinero')
    await choose(dialog, 'Vigencia', '30 días')
  })

  await test.step('who confirms first may also go back to the form, and back again loses neither unasked', async () => {
    await forgetProof(db, id)
    const calls = callsOf(page, networkKeys.create)
    await save.click()
    const confirm = page.getByRole('dialog', { name: 'Confirma que eres tú para continuar' })
    await confirm.getByRole('button', { name: 'Cancelar' }).click()
    await expect(save).toBeEnabled()
    await expect(dialog.getByLabel('Nombre')).toHaveValue(name)
    await expect(page.getByRole('region', { name: /^Notifications/ }).getByText('Error')).toHaveCount(0)
    await save.dblclick()
    await expect(confirm).toBeVisible()
    await goBack(page)
    await confirm.getByRole('button', { name: 'Cancelar' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: 'Seguir editando' }).click()
    await expect(page).toHaveURL(KEYS)
    await save.click()
    await confirm.getByLabel('Tu contraseña').fill('x')
    await goBack(page)
    await question.getByRole('button', { name: 'Descartar' }).click()
    await expect(confirm).toHaveCount(0)
    // The form below is asked about by itself.
    await question.getByRole('button', { name: 'Seguir editando' }).click()
    await save.click()
    await confirm.getByLabel('Tu contraseña').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expectToast(page, 'Clave creada exitosamente')
    // The four that were refused, and the one after the confirmation.
    expect(calls).toHaveLength(5)
  })

  const read = await test.step('the key is shown once, by a dialog that only its button closes', async () => {
    const shown = page.getByRole('dialog', { name: `Clave «${name}»` })
    await expect(shown.getByText('Cópiala ahora: no se volverá a mostrar.')).toBeVisible()
    const key = (await shown.locator('code').first().textContent()) ?? ''
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await expect(shown).toBeVisible()
    await shown.getByRole('button', { name: 'Listo' }).click()
    await expect(shown).toBeHidden()
    await expect(page.getByText(key)).toHaveCount(0)
    return (path: string) => request.get(path, { headers: { 'X-API-Key': key } })
  })

  await test.step('it reads what its scope opens, and its row tells from where', async () => {
    expect((await read('/api/v1/payments/')).status()).toBe(200)
    expect((await read('/api/v1/leads/')).status()).toBe(403)
    await page.reload()
    const row = await expectRow(page.getByRole('table'), { Nombre: name, Alcance: 'Dinero', Estado: 'Vigente' })
    await expect(row.getByTitle('Desde la red 127.0.0.0/24')).toBeVisible()
  })

  await test.step('revoked it stops, and its row stays', async () => {
    await page.getByRole('button', { name: `Revocar ${name}` }).click()
    await page.getByRole('alertdialog', { name: 'Revocar clave' }).getByRole('button', { name: 'Revocar' }).click()
    await expectToast(page, 'La clave dejó de funcionar')
    await expectRow(page.getByRole('table'), { Nombre: name, Estado: 'Revocada' })
    await expect(page.getByRole('main')).toBeFocused()
    expect((await read('/api/v1/payments/')).status()).toBe(401)
  })

  await test.step('who is no responsable reads why no key can be made', async () => {
    await become('operator', db, api)
    await page.reload()
    const create = page.getByRole('button', { name: 'Nueva clave' }).first()
    await expect(create).toBeDisabled()
    await expect(create).toHaveAccessibleDescription('Tu perfil no incluye esta acción')
  })
})
