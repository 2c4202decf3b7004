import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { leads } from '#contract/leads.ts'
import { products } from '#contract/products.ts'
import { receivers } from '#contract/receivers.ts'
import { makeLead, makeProduct } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { answerNext, callsOf, choose, expectRow, expectToast, failNext, goBack, hold, success } from './screen.ts'
import { endSession } from './sessions.ts'

// What lists and forms do everywhere is shown on one list whose rows are all here and on one that the server pages;
// web/screen-texts.test.tsx has the words of all the others.

const PRODUCTS = '/app/admin/products'
const rowsOf = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('cell') })

test('a list says that it loads, that it failed and that there is nothing', async ({ page, signIn, db, pair }) => {
  const { name } = pair.product
  await makeLead(db, { ...pair.ids, external_id: 'visita-001' })
  await signIn('admin')
  const notices = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')
  const again = page.getByRole('button', { name: 'Reintentar' })

  await test.step('whose rows are all here', async () => {
    await failNext(page, products.list)
    const answered = await hold(page, products.list)
    await page.goto(`${PRODUCTS}?emisor=${pair.issuer.id}`)
    await expect(page.getByText('Cargando productos...')).toBeVisible()
    await expect(rowsOf(page)).toHaveCount(5)
    answered()
    await expect(page.getByRole('alert').getByText('Error al cargar los productos')).toBeVisible()
    await expectToast(page, 'Ocurrió un error inesperado')
    await again.click()
    await expectRow(page, { Nombre: name })
    await page.getByRole('searchbox').fill('zzzz')
    await expect(page.getByText('No se encontraron resultados para la búsqueda')).toBeVisible()
    await page.getByRole('searchbox').fill('')
    await expectRow(page, { Nombre: name })
    await answerNext(page, products.list, 200, success([]))
    await page.reload()
    await expect(page.getByText('No se encontraron resultados para la búsqueda')).toBeVisible()
    await page.getByRole('button', { name: 'Limpiar' }).click()
    await expect(page.getByText('No se encontraron productos en el sistema')).toBeVisible()
  })

  await test.step('which the server pages', async () => {
    // The lists of choices fail in silence.
    for (const path of ['/api/v1/affiliates', '/api/v1/products'])
      await page.route(
        (url) => url.pathname.startsWith(path),
        (route) => route.fulfill({ status: 500, json: {} }),
      )
    const answered = await hold(page, leads.list)
    await page.goto(`/app/admin/leads?issuer_id=${pair.issuer.id}`)
    const refresh = page.getByRole('button', { name: 'Actualizar' })
    await expect(page.getByText('Cargando leads...')).toBeVisible()
    await expect(rowsOf(page)).toHaveCount(5)
    await expect(refresh).toHaveAttribute('aria-disabled', 'true')
    answered()
    await expectRow(page, { 'External ID': 'visita-001' })
    await failNext(page, leads.list)
    await page.reload()
    await expect(page.getByRole('alert').getByText('Error al cargar los leads')).toHaveCount(1)
    await expect(notices).toHaveCount(1)
    await expect(notices).toContainText('Error al cargar los leads')
    await again.click()
    await expectRow(page, { 'External ID': 'visita-001' })
    await choose(page, 'Estado del lead', 'Pagado')
    await expect(page.getByText('No se encontraron leads con los filtros aplicados')).toBeVisible()
    await choose(page, 'Estado del lead', 'Todos los estados')
    await expectRow(page, { 'External ID': 'visita-001' })
    const calls = callsOf(page, leads.list)
    await answerNext(page, leads.list, 403, { message: 'Sin permiso' })
    await page.reload()
    await expect(page.getByText('Sin permiso').first()).toBeVisible()
    expect(calls).toHaveLength(1) // what is refused is not asked again
  })
})

test('a list is found again in its order and on its page, is exported as it is, and loses what was chosen', async ({
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
  await page.goto(`${PRODUCTS}?emisor=${issuer.id}`)
  const first = page.getByRole('row').nth(1)
  const column = page.getByRole('columnheader', { name: 'Nombre' })
  const head = column.getByRole('button')
  await head.click()
  await expect(first).toContainText('Tarjeta 01')
  await expect(column).toHaveAttribute('aria-sort', 'ascending')
  await head.click()
  await expect(first).toContainText('Tarjeta 30')
  await expect(column).toHaveAttribute('aria-sort', 'descending')

  await test.step('rows that were chosen stay so on another page', async () => {
    await first.getByRole('checkbox').check()
    await choose(page, 'Filas por página', '25')
    await page.getByRole('button', { name: 'Página siguiente' }).click()
    await expect(first).toContainText('Tarjeta 05')
    await page.getByRole('button', { name: 'Primera página' }).click()
    await expect(first.getByRole('checkbox')).toBeChecked()
    await expect(page.getByRole('status').filter({ hasText: '1 producto' }).first()).toBeAttached()
    await page.keyboard.press('Escape')
    await expect(first.getByRole('checkbox')).not.toBeChecked()
    await page.getByRole('button', { name: 'Página siguiente' }).click()
    await expect(first).toContainText('Tarjeta 05')
  })

  await test.step('the address keeps order and page; other filters begin at the first', async () => {
    await page.getByRole('link', { name: 'Pagos', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Gestión de Pagos' })).toBeVisible()
    await page.goBack()
    await expect(first).toContainText('Tarjeta 05')
    await page.reload()
    await expect(first).toContainText('Tarjeta 05')
    await page.getByRole('searchbox').fill('Oro')
    await expect(first).toContainText('Tarjeta 09')
  })

  await test.step('the file has what the filters leave', async () => {
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Exportar' }).first().click()
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    const rows = (await readFile(await (await coming).path(), 'utf8')).trimEnd().split('\r\n')
    expect(rows).toHaveLength(10)
  })

  await page.getByRole('searchbox').fill('')
  await expect(first).toContainText('Tarjeta 30')
  // The third press of a head takes the order away.
  await head.click()
  await expect(page).toHaveURL(`${PRODUCTS}?emisor=${issuer.id}&filas=25`)
})

test('a form is sent once and stays when that fails; the keyboard goes on where it was', async ({
  page,
  signIn,
  affiliate,
}) => {
  await signIn('affiliate', affiliate)
  await page.goto('/app/affiliate/postbacks')
  const add = page.getByRole('button', { name: 'Nuevo postback' }).first()

  await test.step('a double click sends once', async () => {
    await add.press('Enter')
    const form = page.getByRole('dialog', { name: 'Nuevo postback' })
    const save = form.getByRole('button', { name: 'Crear' })
    await form.getByLabel('Nombre').fill('Mi rastreador')
    await form.getByLabel('Dirección').fill('https://red.example.mx/p?s={external_id}')
    await failNext(page, receivers.create)
    await save.click()
    await expectToast(page, 'Ocurrió un error inesperado')
    await expect(form.getByLabel('Nombre')).toHaveValue('Mi rastreador')
    const calls = callsOf(page, receivers.create)
    await save.dblclick()
    await expectToast(page, 'Dirección creada exitosamente')
    await expect(form).toHaveCount(0)
    expect(calls).toHaveLength(1)
    await expect(add).toBeFocused()
  })

  const menu = page.getByRole('button', { name: 'Más acciones de Mi rastreador' })
  const question = page.getByRole('alertdialog', { name: 'Estás seguro?' })
  const ask = async () => {
    await menu.press('Enter')
    await page.getByRole('menuitem', { name: 'Eliminar Mi rastreador' }).press('Enter')
    await expect(question).toBeVisible()
  }
  await test.step('from the menu of a row that stays', async () => {
    await ask()
    await page.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    await expect(menu).toBeFocused()
  })

  await test.step('of a question over a form that stays the menu behind it knows nothing', async () => {
    await menu.press('Enter')
    await page.getByRole('menuitem', { name: 'Editar Mi rastreador' }).press('Enter')
    const name = page.getByRole('dialog', { name: 'Editar Mi rastreador' }).getByLabel('Nombre')
    await name.fill('Mi otro rastreador')
    await page.mouse.click(5, 5)
    const discarding = page.getByRole('alertdialog', { name: '¿Descartar los cambios?' })
    await discarding.getByRole('button', { name: 'Seguir editando' }).press('Enter')
    await expect(name).toBeFocused()
    await page.keyboard.press('Escape')
    await discarding.getByRole('button', { name: 'Descartar' }).press('Enter')
    await expect(menu).toBeFocused()
  })

  await test.step('from the content where the row is gone', async () => {
    await ask()
    await question.getByRole('button', { name: 'Eliminar' }).press('Enter')
    await expect(page.getByText('Todavía no avisas a ninguna dirección')).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
  })
})

test('what was typed is not lost without a question; who saved or lost the session is asked nothing', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { name } = pair.product
  const api = await signIn('admin')
  await page.goto(`${PRODUCTS}?q=${encodeURIComponent(name)}`)
  await page.getByRole('link', { name: 'Pagos' }).first().click()
  await expect(page.getByRole('heading', { name: 'Gestión de Pagos' })).toBeVisible()
  await page.goBack()
  const form = page.getByRole('dialog', { name: 'Editar Producto' })
  const field = form.getByLabel('Nombre')
  const type = async (text: string) => {
    await page.getByRole('button', { name: /^Editar/ }).click()
    await field.fill(text)
  }
  const goForward = () => page.evaluate(() => history.forward())
  const question = page.getByRole('alertdialog', { name: '¿Descartar los cambios?' })
  const stay = question.getByRole('button', { name: 'Seguir editando' })
  const discard = question.getByRole('button', { name: 'Descartar' })

  await test.step('going forward asks, and so does the browser', async () => {
    await type(`${name} plus`)
    await goForward()
    await stay.click()
    await expect(field).toHaveValue(`${name} plus`)
    await expect(page).toHaveURL(/products/)
    const asked = page.waitForEvent('dialog')
    await page.evaluate(() => void setTimeout(() => location.reload()))
    expect((await asked).type()).toBe('beforeunload')
    await (await asked).dismiss()
    await expect(field).toHaveValue(`${name} plus`)
    await goForward()
    await discard.click()
    await expect(page).toHaveURL('/app/admin/payments')
  })

  await test.step('who saved is asked nothing', async () => {
    await page.goBack()
    await type(`${name} oro`)
    await form.getByRole('button', { name: 'Actualizar' }).click()
    await expect(form).toHaveCount(0)
    await goForward()
    await expect(page).toHaveURL('/app/admin/payments')
  })

  await test.step('going back asks also where it would only close the form, and asks once', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Buscar' }).fill('crear pago')
    await page.getByRole('option', { name: 'Crear pago' }).click()
    const payment = page.getByRole('dialog', { name: 'Crear Pago' })
    const notes = payment.getByLabel('Notas')
    await notes.fill('Folio 7')
    await goBack(page)
    await stay.click()
    await expect(question).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(question).toBeVisible()
    await goBack(page)
    await stay.click()
    await expect(question).toHaveCount(0)
    await expect(notes).toHaveValue('Folio 7')
    await goBack(page)
    await discard.click()
    await expect(payment).toHaveCount(0)
    await expect(page).toHaveURL('/app/admin/payments')
  })

  await test.step('a form that the screen holds, not the address', async () => {
    await page.getByRole('link', { name: 'Productos' }).first().click()
    await page.getByRole('searchbox').fill('nadie')
    await expect(page).toHaveURL(`${PRODUCTS}?q=nadie`)
    await page.getByRole('link', { name: 'Productos' }).first().click()
    await expect(page).toHaveURL(PRODUCTS)
    await page.getByRole('button', { name: 'Nuevo Producto' }).first().click()
    const product = page.getByRole('dialog', { name: 'Nuevo Producto' })
    await product.getByLabel('Nombre').fill('Tarjeta Folio 7')
    await goBack(page)
    await discard.click()
    await expect(product).toHaveCount(0)
    await expect(question).toHaveCount(0)
    await expect(page).toHaveURL(PRODUCTS)
  })

  await test.step('nor is who lost the session', async () => {
    await page.getByRole('searchbox').fill(`${name} oro`)
    await expect(rowsOf(page)).toHaveCount(1)
    await type(name)
    await endSession(db, api)
    await form.getByRole('button', { name: 'Actualizar' }).click()
    await expect(page).toHaveURL('/login')
    await expect(question).toHaveCount(0)
  })
})
