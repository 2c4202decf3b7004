import { gzipSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { affiliates } from '#contract/affiliates.ts'
import { commissions } from '#contract/commissions.ts'
import { leads } from '#contract/leads.ts'
import { payments } from '#contract/payments.ts'
import { results } from '#contract/results.ts'
import { hold } from './screen.ts'

/**
 * Bytes of gzip-compressed JavaScript; less is better, more needs a reason. The sign-in knows passkeys and the second step,
 * whose forms come when asked, what each call and each save needs, and how a session is left for another. Until there are
 * rows React, its router, queries and table are two thirds, why somebody only looks 500, the order and the page in the
 * address 400; schemas and zod would be 38,000 more. The whole has the bell, what keeps saves from undoing one another, what
 * asks before a form is lost, payments that are made one after the other, and what one payment takes at most.
 */
export const LIMITS = { '/': 5_000, '/login': 175_000, rows: 182_300, whole: 345_700 }

/** The same source weighs some hundred bytes more or less with each build, by the names of its files alone. */
const ROOM = 1.03

export function expectWithin(bytes: number, limit: number): void {
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThanOrEqual(limit * ROOM)
}

/** Adds up the scripts that the page loads from now on. */
export function countScripts(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = []
  page.on('response', (answer) => {
    if (answer.request().resourceType() !== 'script' || !answer.ok()) return
    sizes.push(answer.body().then((body) => gzipSync(body).length))
  })
  return async () => (await Promise.all(sizes)).reduce((total, size) => total + size, 0)
}

export const lists = {
  affiliates: { path: '/app/admin/affiliates', loads: affiliates.list, text: 'Cargando afiliados...' },
  commissions: { path: '/app/admin/commissions', loads: commissions.list, text: 'Cargando comisiones...' },
  leads: { path: '/app/admin/leads', loads: leads.list, text: 'Cargando leads...' },
  payments: { path: '/app/admin/payments', loads: payments.list, text: 'Cargando pagos...' },
  results: { path: '/app/admin/results', loads: results.list, text: 'Cargando resultados...' },
}

/** A list waits for so much script, and fetches its dialogs afterwards. */
export async function expectLight(page: Page, { path, loads, text }: (typeof lists)[keyof typeof lists]) {
  const scripts = countScripts(page)
  // While rows are on their way nothing is fetched for later.
  const release = await hold(page, loads)
  await page.goto(path)
  await expect(page.getByText(text)).toBeVisible()
  const untilRows = await scripts()
  release()
  expectWithin(untilRows, LIMITS.rows)
  await expect.poll(scripts).toBeGreaterThan(untilRows)
  // The network may have been idle before they were asked for: until nothing more has come for a second.
  let whole = untilRows
  const more = async () => {
    const before = whole
    whole = await scripts()
    return whole - before
  }
  await expect.poll(more, { intervals: [1_000], timeout: 60_000 }).toBe(0)
  expectWithin(whole, LIMITS.whole)
}
