import { auth } from '#contract/auth.ts'
import { expect, PASSWORD, test } from './fixtures.ts'
import { answerNext, expectNoViolations, expectRow, expectToast, failNext, success } from './screen.ts'

const PATH = '/app/admin/settings'

test('the own data are there to read', async ({ page, signIn }) => {
  const me = await (await signIn('admin')).call(auth.profile)
  await page.goto(PATH)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Configuración')
  const main = page.getByRole('main')
  for (const text of [me.full_name, me.email, 'Administrador', 'Activo'])
    await expect(main.locator('dl').getByText(text, { exact: true })).toBeVisible()
  await expect(main.getByText('Último acceso')).toBeVisible()
  await expect(main.getByText('Fecha de registro')).toBeVisible()
  await expect(main.getByRole('textbox')).toHaveCount(0)
  await expectNoViolations(page)
})

test('what is missing says so', async ({ page, signIn }) => {
  const me = await (await signIn('admin')).call(auth.profile)
  await answerNext(page, auth.profile, 200, success({ ...me, last_login: null }))
  await page.goto(PATH)
  await expect(page.getByText('No disponible')).toHaveCount(1)
})

test('the own password is changed, but not without the current one', async ({ page, signIn }) => {
  await signIn('admin')
  await page.goto(PATH)
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
  await expectNoViolations(page)
  await dialog.getByLabel('Contraseña actual').fill(PASSWORD)
  await save.click()
  await expectToast(page, 'Contraseña actualizada exitosamente')
  await expect(dialog).toBeHidden()
})

test('a session elsewhere is ended', async ({ page, signIn, baseURL }) => {
  const api = await signIn('admin')
  const { email } = await api.call(auth.profile)
  const elsewhere = await fetch(new URL(auth.login.path, baseURL), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  expect(elsewhere.ok).toBe(true)
  await page.goto(PATH)
  const sessions = page.getByRole('list', { name: 'Sesiones abiertas' }).getByRole('listitem')
  await expect(sessions).toHaveCount(2)
  await expect(sessions.filter({ hasText: 'Esta sesión' }).getByRole('button')).toHaveCount(0)
  await sessions.getByRole('button', { name: 'Cerrar sesión de Firefox en Windows' }).click()
  const question = page.getByRole('alertdialog', { name: 'Cerrar sesión' })
  await question.getByRole('button', { name: 'Cerrar sesión' }).click()
  await expectToast(page, 'Sesión cerrada exitosamente')
  await expect(sessions).toHaveCount(1)
})

test('data and sessions that do not load can be asked for again', async ({ page, signIn }) => {
  await signIn('admin')
  await failNext(page, auth.profile)
  await failNext(page, auth.sessions)
  await page.goto(PATH)
  for (const text of ['No se pudieron cargar tus datos', 'No se pudieron cargar tus sesiones']) {
    const failure = page.getByRole('alert').filter({ hasText: text })
    await failure.getByRole('button', { name: 'Reintentar' }).click()
    await expect(failure).toBeHidden()
  }
  await expect(page.getByText('Esta sesión')).toBeVisible()
})

test('what became of a mail is told, and when it was asked for', async ({ page, db, signIn }) => {
  const { id, email } = await (await signIn('admin')).call(auth.profile)
  const settled_at = new Date().toISOString()
  const failed = { state: 'failed', attempts: 1, error: '550 No such user', settled_at }
  await db
    .insertInto('mail')
    .values({ kind: 'invite', recipient: email, user_id: id, ...failed })
    .execute()
  await page.goto(PATH)
  await page.getByRole('link', { name: 'Correos' }).click()
  await expectRow(page, {
    Para: email,
    Correo: 'Invitación',
    Pedido: /^\d\d\/\d\d\/\d{4} \d\d:\d\d$/,
    'Respuesta del servidor': '550 No such user',
    Estado: 'No se entregó',
  })
  await expectNoViolations(page)
})
