import { makeEntry } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { expectNoViolations } from './screen.ts'

test('whoever has a tracking id or the number of a commission finds where its amount comes from', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const entry = await makeEntry(db, pair.ids, { amount: '500.00' })
  const { tracking_id } = await db
    .selectFrom('lead')
    .select('tracking_id')
    .where('id', '=', entry.lead_id as number)
    .executeTakeFirstOrThrow()
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/payments')
  await page.getByRole('button', { name: 'Explicar un monto' }).click()
  const dialog = page.getByRole('dialog', { name: '¿De dónde sale?' })
  const field = dialog.getByRole('searchbox', { name: 'Tracking ID o número' })
  await field.fill('no es un número')
  await expect(dialog.getByText('No se encontró nada con ese número')).toBeVisible()
  await field.fill(String(entry.id))
  await expect(dialog.getByRole('button', { name: `Comisión ${entry.id}:` })).toBeVisible()
  await expectNoViolations(page)
  await field.fill(tracking_id)
  await dialog.getByRole('button', { name: `Lead ${entry.lead_id}: ${pair.product.name}` }).click()
  await expect(dialog.getByText(/^\$500\.00 por 1 comisión del lead/)).toBeVisible()
  await expectNoViolations(page)
})
