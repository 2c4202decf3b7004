import { readFile } from 'node:fs/promises'
import { exports } from '#contract/exports.ts'
import { dateInMexico } from '#contract/time.ts'
import { makeCommission, makeLead, makePair, makePayment, makeProduct } from '#db/factories.ts'
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

test('the file of commissions holds what its filters leave on screen', async ({ page, signIn, db, pair }) => {
  const product = await makeProduct(db, { issuer_id: pair.issuer.id })
  const here = [
    await makeCommission(db, { ...pair.ids, name: 'Alta de tarjeta' }),
    await makeCommission(db, { ...pair.ids, product_id: product.id, name: 'Alta de nómina' }),
  ]
  const { ids: others } = await makePair(db)
  await makeCommission(db, { ...others, name: 'De otro emisor' })
  await signIn('admin')
  await page.goto('/app/admin/commissions')
  await choose(page, 'Emisor', pair.issuer.company_name)
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell', { name: pair.issuer.company_name }) })
  await expect(rows).toHaveCount(here.length)
  const exporting = page.getByRole('button', { name: 'Exportar' })
  const downloading = page.waitForEvent('download')
  await exporting.click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  const names = file.trimEnd().split('\r\n').slice(1)
  expect(names.map((row) => row.split(',')[1])).toEqual(['Alta de tarjeta', 'Alta de nómina'])

  await choose(page, 'Estado', 'Sin comisión')
  await expect(exporting).toHaveAttribute('aria-disabled', 'true')
  await expect(exporting).toHaveAccessibleDescription('Se exportan solo las comisiones configuradas')
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
