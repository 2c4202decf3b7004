import { auth } from '#contract/auth.ts'
import { expect, PASSWORD, test } from './fixtures.ts'
import { expectRow, expectToast, failNext } from './screen.ts'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

test('an administrator reads the own data, ends a session elsewhere, changes the password, and looks up mails', async ({
  page,
  db,
  signIn,
  baseURL,
}) => {
  const me = await (await signIn('admin')).call(auth.profile)
  const elsewhere = await fetch(new URL(auth.login.path, baseURL), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': FIREFOX },
    body: JSON.stringify({ email: me.email, password: PASSWORD }),
  })
  expect(elsewhere.ok).toBe(true)
  const failed = { state: 'failed', attempts: 1, error: '550 No such user', settled_at: new Date().toISOString() }
  await db
    .insertInto('mail')
    .values({ kind: 'invite', recipient: me.email, user_id: me.id, ...failed })
    .execute()
  await failNext(page, auth.profile)
  await failNext(page, auth.sessions)
  await page.goto('/app/admin/settings')

  await test.step('data and sessions that do not load can be asked for again', async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Configuración')
    for (const text of ['No se pudieron cargar tus datos', 'No se pudieron cargar tus sesiones']) {
      const failure = page.getByRole('alert').filter({ hasText: text })
      await failure.getByRole('button', { name: 'Reintentar' }).click()
      await expect(failure).toBeHidden()
    }
  })

  await test.step('the own data are there to read', async () => {
    const main = page.getByRole('main')
    for (const text of [me.full_name, me.email, 'Administrador', 'Activo'])
      await expect(main.locator('dl').getByText(text, { exact: true })).toBeVisible()
    await expect(main.getByText('Último acceso')).toBeVisible()
    await expect(main.getByText('Fecha de registro')).toBeVisible()
    await expect(main.getByRole('textbox')).toHaveCount(0)
  })

  await test.step('a session elsewhere is ended', async () => {
    const sessions = page.getByRole('list', { name: 'Sesiones abiertas' }).getByRole('listitem')
    await expect(sessions).toHaveCount(2)
    await expect(sessions.filter({ hasText: 'Esta sesión' }).getByRole('button')).toHaveCount(0)
    await sessions.getByRole('button', { name: 'Cerrar sesión de Firefox en Windows' }).click()
    const question = page.getByRole('alertdialog', { name: 'Cerrar sesión' })
    await question.getByRole('button', { name: 'Cerrar sesión' }).click()
    await expectToast(page, 'Sesión cerrada exitosamente')
    await expect(sessions).toHaveCount(1)
  })

  await test.step('the own password is changed, but not without the current one', async () => {
    await page.getByRole('button', { name: 'Cambiar contraseña' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cambiar contraseña' })
    const save = dialog.getByRole('button', { name: 'Cambiar contraseña' })
    await dialog.getByLabel('Contraseña actual').fill('equivocada')
    await dialog.getByLabel('Contraseña nueva').fill('corta')
    await save.click()
    await expect(dialog.getByText('La contraseña debe tener al menos 8 caracteres')).toBeVisible()
    await dialog.getByLabel('Contraseña nueva').fill('Nueva-Corriente-28')
    await save.click()
    await expect(dialog.getByText('La contraseña actual no es correcta')).toBeVisible()
    await dialog.getByLabel('Contraseña actual').fill(PASSWORD)
    await save.click()
    await expectToast(page, 'Contraseña actualizada exitosamente')
    await expect(dialog).toBeHidden()
  })

  await test.step('what became of a mail is told, and when it was asked for', async () => {
    await page.getByRole('link', { name: 'Correos' }).click()
    await expectRow(page, {
      Para: me.email,
      Correo: 'Invitación',
      Pedido: /^\d\d\/\d\d\/\d{4} \d\d:\d\d$/,
      'Respuesta del servidor': '550 No such user',
      Estado: 'No se entregó',
    })
  })
})
