import { auth } from '#contract/auth.ts'
import { holds } from '#contract/holds.ts'
import { notices } from '#contract/notices.ts'
import { makeEntry } from '#db/factories.ts'
import { Api } from './api.ts'
import { expect, PASSWORD, test } from './fixtures.ts'
import { choose, expectToast } from './screen.ts'
import { readServed } from './server.ts'

test('an administrator is led to what a colleague held, releases it, holds it again and finds it in the audit trail', async ({
  page,
  signIn,
  makePerson,
  db,
  pair,
}) => {
  const { id, lead_id } = await makeEntry(db, pair.ids, { amount: '500.00' })
  const api = await signIn('admin')
  const { email } = await makePerson('admin')
  const session = await new Api(readServed().baseURL).call(auth.login, { body: { email, password: PASSWORD } })
  const authorization = `Bearer ${'access' in session ? session.access : ''}`
  const colleague = new Api(readServed().baseURL, { authorization })
  const body = { reason: 'aclaracion', note: 'Se revisa con el banco' }
  await colleague.call(holds.hold, { params: { id }, body })
  const told = `a ${pair.affiliate.company_name}`
  const toldMe = async () => JSON.stringify(await api.call(notices.list))
  await expect.poll(toldMe, { message: 'the notice', timeout: 60_000 }).toContain(told)
  await page.goto('/app/admin/dashboard')
  const explained = page.getByRole('dialog', { name: '¿De dónde sale?' })

  await test.step('the notice leads to the lead', async () => {
    await page.getByRole('button', { name: /^Avisos/ }).click()
    await page
      .getByRole('dialog', { name: 'Avisos' })
      .getByRole('link', { name: new RegExp(`Se retuvo 1 comisión .* ${told}`) })
      .click()
    await expect(page).toHaveURL(`/app/admin/leads?lead=${lead_id}`)
  })

  await test.step('from the sum of the lead to its commission, which is released', async () => {
    await page.getByRole('button', { name: `¿De dónde sale? Lead ${lead_id}`, exact: true }).click()
    await expect(explained.getByText('$500.00 por 1 comisión del lead')).toBeVisible()
    await explained.getByRole('button', { name: `¿De dónde sale la comisión ${id}?` }).click()
    await expect(explained.getByText('Se revisa con el banco')).toBeVisible()
    await explained.getByRole('button', { name: 'Liberar' }).click()
    const dialog = page.getByRole('dialog', { name: 'Liberar comisión' })
    await page.getByLabel('Por qué se libera').fill('El banco confirmó a las personas')
    await dialog.getByRole('button', { name: 'Liberar comisión' }).click()
    await expectToast(page, 'Comisión liberada exitosamente')
    await expect(explained.getByText('La comisión se liberó')).toBeVisible()
  })

  await test.step('from its line it is held again, with a reason and a note', async () => {
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: `¿De dónde sale? Comisión ${id} del lead ${lead_id}` }).click()
    await explained.getByRole('button', { name: 'Retener' }).click()
    const dialog = page.getByRole('dialog', { name: 'Retener comisión' })
    const save = dialog.getByRole('button', { name: 'Retener comisión' })
    await save.click()
    await expect(dialog.getByText('Selecciona un motivo', { exact: true }).last()).toBeVisible()
    await expect(dialog.getByText('Explica por qué (de 10 a 500 caracteres)')).toBeVisible()
    await choose(dialog, 'Motivo', 'Sospecha de fraude')
    await dialog.getByLabel('Por qué se retiene').fill('Diez solicitudes desde la misma red')
    await save.click()
    await expectToast(page, 'Comisión retenida exitosamente')
    await expect(explained.getByText('Sospecha de fraude')).toBeVisible()
    await expect(explained.getByText('Diez solicitudes desde la misma red')).toBeVisible()
    await expect(explained.getByRole('button', { name: 'Liberar' })).toBeVisible()
  })

  await test.step('in the audit trail it is a step from being released', async () => {
    await page.goto('/app/admin/audit?entidad=commission_entry&accion=hold')
    const row = page.getByRole('row').filter({ hasText: new RegExp(`retuvo la comisión ${id}(?!\\d)`) })
    await row
      .first()
      .getByRole('button', { name: /^Ver entrada/ })
      .click()
    const entry = page.getByRole('dialog', { name: 'Retención · Comisión devengada' })
    await entry.getByRole('button', { name: `¿De dónde sale? Comisión ${id}`, exact: true }).click()
    await expect(explained.getByText('La comisión se retuvo').first()).toBeVisible()
    await expect(explained.getByRole('button', { name: 'Liberar' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(explained).toHaveCount(0)
    await expect(entry).toBeVisible()
  })
})
