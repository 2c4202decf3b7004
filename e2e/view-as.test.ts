import { notices } from '#contract/notices.ts'
import { makeUser, unique } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { callsOf, chooseAction, openAction } from './screen.ts'

const ONLY = 'Ves Afluente como otra persona: solo puedes consultar'

test('an administrator sees the product as somebody else, changes nothing, and comes back, also when the view is ended', async ({
  page,
  db,
  signIn,
  issuer,
}) => {
  const last_name = `Vista${unique()}`
  const berta = await makeUser(db, { role: 'issuer', issuerId: issuer.id }, { first_name: 'Berta', last_name })
  await makeUser(db, { role: 'admin' }, { first_name: 'Dora', last_name })
  const told = { user_id: berta.id, occurrence_id: -1, type: 'device.new', params: '{"detail":"Equipo 1"}' }
  const to = { role: 'issuer', company_id: issuer.id, in_product: true, mail: 'off' }
  await db
    .insertInto('notice')
    .values({ ...told, ...to })
    .execute()
  await signIn('admin')
  await page.goto('/app/admin/users')
  const find = () => page.getByPlaceholder('Buscar por nombre, email, rol o asociación...').fill(last_name)
  const row = (name: string) => page.getByRole('row', { name })
  const banner = page.getByRole('region', { name: 'Vista como otra persona' })
  const begin = async () => {
    await find()
    await chooseAction(row('Berta'), `Ver como Berta ${last_name}`)
    const question = page.getByRole('alertdialog', { name: `Ver como Berta ${last_name}` })
    await expect(question).toContainText('durante 30 minutos')
    await question.getByRole('button', { name: 'Ver como esta persona' }).click()
    await expect(page).toHaveURL('/app/issuer/dashboard')
    await expect(banner).toContainText(`Ves Afluente como Berta ${last_name}. Solo consulta.`)
  }
  const backHome = async () => {
    await expect(page).toHaveURL('/app/admin/users')
    await expect(page.getByRole('heading', { level: 1, name: 'Usuarios' })).toBeVisible()
    await expect(banner).toHaveCount(0)
  }

  await test.step('another administrator cannot be seen as', async () => {
    await find()
    await expect(await openAction(row('Dora'), /^Ver como Dora/)).toBeDisabled()
    await page.keyboard.press('Escape')
  })
  await begin()

  await test.step('a tab opened from the view is one, too', async () => {
    const tab = await page.context().newPage()
    await tab.goto('/app/issuer/products')
    await expect(tab.getByRole('region', { name: 'Vista como otra persona' })).toBeVisible()
    await tab.close()
  })

  await test.step('a notice that is followed stays unread, without a word', async () => {
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

  await test.step('not even what is the own of the person is changed', async () => {
    const sessions = page.getByRole('list', { name: 'Sesiones abiertas' })
    await expect(sessions).toContainText('Un administrador de la red ve Afluente como tú')
    await expect(page.getByRole('button', { name: 'Mostrar API key' })).toHaveCount(0)
    for (const name of ['Agregar aplicación de códigos', 'Cambiar contraseña'])
      await expect(page.getByRole('button', { name })).toHaveAccessibleDescription(ONLY)
    await expect(page.getByRole('list', { name: 'Avisos' }).getByRole('checkbox').first()).toBeDisabled()
    await expect(page.getByText(`${ONLY}.`)).toBeVisible()
  })

  await test.step('on a phone the banner stands at the lower edge', async () => {
    await page.setViewportSize({ width: 390, height: 2_000 }) // taller than what it shows
    await expect(async () => {
      const { y = 0, height = 0 } = (await banner.boundingBox()) ?? {}
      expect(y + height).toBe(2_000)
    }).toPass()
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('the view outlives a reload, and is left by its button', async () => {
    await page.reload()
    await banner.getByRole('button', { name: 'Salir' }).click()
    await backHome()
  })

  await test.step('one that was ended by somebody else leads back to the own session', async () => {
    await begin()
    const ended = { revoked_at: new Date().toISOString(), revoked_reason: 'ended' }
    await db.updateTable('session').set(ended).where('user_id', '=', berta.id).execute()
    // The page may have heard of it before, be on its way back, or be there.
    await page.reload().catch(() => undefined)
    await backHome()
  })

  await test.step('the trail has both', async () => {
    await page.getByRole('link', { name: 'Configuración', exact: true }).click()
    await page.getByRole('link', { name: 'Bitácora' }).click()
    const left = page.getByRole('row', { name: new RegExp(`dejó de ver Afluente como Berta ${last_name}`) })
    await expect(left.first()).toBeVisible()
  })
})
