import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { affiliates } from '#contract/affiliates.ts'
import { commissions } from '#contract/commissions.ts'
import { leads } from '#contract/leads.ts'
import { payments } from '#contract/payments.ts'
import { results } from '#contract/results.ts'
import { expect, PASSWORD, test } from './fixtures.ts'
import { hold } from './screen.ts'

/** Bytes of gzip-compressed JavaScript. The sign-in knows passkeys and the second step, whose forms come when asked, what each call and each save needs, and how a session is left for another. The names of its files alone weigh fifty bytes more or less. */
const LIMITS = { '/login': 175_000, '/': 5_000 }

/** Adds up the scripts that the page loads from now on. */
function countScripts(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = []
  page.on('response', (answer) => {
    if (answer.request().resourceType() !== 'script') return
    sizes.push(answer.body().then((body) => gzipSync(body).length))
  })
  return async () => (await Promise.all(sizes)).reduce((total, size) => total + size, 0)
}

for (const [path, limit] of Object.entries(LIMITS))
  test(`the first load of ${path} is at most ${limit} bytes of script`, async ({ page }) => {
    const scripts = countScripts(page)
    await page.goto(path, { waitUntil: 'networkidle' })
    const bytes = await scripts()
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(limit)
  })

// Less is better, more needs a reason.
const ROWS_LIMIT = 182_300 // React, its router, queries and table are two thirds, why somebody only looks 500, the order and the page in the address 400; schemas and zod would be 38,000 more
const WHOLE_LIMIT = 345_700 // with the bell, what keeps saves from undoing one another, what asks before a form is lost, payments that are made one after the other, and what one payment takes at most

const lists = [
  { path: '/app/admin/affiliates', loads: affiliates.list, text: 'Cargando afiliados...' },
  { path: '/app/admin/commissions', loads: commissions.list, text: 'Cargando comisiones...' },
  { path: '/app/admin/leads', loads: leads.list, text: 'Cargando leads...' },
  { path: '/app/admin/payments', loads: payments.list, text: 'Cargando pagos...' },
  { path: '/app/admin/results', loads: results.list, text: 'Cargando resultados...' },
]

for (const { path, loads, text } of lists)
  test(`${path} waits for at most as much script as promised, and fetches its dialogs afterwards`, async ({
    page,
    signIn,
  }) => {
    await signIn('admin')
    const scripts = countScripts(page)
    // While rows are on their way nothing is fetched for later.
    const release = await hold(page, loads)
    await page.goto(path)
    await expect(page.getByText(text)).toBeVisible()
    const untilRows = await scripts()
    release()
    expect(untilRows).toBeGreaterThan(0)
    expect(untilRows).toBeLessThanOrEqual(ROWS_LIMIT)
    await expect.poll(scripts).toBeGreaterThan(untilRows)
    // The network may have been idle before they were asked for: until nothing more has come for a second.
    let whole = untilRows
    const more = async () => {
      const before = whole
      whole = await scripts()
      return whole - before
    }
    await expect.poll(more, { intervals: [1_000] }).toBe(0)
    expect(whole).toBeLessThanOrEqual(WHOLE_LIMIT)
  })

test('the first screens are fetched while somebody types at the sign-in', async ({ page, makePerson }) => {
  const { email } = await makePerson('admin')
  await page.goto('/login', { waitUntil: 'networkidle' })
  const scripts: string[] = []
  page.on('request', (asked) => asked.resourceType() === 'script' && scripts.push(new URL(asked.url()).pathname))
  await page.getByLabel('Correo electrónico').fill(email)
  await expect.poll(() => scripts.some((path) => path.includes('/popups-'))).toBe(true)
  // The page was idle before, so that its load state says nothing of these.
  await expect(async () => {
    const before = scripts.length
    await page.waitForTimeout(3_000)
    expect(scripts).toHaveLength(before)
  }).toPass()
  const whileTyping = scripts.length
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  expect(scripts.slice(whileTyping)).toEqual([])
})
