import type { Page } from '@playwright/test'
import { sql } from 'kysely'
import { addDays, dateInMexico } from '#contract/time.ts'
import type { Db } from '#db/connect.ts'
import { type Ids, makeEntry, makeLead } from '#db/factories.ts'
import { factOf } from './facts.ts'
import { expect, test } from './fixtures.ts'
import { choiceOf, choose } from './screen.ts'

const yesterday = (): string => addDays(dateInMexico(), -1)

const tableOf = (page: Page) => page.getByRole('table', { name: 'Resultados por valor' })
/** The cells of the row with this text. */
const rowOf = (page: Page, text: string) => tableOf(page).getByRole('row').filter({ hasText: text }).getByRole('cell')

/** Of yesterday: two leads of 'boletin', of which one earned 350, and one without a source but with a sub1. */
async function makeCampaign(db: Db, ids: Ids): Promise<void> {
  const created_at = `${yesterday()}T18:00:00Z`
  const params = (sub1: string) => sql`${JSON.stringify({ params: { sub1 } })}::jsonb`
  const lead = await makeLead(db, { ...ids, created_at, utm_source: 'boletin', lead_data: params('portada') })
  await makeLead(db, { ...ids, created_at, utm_source: 'boletin' })
  await makeLead(db, { ...ids, created_at, lead_data: params('=portada(1)') })
  await makeEntry(db, ids, { lead_id: lead.id, amount: '350.00', earned_at: created_at })
}

test('an affiliate reads results with sums of all rows, by sub, searched, and divided by days', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeCampaign(db, pair.ids)
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/dashboard')
  await page.getByRole('link', { name: 'Resultados' }).last().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Resultados' })).toBeVisible()
  const table = tableOf(page)
  const totals = page.getByRole('region', { name: 'Totales' })

  await test.step('by source, with what has none', async () => {
    await expect(rowOf(page, 'boletin')).toHaveText(['boletin', '2', '1', '0', '50.00%', '$350.00'])
    await expect(rowOf(page, '(sin valor)')).toHaveText(['(sin valor)', '1', '0', '0', '0.00%', '$0.00'])
    await expect(factOf(totals, 'Leads')).toContainText('3')
    await expect(factOf(totals, 'Aprobados')).toContainText('1')
    await expect(factOf(totals, 'Ganado')).toContainText('$350.00')
  })

  await test.step('by sub, searched', async () => {
    await choose(page, 'Dimensión', 'sub1')
    await expect(rowOf(page, '=portada(1)')).toHaveCount(6)
    await page.getByRole('searchbox', { name: 'Buscar sub1' }).fill('portada(1')
    await expect(table.getByRole('row')).toHaveCount(2)
    await expect(factOf(totals, 'Leads')).toContainText('1')
    await page.getByRole('searchbox', { name: 'Buscar sub1' }).fill('nada')
    await expect(page.getByText('No se encontraron valores con esa búsqueda')).toBeVisible()
    await page.getByRole('button', { name: 'Borrar búsqueda' }).click()
  })

  await test.step('by day, newest first, and of days without any', async () => {
    await choose(page, 'Agrupar', 'Por valor y día')
    await expect(table.getByRole('columnheader', { name: 'Día' })).toBeVisible()
    await expect(choiceOf(page, 'Orden')).toHaveText('Días más recientes')
    // What is outdated is pale until the answer comes.
    await expect(table).toHaveAttribute('aria-busy', 'false')
    await choose(page, 'Periodo', /^Hoy/)
    await expect(page.getByText('No hay leads en este periodo')).toBeVisible()
    await expect(factOf(totals, 'Leads')).toContainText('0')
  })
})
