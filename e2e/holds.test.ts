import { sql } from 'kysely'
import { holds } from '#contract/holds.ts'
import { makeEntry, makeUser } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { callsOf, choose, expectNoViolations, expectRow, expectToast, failNext } from './screen.ts'

test('the administrator holds a commission, which its affiliate sees, and releases it', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { id, lead_id } = await makeEntry(db, pair.ids, { amount: '500.00' })
  await signIn('admin')
  await page.goto(`/app/admin/leads?lead=${lead_id}`)
  await page.getByRole('button', { name: `¿De dónde sale? Comisión ${id} del lead ${lead_id}` }).click()
  const explained = page.getByRole('dialog', { name: '¿De dónde sale?' })
  await explained.getByRole('button', { name: 'Retener' }).click()
  const dialog = page.getByRole('dialog', { name: 'Retener comisión' })
  const save = dialog.getByRole('button', { name: 'Retener comisión' })
  await save.click()
  await expect(dialog.getByText('Selecciona un motivo', { exact: true }).last()).toBeVisible()
  await expect(dialog.getByText('Explica por qué (de 10 a 500 caracteres)')).toBeVisible()
  await choose(dialog, 'Motivo', 'Sospecha de fraude')
  await dialog.getByLabel('Por qué se retiene').fill('Diez solicitudes desde la misma red')
  await expectNoViolations(page)
  await failNext(page, holds.hold)
  const calls = callsOf(page, holds.hold)
  await save.click()
  await expect.poll(() => calls).toHaveLength(1)
  await expect(dialog).toBeVisible()
  await save.dblclick()
  await expectToast(page, 'Comisión retenida exitosamente')
  expect(calls).toHaveLength(2)
  await expect(explained.getByText('La comisión se retuvo')).toBeVisible()
  await expect(explained.getByText('Diez solicitudes desde la misma red')).toBeVisible()
  await expectNoViolations(page)

  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/commissions?situacion=held')
  await expect(page.getByText('Retenida: no se paga hasta que se libere')).toBeVisible()
  await page.getByRole('button', { name: `¿De dónde sale la comisión ${id}?` }).click()
  await expect(explained.getByText('Sospecha de fraude')).toBeVisible()
  await expect(explained.getByRole('button', { name: 'Liberar' })).toBeHidden()
  await expect(explained).not.toContainText('la misma red')

  await signIn('admin')
  await page.goto(`/app/admin/leads?lead=${lead_id}`)
  await page.getByRole('button', { name: `¿De dónde sale? Lead ${lead_id}`, exact: true }).click()
  await expect(explained.getByText('$500.00 por 1 comisión del lead')).toBeVisible()
  await explained.getByRole('button', { name: `¿De dónde sale la comisión ${id}?` }).click()
  await explained.getByRole('button', { name: 'Liberar' }).click()
  await page.getByLabel('Por qué se libera').fill('El banco confirmó a las personas')
  await page.getByRole('dialog', { name: 'Liberar comisión' }).getByRole('button', { name: 'Liberar comisión' }).click()
  await expectToast(page, 'Comisión liberada exitosamente')
  await expect(explained.getByText('La comisión se liberó')).toBeVisible()
  await expect(explained.getByRole('button', { name: 'Retener' })).toBeVisible()
})

test('a commission that is held is found again in the audit trail, a step from being released', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { id } = await makeEntry(db, pair.ids, { amount: '500.00' })
  const api = await signIn('admin')
  await api.call(holds.hold, { params: { id }, body: { reason: 'otro', note: 'Se revisa con el banco' } })
  await page.goto('/app/admin/audit?entidad=commission_entry&accion=hold')
  const row = page.getByRole('row').filter({ hasText: new RegExp(`retuvo la comisión ${id}(?!\\d)`) })
  await row.getByRole('button', { name: /^Ver entrada/ }).click()
  const entry = page.getByRole('dialog', { name: 'Retención · Comisión devengada' })
  await entry.getByRole('button', { name: `¿De dónde sale? Comisión ${id}`, exact: true }).click()
  const explained = page.getByRole('dialog', { name: '¿De dónde sale?' })
  await expect(explained.getByText('La comisión se retuvo')).toBeVisible()
  await expect(explained.getByRole('button', { name: 'Liberar' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(explained).toHaveCount(0)
  await expect(entry).toBeVisible()
  await expectNoViolations(page)
})

test('another administrator is led to what was held, where it can be released', async ({ page, signIn, db, pair }) => {
  const { id, lead_id } = await makeEntry(db, pair.ids, { amount: '500.00' })
  const colleague = await signIn('admin', undefined, await page.context().newPage())
  await signIn('admin')
  const body = { reason: 'aclaracion', note: 'Se revisa con el banco' }
  await colleague.call(holds.hold, { params: { id }, body })
  const link = page
    .getByRole('dialog', { name: 'Avisos' })
    .getByRole('link', { name: new RegExp(`Se retuvo 1 comisión .* a ${pair.affiliate.company_name}`) })
  await expect(async () => {
    await page.goto('/app/admin/dashboard')
    await page.getByRole('button', { name: /^Avisos/ }).click()
    await expect(link).toBeVisible({ timeout: 1000 })
  }).toPass()
  await link.click()
  await expect(page).toHaveURL(`/app/admin/leads?lead=${lead_id}`)
  await page.getByRole('button', { name: `¿De dónde sale? Comisión ${id} del lead ${lead_id}` }).click()
  await expect(
    page.getByRole('dialog', { name: '¿De dónde sale?' }).getByRole('button', { name: 'Liberar' }),
  ).toBeVisible()
})

test('what waits for an approval and is held is said in the list and on the dashboard', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { id } = await makeEntry(db, pair.ids, { amount: '500.00', due_on: 'infinity' })
  await makeEntry(db, pair.ids, { amount: '80.00', due_on: 'infinity' })
  const { id: opened_by } = await makeUser(db, { role: 'admin' })
  await db
    .insertInto('entry_hold')
    .values({ entry_id: id, reason: 'otro', note: 'Se revisa con el banco', opened_by })
    .execute()
  await signIn('issuer', pair.issuer)
  await page.goto('/app/issuer/dashboard')
  const row = page.getByRole('link', { name: /^Comisiones por aprobar/ })
  await expect(row).toContainText('Se pagan solo después de aprobarlas, de ellas 1 retenida ($500.00).')
  await row.click()
  await expect(page.getByText('2 comisiones · $580.00, de ellas 1 retenida ($500.00)')).toBeVisible()
  await expectRow(page, { 'Espera desde hace': '0 días · Retenida', Monto: '$500.00' })
  await expectNoViolations(page)
})

test('what compensates a commission is said where it is approved, and added', async ({ page, signIn, db, pair }) => {
  const { id } = await makeEntry(db, pair.ids, { amount: '12500.00', due_on: 'infinity' })
  const { id: author } = await makeUser(db, { role: 'admin' })
  await sql`insert into commission_entry (relationship_id, affiliate_id, issuer_id, product_id, amount, state, kind, converts,
      earned_at, due_on, validation_ends_on, note, author_id, compensates, compensating_rate_id)
    select relationship_id, affiliate_id, issuer_id, product_id, 1000.00, 'accrued', 'adjustment', 0,
      earned_at, 'infinity', mexico_day(now()), 'Sube la tarifa', ${author}, id, (select max(id) from rate)
    from commission_entry where id = ${id}`.execute(db)
  await signIn('issuer', pair.issuer)
  await page.goto('/app/issuer/approvals')
  await expectRow(page, { 'Espera desde hace': '0 días · con $1,000.00 que la compensan', Monto: '$12,500.00' })
  await page.getByLabel(`Elegir la comisión ${id}`).check()
  await expect(page.getByRole('button', { name: 'Aprobar 1 seleccionada ($13,500.00)' })).toBeVisible()
})
