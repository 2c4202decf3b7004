import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { User } from '#contract/users.ts'
import { OwnProfile } from './OwnProfile.tsx'
import { profileQuery } from './queries.ts'

const ana = {
  full_name: 'Ana Ávila',
  email: 'ana@empresa.mx',
  role: 'admin',
  user_status: 'active',
  last_login: '2025-03-04T18:30:00.000Z',
  created_at: '2024-03-05T18:00:00.000Z',
} as User

/** What stands under each label. */
function factsOf(user: User): Record<string, string> {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData<unknown>(profileQuery().queryKey, user)
  const html = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <OwnProfile />
    </QueryClientProvider>,
  )
  const facts = html.matchAll(/<dt[^>]*>(.*?)<\/dt>\s*<dd[^>]*>(.*?)<\/dd>/g)
  return Object.fromEntries([...facts].map(([, label, text]) => [label, text?.replaceAll(/<[^>]+>/g, '')]))
}

test('the own data are there to read', () => {
  expect(factsOf(ana)).toEqual({
    'Nombre completo': 'Ana Ávila',
    Email: 'ana@empresa.mx',
    Rol: 'Administrador',
    Estado: 'Activo',
    'Último acceso': '4 de marzo de 2025 a las 12:30',
    'Fecha de registro': '5 de marzo de 2024',
  })
})

test('what is missing says so', () => {
  expect(factsOf({ ...ana, full_name: '', last_login: null })).toMatchObject({
    'Nombre completo': 'No disponible',
    'Último acceso': 'No disponible',
  })
})
