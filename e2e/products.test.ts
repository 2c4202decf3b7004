import type { Locator, Page } from '@playwright/test'
import { eventSteps } from '#contract/event-steps.ts'
import { products } from '#contract/products.ts'
import { makeIssuer, makePayingStep, makeProduct, makeStep } from '#db/factories.ts'
import { factOf } from './facts.ts'
import { expect, test } from './fixtures.ts'
import {
  answerNext,
  callsOf,
  choiceOf,
  choose,
  chooseAction,
  expectHeads,
  expectRow,
  expectToast,
  hold,
  optionsOf,
  success,
} from './screen.ts'

const PATH = '/app/admin/products'
const REDIRECT = 'https://banco.mx/alta?ref={tracking_id}'

const rowsOf = (page: Page): Locator => page.getByRole('row').filter({ has: page.getByRole('cell') })
const inClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

test('the administrator finds products, creates one, changes it and deletes it', async ({ page, signIn, db, pair }) => {
  const { issuer } = pair
  const other = await makeProduct(db, { issuer_id: issuer.id, name: 'Crédito Nómina Ágil' })
  const elsewhere = await makeProduct(db, { issuer_id: (await makeIssuer(db)).id, name: 'Crédito Nómina Ágil' })
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await signIn('admin')
  await page.goto(PATH)
  await expect(page.getByText(/La URL de redirección debe incluir \{tracking_id\}/)).toBeVisible()
  const search = page.getByRole('searchbox')
  const open = page.getByRole('button', { name: 'Nuevo Producto' })
  const dialog = page.getByRole('dialog', { name: 'Nuevo Producto' })

  await test.step('found by issuer and by name', async () => {
    expect((await optionsOf(page, 'Filtrar por emisor'))[0]).toBe('Todos los emisores')
    await choose(page, 'Filtrar por emisor', issuer.company_name)
    await expect(page).toHaveURL(/emisor=/)
    await expect(choiceOf(page, 'Filtrar por emisor')).toHaveValue(issuer.company_name)
    expect(await optionsOf(page, 'Filtrar por emisor')).toContain(issuer.company_name) // however many there are
    await expect(rowsOf(page)).toHaveCount(2)
    await search.fill('nomina agil')
    await expectRow(page, { ID: String(other.id) })
    await expect(rowsOf(page)).toHaveCount(1)
    await choose(page, 'Filtrar por emisor', 'Todos los emisores')
    await expectRow(page, { ID: String(elsewhere.id) })
    await search.fill('zzzz')
    await expect(page.getByText('No se encontraron resultados para la búsqueda')).toBeVisible()
    await search.fill('')
    await choose(page, 'Filtrar por emisor', issuer.company_name)
  })

  await test.step('by the keyboard: Escape asks before it throws away what was typed', async () => {
    await open.press('Enter')
    await expect(choiceOf(dialog, 'Emisor')).toBeFocused()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await open.click()
    await dialog.getByLabel('Nombre').fill('A')
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').getByRole('button').first().click()
    await expect(dialog.getByLabel('Nombre')).toHaveValue('A')
  })

  await test.step('the form says what is wrong, and sends nothing', async () => {
    const calls = callsOf(page, products.create)
    const create = dialog.getByRole('button', { name: 'Crear', exact: true })
    await create.click()
    for (const text of [
      'Debe seleccionar un emisor',
      'El nombre debe tener al menos 2 caracteres',
      'La descripción debe tener al menos 10 caracteres',
      'Debe ser una URL válida',
    ])
      await expect(dialog.getByText(text)).toBeVisible()
    await expect(choiceOf(dialog, 'Emisor')).toBeFocused()
    await dialog.getByLabel('URL de redirección').fill('https://mi.mx/alta')
    await expect(dialog.getByText('La URL debe incluir el parámetro {tracking_id} para el tracking')).toBeVisible()
    expect(calls).toEqual([])
  })

  await test.step('one is created, with Enter', async () => {
    await choose(dialog, 'Emisor', issuer.company_name)
    await dialog.getByLabel('Descripción').fill(`Tarjeta sin anualidad. ${'CAT promedio 45.5% sin IVA. '.repeat(20)}`)
    await dialog.getByLabel('URL de redirección').fill(REDIRECT)
    await dialog.getByLabel('Nombre').fill('Tarjeta Oro')
    await expect(dialog.getByText('El nombre debe tener al menos 2 caracteres')).toBeHidden()
    const answered = await hold(page, products.create)
    await dialog.getByLabel('Nombre').press('Enter')
    await expect(dialog.getByRole('button', { name: 'Creando...' })).toBeVisible()
    answered()
    await expectToast(page, 'Producto creado exitosamente')
    await expect(dialog).toBeHidden()
    const heads = ['', 'ID', 'Emisor', 'Nombre', 'Descripción', 'Fecha de Creación', 'Acciones']
    expect(await expectHeads(page)).toEqual(heads)
  })
  const row = await expectRow(page, {
    Emisor: issuer.company_name,
    Nombre: 'Tarjeta Oro',
    'Fecha de Creación': /^\d{1,2} de [a-z]+ de 20\d\d$/,
  })
  const text = row.getByText('Tarjeta sin anualidad.')
  expect(await text.evaluate((cell) => cell.scrollHeight > cell.clientHeight)).toBe(true)

  await test.step('a change that fails stays in the dialog with what was typed, and is logged', async () => {
    await row.getByRole('button', { name: 'Editar' }).click()
    const edit = page.getByRole('dialog', { name: 'Editar Producto' })
    await expect(edit.getByText(issuer.company_name)).toBeVisible()
    await expect(choiceOf(edit, 'Emisor')).toHaveCount(0)
    await expect(edit.getByLabel('URL de redirección')).toHaveValue(REDIRECT)
    await edit.getByLabel('Nombre').fill('Tarjeta Platino')
    await choose(edit, 'Estado', 'Inactivo')
    await answerNext(page, products.update, 500, { message: 'No hay espacio' })
    await edit.getByRole('button', { name: 'Actualizar' }).click()
    await expectToast(page, 'No hay espacio')
    await expect(edit.getByLabel('Nombre')).toHaveValue('Tarjeta Platino')
    expect(logged.join()).toContain('product not saved')
    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await edit.getByRole('button', { name: 'Actualizar' }).click()
    expect((await sent).postDataJSON()).not.toHaveProperty('issuer_id')
    await expectToast(page, 'Producto actualizado exitosamente')
  })
  const changed = await expectRow(page, { Nombre: /^Tarjeta Platino\s*Inactivo$/ })

  await test.step('deleted after a question', async () => {
    await chooseAction(changed, 'Eliminar')
    const question = page.getByRole('alertdialog', { name: 'Estás seguro?' })
    await expect(question.getByText('Tarjeta Platino')).toBeVisible()
    await expect(question.getByText(issuer.company_name)).toBeVisible()
    await expect(question.getByText(/Esta acción no se puede deshacer/)).toBeVisible()
    await question.getByRole('button', { name: 'Cancelar' }).click()
    await expect(changed).toBeVisible()
    await chooseAction(changed, 'Eliminar')
    await question.getByRole('button', { name: 'Eliminar' }).click()
    await expectToast(page, 'Producto eliminado exitosamente')
    await expect(changed).toBeHidden()
  })
})

test('the issuer looks through its products and the flow of each', async ({ page, context, signIn, db, pair }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { issuer, product } = pair
  const long = `Préstamo ${'con un nombre que no cabe en ningún lado '.repeat(4)}`.trim()
  const old = { name: `Ahorro ${product.id}`, description: '', created_at: '2025-03-04T18:00:00Z' }
  const first = await makeProduct(db, { issuer_id: issuer.id, product_status: 'inactive', ...old })
  await makeProduct(db, { issuer_id: issuer.id, name: long, description: 'Liquidez inmediata. '.repeat(20) })
  const odd = await makeProduct(db, { issuer_id: issuer.id, name: `Zafiro ${product.id}` })
  await makeStep(db, { product_id: product.id, name: 'Registrada', step_order: 1, description: '' })
  const paying = await makePayingStep(db, {
    ...{ product_id: product.id, name: 'Solicitud aprobada', step_order: 7 },
    ...{ description: 'Con línea asignada', created_at: '2025-03-04T18:05:00Z' },
  })
  const validated = await makeStep(db, { product_id: product.id, name: 'Validada', step_order: 2 })
  const api = await signIn('issuer', issuer)
  // A date or a status that nobody can read does not break the screen.
  const strange = { created_at: 'x', product_status: 'x', relationship_id: 77 }
  const all = await api.call(products.list)
  const withOdd = all.map((each) => (each.id === odd.id ? { ...each, ...strange } : each))
  await answerNext(page, products.list, 200, success(withOdd))
  const steps = await api.call(eventSteps.list)
  const bare = { created_at: null, updated_at: null }
  const withBare = steps.map((each) => (each.name === 'Registrada' ? { ...each, ...bare } : each))
  await answerNext(page, eventSteps.list, 200, success(withBare))
  await page.goto('/app/issuer/products')
  const search = page.getByRole('searchbox')
  const open = (name: string) => page.getByRole('button', { name: `Ver ${name}` }).click()
  const close = async (dialog: Locator) => {
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }

  await test.step('its products, and the address that each needs', async () => {
    expect(await expectHeads(page)).toEqual(['ID', 'Nombre', 'Descripción', 'Fecha de Creación', 'Acciones'])
    await expect(page.getByRole('row', { name: first.name })).toContainText('4 de marzo de 2025')
    const notice = page.getByRole('complementary', { name: 'URL de redirección' })
    await expect(notice).toContainText('{tracking_id}: el sistema lo reemplaza')
    await expect(notice).toContainText(/https:\/\/\S+\?ref=\{tracking_id\}/)
    await search.fill('prestamo inmediata')
    await expect(page.getByRole('row', { name: first.name })).toHaveCount(0)
    await expect(page.getByRole('row', { name: long })).toBeVisible()
    await expect(page.getByText('1 producto', { exact: true })).toBeVisible()
    await search.fill('nada')
    await expect(page.getByText('No se encontraron productos')).toBeVisible()
    await search.fill('')
  })

  await test.step('the detail of one copies what it shows', async () => {
    await open(product.name)
    const dialog = page.getByRole('dialog', { name: product.name })
    await dialog.getByRole('button', { name: 'Copiar ID' }).click()
    await expectToast(page, 'Información copiada al portapapeles')
    for (const [what, text] of [
      ['ID', String(product.id)],
      ['nombre', product.name],
      ['URL de redirección', product.redirect_url],
    ] as const) {
      await dialog.getByRole('button', { name: `Copiar ${what}` }).click()
      await expect.poll(() => inClipboard(page)).toBe(text)
    }
    await expect(factOf(dialog, 'Estado')).toHaveText('Activo')
    await expect(factOf(dialog, 'Emisor')).toHaveText(issuer.company_name)
    await expect(factOf(dialog, 'Descripción')).toHaveText(product.description)
    await expect(factOf(dialog, 'Fecha de Creación')).toHaveText(/^\d{1,2} de \p{L}+ de \d{4}$/u)
    await close(dialog)
  })

  await test.step('one that is off and says nothing of itself, and one that nobody can read', async () => {
    await open(first.name)
    const off = page.getByRole('dialog', { name: first.name })
    await expect(factOf(off, 'Descripción')).toHaveText('Sin descripción disponible')
    await expect(factOf(off, 'Estado')).toHaveText('Inactivo')
    await close(off)
    const Nombre = new RegExp(`${odd.name}\\s*Inactivo`)
    await expectRow(page, { Nombre, 'Fecha de Creación': 'Fecha no disponible' })
    await open(odd.name)
    const dialog = page.getByRole('dialog', { name: odd.name })
    await expect(factOf(dialog, 'Estado')).toHaveText('Inactivo')
    await expect(factOf(dialog, 'Fecha de Creación')).toHaveText('Fecha no disponible')
    await expect(factOf(dialog, 'ID de Relación')).toHaveText('77')
    await close(dialog)
  })

  await test.step('the flow of the first, and of another', async () => {
    await page.getByRole('link', { name: 'Eventos', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Consulta de Eventos por Producto')
    await expect(choiceOf(page, 'Emisor')).toHaveCount(0)
    await expect(choiceOf(page, 'Producto')).toHaveValue(first.name)
    await expect(page.getByText('No hay eventos configurados para este producto')).toBeVisible()
    await expect(page.getByText('Los eventos se configuran desde el panel de administración')).toBeVisible()
    await choose(page, 'Producto', product.name)
    expect(await expectHeads(page)).toEqual(['ID Producto', 'Tipo de Evento', 'Nombre', 'Estado', 'Acciones'])
    await expect(rowsOf(page)).toContainText(['Registrada', validated.name, 'Solicitud aprobada'])
    await expectRow(page, { 'ID Producto': String(product.id), Nombre: 'Registrada', Estado: 'ℹ️ Info' })
    await expectRow(page, { 'Tipo de Evento': 'aprobado', Nombre: 'Solicitud aprobada', Estado: '💰 Comisión' })
    await expect(page.getByRole('button', { name: /Nuevo|Crear|Editar|Eliminar|Subir|Bajar|Mover/ })).toHaveCount(0)
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
  })

  await test.step('what a step is', async () => {
    await page.getByRole('button', { name: 'Ver detalles de Solicitud aprobada' }).click()
    const dialog = page.getByRole('dialog', { name: 'Solicitud aprobada' })
    for (const [label, text] of [
      ['ID', String(paying.id)],
      ['Orden en el flujo', '7'],
      ['Nombre', 'Solicitud aprobada'],
      ['Tipo de Evento', 'aprobado'],
      ['Descripción', 'Con línea asignada'],
      ['ID Producto', String(product.id)],
      ['Producto', product.name],
      ['Comisión', 'Genera comisión'],
      ['ID del Tipo de Evento', '3'],
      ['Fecha de Creación', '4 de marzo de 2025 a las 12:05'],
    ] as const)
      await expect(factOf(dialog, label)).toHaveText(text)
    await expect(factOf(dialog, 'Última Actualización')).toHaveText(/ de \d{4} a las \d\d:\d\d$/)
    await dialog.getByRole('button', { name: 'Copiar ID' }).click()
    await expectToast(page, 'ID copiado')
    expect(await inClipboard(page)).toBe(String(paying.id))
    await close(dialog)
  })

  await test.step('what a step does not say is said to be missing', async () => {
    await page.getByRole('button', { name: 'Ver detalles de Registrada' }).click()
    const dialog = page.getByRole('dialog', { name: 'Registrada' })
    await expect(factOf(dialog, 'Descripción')).toHaveText('Sin descripción')
    await expect(factOf(dialog, 'Comisión')).toHaveText('Informativo')
    for (const label of ['Fecha de Creación', 'Última Actualización'])
      await expect(factOf(dialog, label)).toHaveText('No disponible')
    await close(dialog)
  })

  await test.step('a copy that the browser forbids is told', async () => {
    await page.getByRole('link', { name: 'Productos', exact: true }).click()
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError'))
    })
    await open(product.name)
    await page.getByRole('button', { name: 'Copiar ID' }).click()
    await expectToast(page, 'Error al copiar la información')
  })
})
