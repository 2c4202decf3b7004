import type { z } from 'zod'
import type { DemoAccount } from '#contract/auth.ts'
import type { Db } from '#db/connect.ts'

/** Public on purpose: these accounts exist only where the server fills itself with demonstration data. */
export const DEMO_PASSWORD = 'Afluente2026'
export const demoEmails = ['admin@demo.afluente.mx', 'emisor@demo.afluente.mx', 'afiliado@demo.afluente.mx']

/** The accounts that can be used right now (D65). */
export async function listDemoAccounts(db: Db, demo: boolean): Promise<z.output<typeof DemoAccount>[]> {
  if (!demo) return []
  const accounts = await db
    .selectFrom('user')
    .select(['role', 'email'])
    .where('email', 'in', demoEmails)
    .where('user_status', '=', 'active')
    .where('archived_at', 'is', null)
    .execute()
  return demoEmails
    .flatMap((email) => accounts.filter((account) => account.email === email))
    .map((account) => ({ ...account, password: DEMO_PASSWORD }))
}
