import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { eventStepsQuery } from '#web/event-steps/queries.ts'
import { productsQuery } from '#web/products/queries.ts'
import { Connect } from './Connect.tsx'
import { addressesQuery } from './queries.ts'

const product = { id: 7, name: 'Tarjeta Oro' }
const step = { id: 9, product_id: 7, name: 'Solicitud', step_order: 1 }

/** What stands there for an issuer with these rows. */
function textOf({ products, steps }: { products: object[]; steps: object[] }): string {
  const client = new QueryClient()
  client.setQueryData(addressesQuery().queryKey, { events_url: 'https://e.mx/', postback_url: 'https://p.mx/' })
  client.setQueryData(productsQuery().queryKey, products as never)
  client.setQueryData(eventStepsQuery().queryKey, steps as never)
  const markup = renderToStaticMarkup(
    <MemoryRouter>
      <QueryClientProvider client={client}>
        <Connect apiKey={undefined} secret={undefined} token={undefined} />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  return markup.replace(/<[^>]*>/g, ' ')
}

const NO_PRODUCTS = 'Todavía no tienes productos'
const NO_STEPS = 'No hay eventos configurados para este producto'

test('without products the next step is the administrator’s', () => {
  expect(textOf({ products: [], steps: [] })).toContain(NO_PRODUCTS)
})

test('a product without steps has no code and no test', () => {
  const text = textOf({ products: [product], steps: [{ ...step, product_id: 8 }] })
  expect(text).toContain(NO_STEPS)
  expect(text).not.toContain('Evento de prueba')
})

test('the first product and its first step have their code, whose keys are not shown', () => {
  const text = textOf({ products: [product], steps: [{ ...step, id: 10, step_order: 2 }, step] })
  expect(text).toContain('Evento de prueba')
  expect(text).toContain('«Solicitud»')
  expect(text).toContain('TU_API_KEY')
  for (const nothing of [NO_PRODUCTS, NO_STEPS]) expect(text).not.toContain(nothing)
})
