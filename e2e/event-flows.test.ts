import type { Locator, Page } from '@playwright/test'
import { eventSteps } from '#contract/event-steps.ts'
import { makeIssuer, makePayingStep, makeProduct, makeRelationship, makeStep } from '#db/factories.ts'
import { factOf } from './facts.ts'
import { expect, test } from './fixtures.ts'
import {
  answerNext,
  choiceOf,
  choose,
  expectHeads,
  expectNoViolations,
  expectRow,
  expectToast,
  failNext,
  optionsOf,
  success,
} from './screen.ts'

const [ISSUER, AFFILIATE] = ['/app/issuer/events', '/app/affiliate/events']

const rowsOf = (page: Page): Locator => page.getByRole('row').filter({ has: page.getByRole('cell') })

async function expectReadOnly(page: Page) {
  await expect(page.getByRole('button', { name: /Nuevo|Crear|Editar|Eliminar|Subir|Bajar|Mover/ })).toHaveCount(0)
}

test('the issuer reads the flow of each product and what a step is', async ({ page, context, signIn, db, pair }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const first = await makeProduct(db, { issuer_id: pair.issuer.id, name: `Ahorro ${pair.product.id}` })
  await makeStep(db, { product_id: pair.product.id, name: 'Registrada', step_order: 1, description: '' })
  const paying = await makePayingStep(db, {
    ...{ product_id: pair.product.id, name: 'Solicitud aprobada', step_order: 7 },
    ...{ description: 'Con línea asignada', created_at: '2025-03-04T18:05:00Z' },
  })
  await makeStep(db, { product_id: pair.product.id, name: 'Validada', step_order: 2 })
  await signIn('issuer', pair.issuer)
  await page.goto(ISSUER)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Consulta de Eventos por Producto')
  await expect(choiceOf(page, 'Emisor')).toHaveCount(0)
  await expect(choiceOf(page, 'Producto')).toHaveValue(first.name)
  await expect(page.getByText('No hay eventos configurados para este producto')).toBeVisible()
  await expect(page.getByText('Los eventos se configuran desde el panel de administración')).toBeVisible()

  await choose(page, 'Producto', pair.product.name)
  expect(await expectHeads(page)).toEqual(['ID Producto', 'Tipo de Evento', 'Nombre', 'Estado', 'Acciones'])
  await expect(rowsOf(page)).toContainText(['Registrada', 'Validada', 'Solicitud aprobada'])
  const id = String(pair.product.id)
  await expectRow(page, { 'ID Producto': id, Nombre: 'Registrada', Estado: 'ℹ️ Info' })
  await expectRow(page, { 'Tipo de Evento': 'aprobado', Nombre: 'Solicitud aprobada', Estado: '💰 Comisión' })
  await expectReadOnly(page)
  await expectNoViolations(page)
  const search = page.getByRole('searchbox')
  for (const [words, name] of [
    ['registr', 'Registrada'],
    ['aprobado', 'Solicitud aprobada'],
  ] as const) {
    await search.fill(words)
    await expect(rowsOf(page)).toHaveCount(1)
    await expect(rowsOf(page)).toContainText(name)
  }
  await search.fill('zzzz')
  await expect(page.getByText('No se encontraron eventos que coincidan con la búsqueda')).toBeVisible()
  await search.fill('')

  await page.getByRole('button', { name: 'Ver detalles de Solicitud aprobada' }).click()
  const dialog = page.getByRole('dialog', { name: 'Solicitud aprobada' })
  for (const [label, text] of [
    ['ID', String(paying.id)],
    ['Orden en el flujo', '7'],
    ['Nombre', 'Solicitud aprobada'],
    ['Tipo de Evento', 'aprobado'],
    ['Descripción', 'Con línea asignada'],
    ['ID Producto', id],
    ['Producto', pair.product.name],
    ['Comisión', 'Genera comisión'],
    ['ID del Tipo de Evento', '3'],
    ['Fecha de Creación', '4 de marzo de 2025 a las 12:05'],
  ] as const)
    await expect(factOf(dialog, label)).toHaveText(text)
  await expect(factOf(dialog, 'Última Actualización')).toHaveText(/ de \d{4} a las \d\d:\d\d$/)
  await expectNoViolations(page)
  await dialog.getByRole('button', { name: 'Copiar ID' }).click()
  await expectToast(page, 'ID copiado')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(String(paying.id))
})

test('what a step does not say is said to be missing', async ({ page, signIn, db, pair }) => {
  await makeStep(db, { product_id: pair.product.id, name: 'Registrada', description: '' })
  const api = await signIn('issuer', pair.issuer)
  const steps = await api.call(eventSteps.list)
  const bare = steps.map((step) => ({ ...step, created_at: null, updated_at: null }))
  await answerNext(page, eventSteps.list, 200, success(bare))
  await page.goto(ISSUER)
  await page.getByRole('button', { name: 'Ver detalles de Registrada' }).click()
  const dialog = page.getByRole('dialog', { name: 'Registrada' })
  await expect(factOf(dialog, 'Descripción')).toHaveText('Sin descripción')
  await expect(factOf(dialog, 'Comisión')).toHaveText('Informativo')
  for (const label of ['Fecha de Creación', 'Última Actualización'])
    await expect(factOf(dialog, label)).toHaveText('No disponible')
})

test('the affiliate reads the flow of a product that it promotes', async ({ page, signIn, db, pair }) => {
  const first = await makeIssuer(db, { company_name: `Aval ${pair.issuer.id}` })
  await makeRelationship(db, { affiliate_id: pair.affiliate.id, issuer_id: first.id })
  const [second, other] = [
    await makeProduct(db, { issuer_id: first.id, name: `Nómina ${first.id}` }),
    await makeProduct(db, { issuer_id: first.id, name: `Ahorro ${first.id}` }),
  ]
  await makePayingStep(db, { product_id: other.id, name: 'Aprobada', step_order: 2 })
  await makeStep(db, { product_id: other.id, name: 'Registrada', step_order: 1, description: 'Llenó la solicitud' })
  await signIn('affiliate', pair.affiliate)
  await failNext(page, eventSteps.list)
  await page.goto(AFFILIATE)
  await expect(page.getByRole('alert').filter({ hasText: 'Error al cargar los eventos' })).toBeVisible()
  await page.evaluate(() => document.body.setAttribute('data-kept', ''))
  await page.getByRole('button', { name: 'Reintentar' }).click()
  expect(await expectHeads(page)).toEqual(['Orden', 'Nombre', 'Tipo de Evento', 'Descripción', 'Comisión'])
  await expect(page.locator('body[data-kept]')).toHaveCount(1) // asked again, not reloaded
  await expect(choiceOf(page, 'Emisor')).toHaveValue(first.company_name)
  await expect(choiceOf(page, 'Producto')).toHaveValue(other.name)
  await expect(rowsOf(page)).toContainText(['Registrada', 'Aprobada'])
  await expectRow(page, {
    Orden: '1',
    'Tipo de Evento': 'step_1',
    Descripción: 'Llenó la solicitud',
    Comisión: 'Solo Tracking',
  })
  await expectRow(page, { Orden: '2', 'Tipo de Evento': 'aprobado', Comisión: 'Genera Comisión' })
  await expectReadOnly(page)
  expect(await optionsOf(page, 'Producto')).toEqual([other.name, second.name])
  await choose(page, 'Emisor', pair.issuer.company_name)
  await expect(choiceOf(page, 'Producto')).toHaveValue(pair.product.name)
  await expect(page.getByText('No hay eventos configurados para este producto')).toBeVisible()
})
