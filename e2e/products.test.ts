import { products } from '#contract/products.ts'
import { makeIssuer, makeProduct } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import {
  answerNext,
  choiceOf,
  choose,
  chooseAction,
  expectHeads,
  expectNoViolations,
  expectRow,
  expectToast,
  failNext,
  hold,
  optionsOf,
  success,
} from './screen.ts'

const PATH = '/app/admin/products'
const REDIRECT = 'https://banco.mx/alta?ref={tracking_id}'

test('the administrator creates, edits and deletes a product', async ({ page, signIn, issuer }) => {
  await signIn('admin')
  await page.goto(PATH)
  await expect(page.getByText(/La URL de redirección debe incluir \{tracking_id\}/)).toBeVisible()
  await choose(page, 'Filtrar por emisor', issuer.company_name)
  await page.getByRole('button', { name: 'Nuevo Producto' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo Producto' })
  await choose(dialog, 'Emisor', issuer.company_name)
  await dialog.getByLabel('Nombre').fill('Tarjeta Oro')
  await dialog.getByLabel('Descripción').fill(`Tarjeta sin anualidad. ${'CAT promedio 45.5% sin IVA. '.repeat(20)}`)
  await dialog.getByLabel('URL de redirección').fill(REDIRECT)
  const answered = await hold(page, products.create)
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  await expect(dialog.getByRole('button', { name: 'Creando...' })).toBeVisible()
  answered()
  await expectToast(page, 'Producto creado exitosamente')
  await expect(dialog).toBeHidden()
  expect(await expectHeads(page)).toEqual([
    '',
    'ID',
    'Emisor',
    'Nombre',
    'Descripción',
    'Fecha de Creación',
    'Acciones',
  ])
  const row = await expectRow(page, {
    Emisor: issuer.company_name,
    Nombre: 'Tarjeta Oro',
    'Fecha de Creación': /^\d{1,2} de [a-z]+ de 20\d\d$/,
  })
  const text = row.getByText('Tarjeta sin anualidad.')
  expect(await text.evaluate((cell) => cell.scrollHeight > cell.clientHeight)).toBe(true)

  await row.getByRole('button', { name: 'Editar' }).click()
  const edit = page.getByRole('dialog', { name: 'Editar Producto' })
  await expect(edit.getByText(issuer.company_name)).toBeVisible()
  await expect(choiceOf(edit, 'Emisor')).toHaveCount(0)
  await expect(edit.getByLabel('URL de redirección')).toHaveValue(REDIRECT)
  await edit.getByLabel('Nombre').fill('Tarjeta Platino')
  await choose(edit, 'Estado', 'Inactivo')
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await edit.getByRole('button', { name: 'Actualizar' }).click()
  expect((await sent).postDataJSON()).not.toHaveProperty('issuer_id')
  await expectToast(page, 'Producto actualizado exitosamente')
  const changed = await expectRow(page, { Nombre: /^Tarjeta Platino\s*Inactivo$/ })

  await chooseAction(changed, 'Eliminar')
  const question = page.getByRole('alertdialog', { name: 'Estás seguro?' })
  await expect(question.getByText('Tarjeta Platino')).toBeVisible()
  await expect(question.getByText(issuer.company_name)).toBeVisible()
  await expect(question.getByText(/Esta acción no se puede deshacer/)).toBeVisible()
  await expectNoViolations(page)
  await question.getByRole('button', { name: 'Cancelar' }).click()
  await expect(changed).toBeVisible()
  await chooseAction(changed, 'Eliminar')
  await question.getByRole('button', { name: 'Eliminar' }).click()
  await expectToast(page, 'Producto eliminado exitosamente')
  await expect(changed).toBeHidden()
})

test('the form says what is wrong, in its words, and sends nothing', async ({ page, signIn, issuer }) => {
  await signIn('admin')
  await page.goto(PATH)
  await page.getByRole('button', { name: 'Nuevo Producto' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo Producto' })
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST') sent += 1
  })
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
  await expectNoViolations(page)
  await dialog.getByLabel('URL de redirección').fill('mi sitio {tracking_id}')
  await expect(dialog.getByText('Debe ser una URL válida')).toBeVisible()
  await dialog.getByLabel('URL de redirección').fill('https://mi.mx/alta')
  await expect(dialog.getByText('La URL debe incluir el parámetro {tracking_id} para el tracking')).toBeVisible()
  await dialog.getByLabel('URL de redirección').fill(REDIRECT)
  await dialog.getByLabel('Nombre').fill('A')
  await dialog.getByLabel('Descripción').fill('123456789')
  await create.click()
  await expect(dialog.getByText('El nombre debe tener al menos 2 caracteres')).toBeVisible()
  await expect(dialog.getByText('La descripción debe tener al menos 10 caracteres')).toBeVisible()
  expect(sent).toBe(0)
  await choose(dialog, 'Emisor', issuer.company_name)
  await dialog.getByLabel('Nombre').fill('AB')
  await dialog.getByLabel('Descripción').fill('1234567890')
  await page.keyboard.press('Tab')
  await expect(dialog.getByText('El nombre debe tener al menos 2 caracteres')).toBeHidden()
  await dialog.getByLabel('Nombre').press('Enter')
  await expectToast(page, 'Producto creado exitosamente')
})

test('a save that fails stays in the dialog with what was typed, and is logged', async ({ page, signIn, pair }) => {
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await signIn('admin')
  await page.goto(`${PATH}?emisor=${pair.issuer.id}`)
  await (await expectRow(page, { Nombre: pair.product.name })).getByRole('button', { name: 'Editar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Editar Producto' })
  await dialog.getByLabel('Nombre').fill('Otro nombre')
  await answerNext(page, products.update, 500, { message: 'No hay espacio' })
  await dialog.getByRole('button', { name: 'Actualizar' }).click()
  await expectToast(page, 'No hay espacio')
  await expect(dialog.getByLabel('Nombre')).toHaveValue('Otro nombre')
  expect(logged.join()).toContain('product not saved')
  await dialog.getByRole('button', { name: 'Actualizar' }).click()
  await expectRow(page, { Nombre: 'Otro nombre' })
})

test('Escape asks before it throws away what was typed', async ({ page, signIn }) => {
  await signIn('admin')
  await page.goto(PATH)
  await page.getByRole('button', { name: 'Nuevo Producto' }).first().press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Nuevo Producto' })
  await expect(choiceOf(dialog, 'Emisor')).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Nuevo Producto' }).first().click()
  await dialog.getByLabel('Nombre').fill('Tarjeta')
  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog')
  await question.getByRole('button').first().click()
  await expect(dialog.getByLabel('Nombre')).toHaveValue('Tarjeta')
})

test('products are found by issuer and by name', async ({ page, signIn, db, issuer, pair }) => {
  const other = await makeProduct(db, { issuer_id: issuer.id, name: 'Crédito Nómina Ágil' })
  const elsewhere = await makeProduct(db, { issuer_id: (await makeIssuer(db)).id, name: 'Crédito Nómina Ágil' })
  await signIn('admin')
  await page.goto(PATH)
  expect((await optionsOf(page, 'Filtrar por emisor'))[0]).toBe('Todos los emisores')
  const filter = choiceOf(page, 'Filtrar por emisor')
  await choose(page, 'Filtrar por emisor', issuer.company_name)
  await expect(page).toHaveURL(/emisor=/)
  await expect(filter).toHaveValue(issuer.company_name)
  expect(await optionsOf(page, 'Filtrar por emisor')).toContain(issuer.company_name) // however many there are
  const names = page.getByRole('row').getByRole('cell', { name: /^(Tarjeta|Crédito)/ })
  await expect(names).toHaveCount(4) // two rows, each with its name and its description
  await page.getByRole('searchbox').fill('nomina agil')
  await expectRow(page, { ID: String(other.id) })
  await expect(page.getByRole('cell', { name: pair.product.name, exact: true })).toBeHidden()
  await choose(page, 'Filtrar por emisor', 'Todos los emisores')
  await expectRow(page, { ID: String(elsewhere.id) })
  await page.reload() // the filters live in the address
  await expectRow(page, { ID: String(elsewhere.id) })
  await page.getByRole('searchbox').fill('zzzz')
  await expect(page.getByText('No se encontraron resultados para la búsqueda')).toBeVisible()
})

test('the screen of products loads, fails, recovers, is empty, and is for everybody', async ({
  page,
  signIn,
  pair,
}) => {
  await signIn('admin')
  await failNext(page, products.list)
  await page.goto(`${PATH}?emisor=${pair.issuer.id}`)
  await expect(page.getByText('Cargando productos...')).toBeVisible()
  await expect(page.getByText('Error al cargar los productos')).toBeVisible()
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await expectRow(page, { Nombre: pair.product.name })
  await expectNoViolations(page)
  await answerNext(page, products.list, 200, success([]))
  await page.goto(PATH)
  await expect(page.getByText('No se encontraron productos en el sistema')).toBeVisible()
  await expectNoViolations(page)
})

test('a list is found again in its order and on its page, and other filters begin at the first', async ({
  page,
  signIn,
  db,
  issuer,
}) => {
  for (let number = 1; number <= 30; number++)
    await makeProduct(db, {
      issuer_id: issuer.id,
      name: `Tarjeta ${String(number).padStart(2, '0')} ${number < 10 ? 'Oro' : 'Azul'}`,
    })
  await signIn('admin')
  await page.goto(`/app/admin/products?emisor=${issuer.id}`)
  const first = page.getByRole('row').nth(1)
  const head = page.getByRole('columnheader', { name: 'Nombre' }).getByRole('button')
  await head.click()
  await expect(first).toContainText('Tarjeta 01')
  await head.click()
  await expect(first).toContainText('Tarjeta 30')
  await first.getByRole('checkbox').check()
  await choose(page, 'Filas por página', '25')
  await page.getByRole('button', { name: 'Página siguiente' }).click()
  await expect(first).toContainText('Tarjeta 05')
  await page.getByRole('button', { name: 'Primera página' }).click()
  // Another page of the same rows keeps what was chosen.
  await expect(first.getByRole('checkbox')).toBeChecked()
  await page.getByRole('button', { name: 'Página siguiente' }).click()
  await expect(first).toContainText('Tarjeta 05')

  await page.getByRole('link', { name: 'Pagos', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Gestión de Pagos' })).toBeVisible()
  await page.goBack()
  await expect(first).toContainText('Tarjeta 05')
  await page.reload()
  await expect(first).toContainText('Tarjeta 05')
  await page.getByRole('searchbox').fill('Oro')
  await expect(first).toContainText('Tarjeta 09')
  await page.getByRole('searchbox').fill('')
  await expect(first).toContainText('Tarjeta 30')
  // The third press of a head takes the order away.
  await head.click()
  await expect(page).toHaveURL(`/app/admin/products?emisor=${issuer.id}&filas=25`)
})
