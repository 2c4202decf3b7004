import { auth } from '#contract/auth.ts'
import { people } from '#contract/people.ts'
import { makeUser, unique } from '#db/factories.ts'
import { expect, forgetProof, PASSWORD, test } from './fixtures.ts'
import { choose, expectNoViolations, expectRow, expectToast, failNext } from './screen.ts'

test('an owner invites a colleague, changes the duty, suspends and reactivates', async ({
  page,
  browser,
  signIn,
  affiliate,
}) => {
  await signIn('affiliate', affiliate)
  await page.goto('/app/affiliate/settings')
  await page.getByRole('navigation', { name: 'Secciones' }).getByRole('link', { name: 'Personas' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Personas' })).toBeVisible()
  await expectRow(page, { Nombre: 'Ana Prueba', Perfil: 'Responsable', 'Dos pasos': 'No', Estado: 'Activo' })
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Invitar a una persona' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invitar a una persona' })
  await dialog.getByRole('button', { name: 'Invitar', exact: true }).click()
  await expect(dialog.getByText('El correo electrónico es requerido')).toBeVisible()
  const email = `nora${unique()}@empresa.mx`
  await dialog.getByLabel('Nombre', { exact: true }).fill('Nora')
  await dialog.getByLabel('Apellidos').fill('Colega')
  await dialog.getByLabel('Email').fill(email)
  await expectNoViolations(page)
  await dialog.getByRole('button', { name: 'Invitar', exact: true }).dblclick()
  const shown = page.getByRole('dialog', { name: 'Enlace para Nora Colega' })
  await expect(shown.getByText('Copia este enlace ahora')).toBeVisible()
  await expect(shown.getByText('SMTP_URL')).toHaveCount(0)
  const link = (await shown.locator('code').textContent()) ?? ''
  await shown.getByRole('button', { name: 'Listo' }).click()
  await expectRow(page, { Nombre: 'Nora Colega', Perfil: 'Consulta', 'Último acceso': 'Nunca', Estado: 'Invitado' })

  await page.getByRole('button', { name: 'Repetir la invitación a Nora Colega' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Enviar invitación' }).click()
  await page.getByRole('dialog', { name: 'Enlace para Nora Colega' }).getByRole('button', { name: 'Listo' }).click()
  await page.getByRole('button', { name: 'Cambiar el perfil de Nora Colega' }).click()
  const duty = page.getByRole('dialog', { name: 'Cambiar perfil' })
  await choose(duty, 'Perfil', 'Finanzas')
  await expectNoViolations(page)
  await duty.getByRole('button', { name: 'Guardar' }).click()
  await expectToast(page, 'Persona actualizada exitosamente')
  await expectRow(page, { Nombre: 'Nora Colega', Perfil: 'Finanzas' })
  await page.getByRole('button', { name: 'Suspender a Nora Colega' }).click()
  const question = page.getByRole('alertdialog', { name: 'Suspender a Nora Colega' })
  await question.getByRole('button', { name: 'Suspender' }).click()
  await expectRow(page, { Nombre: 'Nora Colega', Estado: 'Suspendido' })
  // The first link was replaced by a second, and that ended with the suspension.
  const theirs = await browser.newPage()
  await theirs.goto(link)
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText('Este enlace ya no sirve')
  await theirs.close()
  await page.getByRole('button', { name: 'Reactivar a Nora Colega' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reactivar' }).click()
  await expectRow(page, { Nombre: 'Nora Colega', Estado: 'Invitado' })
})

test('who is no owner is not offered the tab, and reads why at its address', async ({ page, db, signIn, issuer }) => {
  const api = await signIn('issuer', issuer)
  await db.updateTable('user').set({ duty: 'reader' }).where('issuer_id', '=', issuer.id).execute()
  await expect.poll(() => api.call(people.list).then(() => '', String)).toContain('403')
  await page.goto('/app/issuer/settings')
  const tabs = page.getByRole('navigation', { name: 'Secciones' })
  await expect(tabs.getByRole('link', { name: 'Webhooks' })).toBeVisible()
  // Once the duty is known, which a button says.
  await expect(page.getByRole('button', { name: /API key$/ }).first()).toHaveAccessibleDescription(
    'Tu perfil es de consulta',
  )
  await expect(tabs.getByRole('link', { name: 'Personas' })).toHaveCount(0)
  await page.goto('/app/issuer/people')
  await expect(page.getByText('Tu perfil no incluye esta acción')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Invitar a una persona' })).toHaveCount(0)
  await expectNoViolations(page)
})

test('people that fail to load can be asked for again; one’s own duty is not in reach', async ({
  page,
  db,
  signIn,
  affiliate,
}) => {
  await signIn('affiliate', affiliate)
  await makeUser(
    db,
    { role: 'affiliate', affiliateId: affiliate.id },
    { first_name: 'Cerrada', user_status: 'suspended' },
  )
  await failNext(page, people.list)
  await page.goto('/app/affiliate/people')
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await expect(page.getByRole('button', { name: 'Cambiar el perfil de Ana Prueba' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Suspender a Ana Prueba' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Reactivar a Cerrada Prueba' })).toBeDisabled()
})

test('whoever has to, confirms first', async ({ page, db, signIn, issuer }) => {
  const { id } = await (await signIn('issuer', issuer)).call(auth.profile)
  await forgetProof(db, id)
  await makeUser(db, { role: 'issuer', issuerId: issuer.id }, { first_name: 'Otra', duty: 'reader' })
  await page.goto('/app/issuer/people')
  await page.getByRole('button', { name: 'Suspender a Otra Prueba' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Suspender' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirma que eres tú para continuar' })
  await confirm.getByLabel('Tu contraseña').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expectRow(page, { Nombre: 'Otra Prueba', Estado: 'Suspendido' })
})
