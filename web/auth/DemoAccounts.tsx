import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { auth, type DemoAccount } from '#contract/auth.ts'
import { DEFAULT_ROLE_LABEL, roleLabels } from '#contract/roles.ts'
import { call } from '#web/api/client.ts'
import { roleOf } from '#web/role-paths.ts'
import { Button } from '#web/ui/Button.tsx'
import { useAuth } from './auth-context.tsx'
import { loginNotices } from './login-notices.ts'

export const DEMO_ACCOUNTS = ['demo-accounts']

type Accounts = z.output<typeof DemoAccount>[]

/** The server writes them into the page of the sign-in, so that nothing moves when they come. */
function accountsInPage(): Accounts | undefined {
  const text = globalThis.document?.getElementById('demo-accounts')?.textContent
  return text ? (JSON.parse(text) as Accounts) : undefined
}

/** One-click sign-in where the server runs with demonstration data; elsewhere nothing. */
export function DemoAccounts() {
  const { login } = useAuth()
  const accounts = useQuery({
    queryKey: DEMO_ACCOUNTS,
    initialData: accountsInPage,
    queryFn: ({ signal }) => call(auth.demoAccounts, { signal }),
    meta: { quiet: true },
  })
  if (!Array.isArray(accounts.data) || accounts.data.length === 0) return null
  return (
    <section aria-labelledby="demo" className="mt-8 border-t pt-6">
      <h2 id="demo" className="font-medium">
        Cuentas de demostración
      </h2>
      <p className="mt-0.5 text-muted">Entra con un clic y recorre el producto con datos de ejemplo.</p>
      <div className="mt-3 grid gap-2 sm:grid-cols-3">
        {accounts.data.map(({ role, email, password }) => {
          const known = roleOf(role)
          return (
            <Button
              key={email}
              title={email}
              disabled={login.isPending}
              onClick={() => login.mutate({ email, password }, loginNotices)}
            >
              {known ? roleLabels[known] : DEFAULT_ROLE_LABEL}
            </Button>
          )
        })}
      </div>
    </section>
  )
}
