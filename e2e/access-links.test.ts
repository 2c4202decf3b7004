import { accessLinks, FORGOT_ANSWER } from '#contract/access-links.ts'
import { makeUser, unique } from '#db/factories.ts'
import { expect, PASSWORD, test } from './fixtures.ts'
import { answerNext, choose, chooseAction, expectNoViolations, expectToast, success } from './screen.ts'

const USERS = '/app/admin/users'
const NEW = 'Nueva-Corriente-28'
const SHOWN = 'Copia este enlace ahora: no se volverá a mostrar. Vale 72 horas.'

test('an invited person chooses a password with the link and signs in', async ({ page, browser, signIn }) => {
  await signIn('admin')
  await page.goto(USERS)
  await page.getByRole('button', { name: 'Nuevo Usuario' }).click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo Usuario' })
  const email = `invitada${unique()}@empresa.mx`
  await dialog.getByLabel('Nombre', { exact: true }).fill('Lucía')
  await dialog.getByLabel('Apellidos').fill('Invitada')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Enviar invitación').check()
  await expect(dialog.getByLabel('Contraseña', { exact: true })).toHaveCount(0)
  await choose(dialog, 'Rol', 'Administrador')
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  const shown = page.getByRole('dialog', { name: 'Enlace para Lucía Invitada' })
  await expect(shown.getByText(SHOWN)).toBeVisible()
  await expectNoViolations(page)
  const link = (await shown.locator('code').textContent()) ?? ''
  await shown.getByRole('button', { name: 'Listo' }).click()
  await expect(shown).toBeHidden()

  const theirs = await browser.newPage()
  await theirs.goto(link)
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText('Hola, Lucía')
  await expect(theirs).toHaveURL(/\/acceso$/)
  await expectNoViolations(theirs)
  const password = theirs.getByLabel('Contraseña nueva')
  const save = theirs.getByRole('button', { name: 'Guardar contraseña' })
  await password.fill('password')
  await save.click()
  const main = theirs.getByRole('main')
  await expect(main.getByText('Esta contraseña es demasiado común. Elige otra.')).toBeVisible()
  await password.fill(NEW)
  await save.dblclick()
  await expectToast(theirs, 'Contraseña guardada. Ya puedes entrar.')
  await expect(theirs).toHaveURL(/\/login$/)
  // Whose password it is was said a moment ago.
  await expect(theirs.getByLabel('Correo electrónico')).toHaveValue(email)
  await expect(theirs.getByLabel('Contraseña', { exact: true })).toBeFocused()
  await theirs.getByLabel('Contraseña', { exact: true }).fill(NEW)
  await theirs.keyboard.press('Enter')
  await expect(theirs).toHaveURL(/\/app\/admin\/dashboard$/)
  await theirs.evaluate(() => sessionStorage.clear())
  await theirs.goto(link)
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText('Este enlace ya no sirve')
  await expect(theirs.getByText('Este enlace ya se usó o venció. Pide otro.')).toBeVisible()
  await theirs.close()
})

test('who forgot the password asks, and an administrator gives the link where no mail is sent', async ({
  page,
  db,
  signIn,
  makePerson,
}) => {
  const person = await makePerson('admin')
  await db.updateTable('user').set({ first_name: 'Olvido' }).where('email', '=', person.email).execute()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Recupera el acceso' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Recuperar el acceso')
  // Before it is asked nobody knows whether mail is sent.
  await expect(
    page.getByText('te llega un enlace para elegir otra contraseña, o te lo da el administrador'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Pedir enlace' }).click()
  await expect(page.getByText('El correo electrónico es requerido')).toBeVisible()
  await page.getByLabel('Correo electrónico').fill(person.email)
  await expectNoViolations(page)
  await page.keyboard.press('Enter')
  // No mail is on its way that anybody could wait for.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Recibimos tu petición')
  await expect(page.getByText('el administrador de tu red ya lo sabe y te dará un enlace')).toBeVisible()
  await expect(page.getByText(FORGOT_ANSWER)).toHaveCount(0)
  await signIn('admin')
  await page.goto(USERS)
  const asked = page.getByRole('list', { name: 'Piden un enlace para entrar' }).getByRole('listitem')
  const theirs = asked.filter({ hasText: person.email })
  await theirs.getByRole('button', { name: /^Dar un enlace a Olvido/ }).click()
  // Who was never here is invited.
  const question = page.getByRole('alertdialog', { name: 'Enviar invitación' })
  await expect(question).toContainText('durante 72 horas')
  await question.getByRole('button', { name: /^Enviar/ }).click()
  await expect(page.getByRole('dialog', { name: /^Enlace para Olvido/ })).toContainText('Vale 72 horas.')
  await page.getByRole('button', { name: 'Listo' }).click()
  await expect(theirs).toHaveCount(0)
})

test('where mail is sent, who asks is told to look into the mailbox', async ({ page }) => {
  await page.goto('/acceso')
  await answerNext(page, accessLinks.forgot, 202, success({ mails: true }))
  await page.getByLabel('Correo electrónico').fill('ana@empresa.mx')
  await page.getByRole('button', { name: 'Pedir enlace' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Revisa tu correo')
  await expect(page.getByRole('main').getByText(FORGOT_ANSWER)).toBeVisible()
})

test('a person who was never here is invited again from the list; a link that cannot be looked at can be retried', async ({
  page,
  db,
  signIn,
}) => {
  const user = await makeUser(db, { role: 'admin' })
  await signIn('admin')
  await page.goto(`${USERS}?q=${user.email}`)
  await chooseAction(page.getByRole('table'), 'Enviar invitación a Ana Prueba')
  await page
    .getByRole('alertdialog', { name: 'Enviar invitación' })
    .getByRole('button', { name: /^Enviar/ })
    .click()
  const shown = page.getByRole('dialog', { name: 'Enlace para Ana Prueba' })
  const link = (await shown.locator('code').textContent()) ?? ''
  await page.evaluate(() => sessionStorage.clear())
  await answerNext(page, accessLinks.open, 500, {}, 2)
  await page.goto(link)
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hola, Ana')
  await page.getByLabel('Contraseña nueva').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/login$/)
})
