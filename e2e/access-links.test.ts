import { accessLinks, FORGOT_ANSWER } from '#contract/access-links.ts'
import { unique } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { answerNext, choose, chooseAction, expectRow, expectToast, fillSilently, success } from './screen.ts'

const NEW = 'Nueva-Corriente-28'
const SHOWN = 'Copia este enlace ahora: no se volverá a mostrar. Vale 72 horas.'

test('an invited person chooses a password, signs in, forgets it, and is given another link', async ({
  page,
  browser,
  signIn,
}) => {
  const email = `invitada${unique()}@empresa.mx`
  const theirs = await browser.newPage()
  await signIn('admin')
  await page.goto('/app/admin/users')

  await test.step('an administrator invites; where no mail is sent the link is shown once', async () => {
    await page.getByRole('button', { name: 'Nuevo Usuario' }).click()
    const dialog = page.getByRole('dialog', { name: 'Nuevo Usuario' })
    await dialog.getByLabel('Nombre', { exact: true }).fill('Lucía')
    await dialog.getByLabel('Apellidos').fill('Invitada')
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByLabel('Enviar invitación').check()
    await expect(dialog.getByLabel('Contraseña', { exact: true })).toHaveCount(0)
    await choose(dialog, 'Rol', 'Administrador')
    await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
    const shown = page.getByRole('dialog', { name: 'Enlace para Lucía Invitada' })
    await expect(shown.getByText(SHOWN)).toBeVisible()
    await expect(shown.getByText('SMTP_URL')).toBeVisible()
    await shown.getByRole('button', { name: 'Listo' }).click()
    await expect(shown).toBeHidden()
  })

  const link = await test.step('who was never here is invited again from the list', async () => {
    await page.getByRole('searchbox').fill(email)
    await chooseAction(await expectRow(page, { Email: email }), 'Enviar invitación a Lucía Invitada')
    const question = page.getByRole('alertdialog', { name: 'Enviar invitación' })
    await expect(question).toContainText('durante 72 horas')
    await question.getByRole('button', { name: /^Enviar/ }).click()
    const shown = page.getByRole('dialog', { name: 'Enlace para Lucía Invitada' })
    const text = (await shown.locator('code').textContent()) ?? ''
    await shown.getByRole('button', { name: 'Listo' }).click()
    return text
  })

  await test.step('a link that cannot be looked at can be retried, and leaves the address', async () => {
    await answerNext(theirs, accessLinks.open, 500, {}, 2)
    await theirs.goto(link)
    await theirs.getByRole('button', { name: 'Reintentar' }).click()
    await expect(theirs.getByRole('heading', { level: 1 })).toHaveText('Hola, Lucía')
    await expect(theirs).toHaveURL(/\/acceso$/)
  })

  await test.step('the password is chosen, and the sign-in knows whose it is', async () => {
    const password = theirs.getByLabel('Contraseña nueva')
    const save = theirs.getByRole('button', { name: 'Guardar contraseña' })
    await password.fill('password')
    await save.click()
    await expect(theirs.getByRole('main').getByText('Esta contraseña es demasiado común. Elige otra.')).toBeVisible()
    await fillSilently(password, NEW)
    await save.dblclick()
    await expectToast(theirs, 'Contraseña guardada. Ya puedes entrar.')
    await expect(theirs).toHaveURL(/\/login$/)
    await expect(theirs.getByLabel('Correo electrónico')).toHaveValue(email)
    await expect(theirs.getByLabel('Contraseña', { exact: true })).toBeFocused()
    await theirs.getByLabel('Contraseña', { exact: true }).fill(NEW)
    await theirs.keyboard.press('Enter')
    await expect(theirs).toHaveURL(/\/app\/admin\/dashboard$/)
    await theirs.evaluate(() => sessionStorage.clear())
  })

  await test.step('who forgot the password asks; where mail is sent, it is to be looked for in the mailbox', async () => {
    await theirs.goto('/login')
    await theirs.getByRole('link', { name: 'Recupera el acceso' }).click()
    const title = theirs.getByRole('heading', { level: 1 })
    await expect(title).toHaveText('Recuperar el acceso')
    // Before it is asked nobody knows whether mail is sent.
    const either = 'te llega un enlace para elegir otra contraseña, o te lo da el administrador'
    await expect(theirs.getByText(either)).toBeVisible()
    await theirs.getByRole('button', { name: 'Pedir enlace' }).click()
    await expect(theirs.getByText('El correo electrónico es requerido')).toBeVisible()
    await answerNext(theirs, accessLinks.forgot, 202, success({ mails: true }))
    await theirs.getByLabel('Correo electrónico').fill(email)
    await theirs.getByRole('button', { name: 'Pedir enlace' }).click()
    await expect(title).toHaveText('Revisa tu correo')
    await expect(theirs.getByRole('main').getByText(FORGOT_ANSWER)).toBeVisible()
  })

  await test.step('a link opens once; who comes with it later asks for another, which no mail brings here', async () => {
    await theirs.goto(link)
    const title = theirs.getByRole('heading', { level: 1 })
    await expect(title).toHaveText('Este enlace ya no sirve')
    await expect(theirs.getByText('Este enlace ya se usó o venció. Pide otro.')).toBeVisible()
    await theirs.getByLabel('Correo electrónico').fill(email)
    await theirs.keyboard.press('Enter')
    await expect(title).toHaveText('Recibimos tu petición')
    await expect(theirs.getByText('el administrador de tu red ya lo sabe y te dará un enlace')).toBeVisible()
    await expect(theirs.getByText(FORGOT_ANSWER)).toHaveCount(0)
    await theirs.close()
  })

  await test.step('the administrator sees who asks, and gives a link', async () => {
    const menu = page.getByRole('navigation', { name: 'Panel Administrador' })
    for (const screen of ['Emisores', 'Usuarios']) {
      await menu.getByRole('link', { name: screen }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(screen)
    }
    const asked = page.getByRole('list', { name: 'Piden un enlace para entrar' }).getByRole('listitem')
    const request = asked.filter({ hasText: email })
    await request.getByRole('button', { name: 'Dar un enlace a Lucía Invitada' }).click()
    // Who was here before is not invited.
    const question = page.getByRole('alertdialog', { name: 'Enviar enlace de acceso' })
    await expect(question).toContainText('durante 15 minutos')
    await question.getByRole('button', { name: /^Enviar/ }).click()
    await expect(page.getByRole('dialog', { name: 'Enlace para Lucía Invitada' })).toContainText('Vale 15 minutos.')
    await page.getByRole('button', { name: 'Listo' }).click()
    await expect(request).toHaveCount(0)
  })
})
