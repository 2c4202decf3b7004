import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Compensated } from '#contract/rates.ts'
import { EndedChange } from './EndedChange.tsx'
import { compensatedQuery } from './queries.ts'

const next = { id: 9, payout: '620.50', since: '2031-01-01T06:00:00.000Z' }

function textOf(compensated: Compensated | undefined, announced: typeof next | null = next) {
  const client = new QueryClient()
  client.setQueryData(compensatedQuery(next.id).queryKey, compensated)
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <EndedChange next={announced} />
    </QueryClientProvider>,
  ).trim()
}

const GOES = 'El cambio programado a $620.50 desde el 01/01/2031 se cancela.'

test.each<[Compensated | undefined, string]>([
  [undefined, GOES],
  [{ entries: 0, locked: 0, amount: '0.00' }, GOES],
  [
    { entries: 1, locked: 0, amount: '120.50' },
    `${GOES} El ajuste con el que compensa lo devengado (+$120.50) se conserva; para anularlo, un administrador cancela antes el cambio.`,
  ],
  [
    { entries: 2, locked: 1, amount: '-341.00' },
    `${GOES} Los 2 ajustes con los que compensa lo devengado (-$341.00) se conservan; para anularlos, un administrador cancela antes el cambio.`,
  ],
])('where what it changes ends %#', (compensated, text) => expect(textOf(compensated)).toBe(text))

test('nothing where nothing was announced', () => expect(textOf(undefined, null)).toBe(''))
