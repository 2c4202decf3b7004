import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** Bytes of gzip-compressed JavaScript. */
const LIMITS = { '/login': 170_000, '/': 5_000 }

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
