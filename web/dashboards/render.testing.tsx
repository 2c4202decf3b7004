import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { AuthProvider } from '#web/auth/auth-context.tsx'

interface Options {
  /** What the server has answered, by the key of its query. */
  known?: readonly (readonly [readonly unknown[], unknown])[]
  at?: string
}

/** A part of a screen as it stands at an address, with what is known to nobody in particular. */
export function render(part: ReactNode, { known = [], at = '/' }: Options = {}): string {
  const client = new QueryClient()
  for (const [key, data] of known) client.setQueryData(key, data)
  const router = createMemoryRouter([{ path: '*', element: part }], { initialEntries: [at] })
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <AuthProvider>
        <RouterProvider router={router} />
      </AuthProvider>
    </QueryClientProvider>,
  )
}

const marks: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" }

/** What is read of it, each element apart from the next one. */
export const textOf = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&[^;]+;/g, (mark) => marks[mark] ?? mark)
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Where its links lead. */
export const linksOf = (markup: string): string[] =>
  [...markup.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, to = '']) => to.replaceAll('&amp;', '&'))
