import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expect, PASSWORD, test } from './fixtures.ts'

/** Bytes of gzip-compressed JavaScript. The sign-in knows passkeys and the second step, whose forms come when asked. */
const LIMITS = { '/login': 173_000, '/': 5_000 }

async function scriptBytes(page: Page, path: string): Promise<number> {
  const sizes: Promise<number>[] = []
  page.on('response', (answer) => {
    if (answer.request().resourceType() !== 'script') return
    sizes.push(answer.body().then((body) => gzipSync(body).length))
  })
  await page.goto(path, { waitUntil: 'networkidle' })
  return (await Promise.all(sizes)).reduce((total, size) => total + size, 0)
}

for (const [path, limit] of Object.entries(LIMITS))
  test(`the first load of ${path} is at most ${limit} bytes of script`, async ({ page }) => {
    const bytes = await scriptBytes(page, path)
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(limit)
  })

// Today's scripts of a list; less is better, more needs a reason.
const LIST_LIMIT = 317_000

test('the first load of a list, signed in, is at most as much script as promised', async ({ page, signIn }) => {
  await signIn('admin')
  const bytes = await scriptBytes(page, '/app/admin/payments')
  expect(bytes).toBeLessThanOrEqual(LIST_LIMIT)
})

test('the first screens are fetched while somebody types at the sign-in', async ({ page, makePerson }) => {
  const { email } = await makePerson('admin')
  await page.goto('/login', { waitUntil: 'networkidle' })
  const scripts: string[] = []
  page.on('request', (asked) => asked.resourceType() === 'script' && scripts.push(new URL(asked.url()).pathname))
  await page.getByLabel('Correo electrónico').fill(email)
  await expect.poll(() => scripts.some((path) => path.includes('/SeriesChart-'))).toBe(true)
  await page.waitForLoadState('networkidle')
  const whileTyping = scripts.length
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  expect(scripts.slice(whileTyping)).toEqual([])
})
