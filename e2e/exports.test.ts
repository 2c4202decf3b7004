import { readFile } from 'node:fs/promises'
import { exports } from '#contract/exports.ts'
import { dateInMexico } from '#contract/time.ts'
import { makeLead, makePayment } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { choose, expectToast, hold } from './screen.ts'

test('an administrator downloads the payments on screen, and the audit trail says so', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await signIn('admin')
  await makePayment(db, pair.ids, { notes: '=1+1', total_amount: '1500.50' })
  await page.goto('/app/admin/payments')
  await choose(page, 'Emisor', pair.issuer.company_name)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exportar' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const file = await downloading
  const name = `afluente-pagos-${dateInMexico()}.csv`
  expect(file.suggestedFilename()).toBe(name)
  await expectToast(page, `Se descargó ${name}`)
  const [heads, row, ...rest] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(heads).toMatch(/^\uFEFFID,Emisor,Afiliado,/)
  expect(row).toContain(`,${pair.affiliate.company_name},01/03/2025,31/03/2025,`)
  expect(row).toContain(',1500.50,')
  expect(row).toContain(",'=1+1,")
  expect(rest).toEqual([])

  await page.getByRole('link', { name: 'Configuración' }).click()
  await page.getByRole('link', { name: 'Bitácora' }).click()
  await choose(page, 'Acción', 'Exportación')
  await expect(page.getByRole('cell', { name: `exportó los pagos ${name}` }).first()).toBeVisible()
})

test('an export can be cancelled, and the next one works', async ({ page, signIn, db, pair }) => {
  await makeLead(db, pair.ids)
  await signIn('issuer', pair.issuer)
  const release = await hold(page, exports.leads)
  await page.goto('/app/issuer/leads')
  await page.getByRole('button', { name: 'Exportar' }).click()
  await page.getByRole('menuitem', { name: 'Excel' }).click()
  await expect(page.getByRole('button', { name: 'Exportando...' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancelar exportación' }).click()
  await expect(page.getByRole('button', { name: 'Exportar' })).toBeVisible()
  release()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exportar' }).click()
  await page.getByRole('menuitem', { name: 'Excel' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^afluente-leads-.*\.xlsx$/)
})
