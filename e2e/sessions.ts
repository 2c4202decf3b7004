import { expect, type Page } from '@playwright/test'
import { auth } from '#contract/auth.ts'
import type { Db } from '#db/connect.ts'
import type { Api } from './api.ts'

/** Ends the sessions of who calls, and waits until the server knows it. */
export async function endSession(db: Db, api: Api): Promise<void> {
  const { id } = await api.call(auth.profile)
  await db.updateTable('session').set({ revoked_at: new Date().toISOString() }).where('user_id', '=', id).execute()
  await expect.poll(() => api.call(auth.profile).then(() => '', String)).toContain('answered 401')
}

/** Changes what the browser remembers of the signed-in person. */
export const remember = (page: Page, changes: Record<string, unknown>) =>
  page.evaluate((changed) => {
    const user = JSON.parse(sessionStorage.getItem('authUser') ?? '{}')
    sessionStorage.setItem('authUser', JSON.stringify({ ...user, ...changed }))
  }, changes)

/**
 * Goes to another screen as a link of the page would, without loading the application anew. The one before stays until the
 * other has come, which its title says.
 */
export async function go(page: Page, path: string, title?: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({ idx: (history.state?.idx ?? 0) + 1, key: crypto.randomUUID(), usr: null }, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  }, path)
  if (title) await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
}
