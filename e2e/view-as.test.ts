import { notices } from '#contract/notices.ts'
import { makeUser } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { callsOf, chooseAction, expectNoViolations, openAction } from './screen.ts'

const ONLY = 'Ves Afluente como otra persona: solo puedes consultar'

test('an administrator sees the product as somebody else, changes nothing, and comes back', async ({
  page,
  db,
  signIn,
  issuer,
}) => {
  const { email } = await makeUser(
    db,
    { role: 'issuer', issuerId: issuer.id },
    { first_name: 'Berta', last_name: 'Vista' },
  )
  await signIn('admin')
  await page.goto(`/app/admin/users?q=${email}`)
  await chooseAction(page.getByRole('table'), 'Ver como Berta Vista')
  const question = page.getByRole('alertdialog', { name: 'Ver como Berta Vista' })
  await expect(question).toContainText('durante 30 minutos')
  await question.getByRole('button', { name: 'Ver como esta persona' }).click()
  await expect(page).toHaveURL('/app/issuer/dashboard')
  const banner = page.getByRole('region', { name: 'Vista como otra persona' })
  await expect(banner).toContainText('Ves Afluente como Berta Vista. Solo consulta.')
  await expectNoViolations(page)
  await page.goto('/app/issuer/commissions')
  const create = page.getByRole('button', { name: 'Nueva Comisión' }).first()
  await expect(create).toBeDisabled()
  await expect(create).toHaveAccessibleDescription(ONLY)
  await page.getByRole('link', { name: 'Configuraciones' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Configuraciones' })).toBeVisible()
  await expect(banner).toBeVisible()
  const sessions = page.getByRole('list', { name: 'Sesiones abiertas' })
  await expect(sessions).toContainText('Un administrador de la red ve Afluente como tú')
  await expect(page.getByRole('button', { name: 'Mostrar API key' })).toHaveCount(0)
  const own = ['Agregar aplicación de códigos', 'Cambiar contraseña'].map((name) => page.getByRole('button', { name }))
  for (const button of own) await expect(button).toHaveAccessibleDescription(ONLY)
  const choices = page.getByRole('list', { name: 'Avisos' })
  await expect(choices.getByRole('checkbox').first()).toBeDisabled()
  await expect(page.getByText(`${ONLY}.`)).toBeVisible()
  await page.setViewportSize({ width: 390, height: 2_000 }) // taller than what it shows
  await expect(async () => {
    const { y = 0, height = 0 } = (await banner.boundingBox()) ?? {}
    expect(y + height).toBe(2_000)
  }).toPass()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.reload()
  await banner.getByRole('button', { name: 'Salir' }).click()
  await expect(page).toHaveURL('/app/admin/users')
  await expect(page.getByRole('heading', { level: 1, name: 'Usuarios' })).toBeVisible()
  await expect(banner).toHaveCount(0)
  await page.goto('/app/admin/audit')
  await expect(page.getByRole('row', { name: /dejó de ver Afluente como Berta Vista/ }).first()).toBeVisible()
})

test('a notice that is followed in a view stays unread, without a word', async ({ page, db, affiliate, signIn }) => {
  const columns = { first_name: 'Elsa' }
  const { id, email } = await makeUser(db, { role: 'affiliate', affiliateId: affiliate.id }, columns)
  const told = { user_id: id, occurrence_id: -1, type: 'device.new', params: JSON.stringify({ detail: 'Equipo 1' }) }
  const to = { role: 'affiliate', company_id: affiliate.id, in_product: true, mail: 'off' }
  await db
    .insertInto('notice')
    .values({ ...told, ...to })
    .execute()
  await signIn('admin')
  await page.goto(`/app/admin/users?q=${email}`)
  await chooseAction(page.getByRole('table'), 'Ver como Elsa Prueba')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Ver como esta persona' }).click()
  await expect(page).toHaveURL('/app/affiliate/dashboard')
  const bell = page.getByRole('button', { name: 'Avisos, 1 sin leer' })
  await bell.click()
  const all = page.getByRole('button', { name: 'Marcar todo como leído' })
  await expect(all).toBeDisabled()
  await expect(all).toHaveAccessibleDescription(ONLY)
  const reads = callsOf(page, notices.read)
  await page.getByRole('link', { name: /Equipo 1/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Configuraciones' })).toBeVisible()
  await expect(bell).toBeVisible()
  expect(reads).toEqual([])
})

test('a view that was ended leads back to the own session', async ({ page, db, signIn, affiliate }) => {
  const user = await makeUser(db, { role: 'affiliate', affiliateId: affiliate.id }, { first_name: 'Clara' })
  await signIn('admin')
  await page.goto(`/app/admin/users?q=${user.email}`)
  await chooseAction(page.getByRole('table'), 'Ver como Clara Prueba')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Ver como esta persona' }).click()
  await expect(page).toHaveURL('/app/affiliate/dashboard')
  const ended = { revoked_at: new Date().toISOString(), revoked_reason: 'ended' }
  await db.updateTable('session').set(ended).where('user_id', '=', user.id).execute()
  // The page may have heard of it before, be on its way back, or be there.
  await page.reload().catch(() => undefined)
  await expect(page).toHaveURL('/app/admin/users')
  await expect(page.getByRole('heading', { level: 1, name: 'Usuarios' })).toBeVisible()
})

test('another administrator cannot be seen as', async ({ page, db, signIn }) => {
  const { email } = await makeUser(db, { role: 'admin' }, { first_name: 'Dora' })
  await signIn('admin')
  await page.goto(`/app/admin/users?q=${email}`)
  const action = await openAction(page.getByRole('table'), /^Ver como Dora/)
  await expect(action).toBeDisabled()
})
