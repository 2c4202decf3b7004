import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { everyone } from '#contract/roles.ts'
import { paths } from '#web/paths.ts'
import { AuthProvider } from './auth-context.tsx'
import { DEMO_ACCOUNTS } from './DemoAccounts.tsx'
import LoginPage from './LoginPage.tsx'

/** The sign-in as it looks until its script has come, the demonstration's accounts included. */
export function render(): string {
  const client = new QueryClient()
  client.setQueryData(
    DEMO_ACCOUNTS,
    everyone.map((role) => ({ role, email: role, password: '' })),
  )
  const page = renderToStaticMarkup(
    <MemoryRouter initialEntries={[paths.login]}>
      <QueryClientProvider client={client}>
        <AuthProvider>
          <LoginPage />
        </AuthProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  )
  // What only the script can do; a submit is kept for it (before-paint.js).
  return page.replaceAll(/<button (?![^>]*type="submit")/g, '<button disabled ')
}
