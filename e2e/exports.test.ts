import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { dateInMexico } from '#contract/time.ts'
import { makeCommission, makePair, makePayment, makeProduct } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { choose, expectToast } from './screen.ts'

/** What is downloaded, line by line. */
async function exportCsv(page: Page): Promise<{ name: string; lines: string[] }> {
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exportar' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const file = await downloading
  const text = await readFile(await file.path(), 'utf8')
  return { name: file.suggestedFilename(), lines: text.trimEnd().split('\r\n') }
}

test('the administrator downloads what the filters leave on screen, and the audit trail says so', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makePayment(db, pair.ids, { notes: '=1+1', total_amount: '1500.50' })
  const product = await makeProduct(db, { issuer_id: pair.issuer.id })
  await makeCommission(db, { ...pair.ids, name: 'Alta de tarjeta' })
  await makeCommission(db, { ...pair.ids, product_id: product.id, name: 'Alta de nómina' })
  const { ids: others } = await makePair(db)
  await makeCommission(db, { ...others, name: 'De otro emisor' })
  await signIn('admin')
  const name = `afluente-pagos-${dateInMexico()}.csv`

  await test.step('payments, with nothing in them that a spreadsheet would run', async () => {
    await page.goto('/app/admin/payments')
    await choose(page, 'Emisor', pair.issuer.company_name)
    const file = await exportCsv(page)
    expect(file.name).toBe(name)
    await expectToast(page, `Se descargó ${name}`)
    const [heads, row, ...rest] = file.lines
    expect(heads).toMatch(/^\uFEFFID,Emisor,Afiliado,/)
    expect(row).toContain(`,${pair.affiliate.company_name},01/03/2025,31/03/2025,`)
    expect(row).toContain(',1500.50,')
    expect(row).toContain(",'=1+1,")
    expect(rest).toEqual([])
  })

  await test.step('commissions that were set up; of those that were not there is no file, and the button says why', async () => {
    await page.getByRole('link', { name: 'Configuración' }).click()
    await page.getByRole('main').getByRole('link', { name: 'Comisiones' }).click()
    await choose(page, 'Emisor', pair.issuer.company_name)
    const rows = page.getByRole('row').filter({ has: page.getByRole('cell', { name: pair.issuer.company_name }) })
    await expect(rows).toHaveCount(2)
    const { lines } = await exportCsv(page)
    expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(['Alta de tarjeta', 'Alta de nómina'])
    await choose(page, 'Estado', 'Sin comisión')
    const exporting = page.getByRole('button', { name: 'Exportar' })
    await expect(exporting).toHaveAttribute('aria-disabled', 'true')
    await expect(exporting).toHaveAccessibleDescription('Se exportan solo las comisiones configuradas')
  })

  await test.step('the trail says who took which file', async () => {
    await page.getByRole('link', { name: 'Configuración' }).click()
    await page.getByRole('link', { name: 'Bitácora' }).click()
    await choose(page, 'Acción', 'Exportación')
    await expect(page.getByRole('cell', { name: `exportó los pagos ${name}` }).first()).toBeVisible()
  })
})
