import type { Locator, Page } from '@playwright/test'
import { eventSteps, ORDER_TAKEN } from '#contract/event-steps.ts'
import { products } from '#contract/products.ts'
import { rates } from '#contract/rates.ts'
import type { Db } from '#db/connect.ts'
import { makeDefault, makeIssuer, makePayingStep, makeProduct, makeStep } from '#db/factories.ts'
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
  hold,
  optionsOf,
  success,
} from './screen.ts'

const PATH = '/app/admin/events'
const flowOf = (product: { id: number; issuer_id: number }) =>
  `${PATH}?emisor=${product.issuer_id}&producto=${product.id}`

/** The steps on screen, from the first to the last. */
const expectShown = (page: Page, names: string[]) =>
  expect(
    page
      .getByRole('row')
      .or(page.getByRole('listitem')) // on a phone
      .filter({ has: page.getByRole('button', { name: /Editar/ }) }),
  ).toContainText(names)

/** The flow as the database keeps it. */
const expectStored = (db: Db, product: { id: number }, names: string[]) =>
  expect
    .poll(async () => {
      const flow = db.selectFrom('event_step').where('product_id', '=', product.id).where('archived_at', 'is', null)
      return (await flow.select('name').orderBy('step_order').execute()).map(({ name }) => name)
    })
    .toEqual(names)

const handleOf = (page: Page, step: string) => page.getByRole('button', { name: `Mover ${step}`, exact: true })

async function centreOf(target: Locator) {
  const box = await target.boundingBox()
  if (!box) throw new Error('Nothing is shown to be dragged')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Three steps whose orders have a gap, as after a deletion. */
const makeFlow = async (db: Db, product: { id: number }) => {
  const names = ['Solicitud', 'Aprobación', 'Entrega']
  for (const [index, name] of names.entries())
    await makeStep(db, { product_id: product.id, name, step_order: [1, 2, 5][index], is_payout_event: index === 1 })
}

test('the administrator puts a flow in order with the buttons, the mouse and the keyboard', async ({
  page,
  signIn,
  db,
  pair: { product },
}) => {
  await makeFlow(db, product)
  await signIn('admin')
  await page.goto(flowOf(product))
  expect(await expectHeads(page)).toEqual(['ID', 'Orden', 'Nombre', 'Tipo de Evento', 'Comisión', 'Fecha', 'Acciones'])
  await expect(page.getByText('3 pasos', { exact: true })).toBeVisible()
  await expectRow(page, { Orden: '2', Nombre: 'Aprobación', 'Tipo de Evento': 'step_1', Comisión: 'Sí' })
  await expect(page.getByRole('button', { name: 'Subir Solicitud' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Bajar Entrega' })).toBeDisabled()
  await expectNoViolations(page)

  const answered = await hold(page, eventSteps.reorder)
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Bajar Solicitud' }).dblclick()
  const body = (await sent).postDataJSON()
  expect(body.step_orders.map((step: { new_order: number }) => step.new_order)).toEqual([1, 2])
  await expectShown(page, ['Aprobación', 'Solicitud', 'Entrega'])
  for (const name of ['Subir Solicitud', 'Bajar Solicitud', 'Mover Solicitud']) {
    const control = page.getByRole('button', { name })
    await expect(control).toBeDisabled()
    await expect(control).toHaveAccessibleDescription('Reordenando...')
  }
  answered()
  await expectToast(page, 'Pasos reordenados exitosamente')
  await expectStored(db, product, ['Aprobación', 'Solicitud', 'Entrega'])
  await page.getByRole('button', { name: 'Subir Solicitud' }).click()
  await expectStored(db, product, ['Solicitud', 'Aprobación', 'Entrega'])

  await expect(handleOf(page, 'Entrega')).toBeEnabled()
  const from = await centreOf(handleOf(page, 'Entrega'))
  const to = await centreOf(handleOf(page, 'Solicitud'))
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 5 })
  await expect(handleOf(page, 'Entrega')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(page.getByText('Movimiento cancelado: «Entrega» se queda donde estaba.')).toBeAttached()
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 5 })
  await page.mouse.up()
  await expect(page.getByText('«Entrega» quedó en la posición 1 de 3.')).toBeAttached()
  await expectShown(page, ['Entrega', 'Solicitud', 'Aprobación'])
  await expectStored(db, product, ['Entrega', 'Solicitud', 'Aprobación'])

  await handleOf(page, 'Entrega').press('Space')
  await expect(page.getByText(/^Moviendo «Entrega»: posición 1 de 3\. Flechas para mover/)).toBeAttached()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByText('«Entrega»: posición 2 de 3.')).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(page.getByText(/^Movimiento cancelado/)).toBeAttached()
  await page.keyboard.press('Space')
  await page.keyboard.press('End')
  await page.keyboard.press('Space')
  await expectShown(page, ['Solicitud', 'Aprobación', 'Entrega'])
  await expect(handleOf(page, 'Entrega')).toBeFocused()
  await expectStored(db, product, ['Solicitud', 'Aprobación', 'Entrega'])
})

test('a finger drags a step on a phone, and an order that the server refuses goes back', async ({
  page,
  context,
  signIn,
  db,
  pair: { product },
}) => {
  await makeFlow(db, product)
  await signIn('admin')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(flowOf(product))
  await handleOf(page, 'Aprobación').scrollIntoViewIfNeeded()
  const from = await centreOf(handleOf(page, 'Aprobación'))
  const to = await centreOf(handleOf(page, 'Solicitud'))
  const finger = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', from)
  for (const part of [0.2, 0.5, 1]) await touch('touchMove', { x: to.x, y: from.y + (to.y - from.y) * part })
  await touch('touchEnd')
  await expectShown(page, ['Aprobación', 'Solicitud', 'Entrega'])
  await expectStored(db, product, ['Aprobación', 'Solicitud', 'Entrega'])

  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(handleOf(page, 'Entrega')).toBeEnabled()
  await answerNext(page, eventSteps.reorder, 409, { message: ORDER_TAKEN })
  const answered = await hold(page, eventSteps.reorder)
  await handleOf(page, 'Entrega').press('Space')
  await page.keyboard.press('Home')
  await page.keyboard.press('Space')
  await expectShown(page, ['Entrega', 'Aprobación', 'Solicitud'])
  answered()
  await expectToast(page, ORDER_TAKEN)
  await expectShown(page, ['Aprobación', 'Solicitud', 'Entrega'])
  await expect(page.getByRole('button', { name: 'Subir Entrega' })).toBeEnabled()
  await failNext(page, eventSteps.reorder)
  await page.getByRole('button', { name: 'Subir Entrega' }).click()
  await expectToast(page, 'Error al reordenar los pasos')
  await expectShown(page, ['Aprobación', 'Solicitud', 'Entrega'])
  await expectStored(db, product, ['Aprobación', 'Solicitud', 'Entrega'])
})

test('steps are added, edited, deleted and found', async ({ page, signIn, db, pair: { issuer, product } }) => {
  const other = await makeProduct(db, { issuer_id: issuer.id, name: `Zafiro ${product.id}` })
  await makeStep(db, { product_id: other.id, name: 'Llamada de bienvenida', event_type_id: 3, step_order: 1 })
  await signIn('admin')
  await page.goto(PATH)
  const [firstIssuer] = await optionsOf(page, 'Emisor')
  await expect(choiceOf(page, 'Emisor')).toHaveValue(firstIssuer ?? '')
  await choose(page, 'Emisor', issuer.company_name)
  await expect(choiceOf(page, 'Producto')).toHaveValue(product.name)
  await expect(page.getByText('No hay eventos configurados')).toBeVisible()

  await page.getByRole('button', { name: 'Nuevo Paso' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo Paso' })
  await expect(choiceOf(dialog, 'Producto')).toHaveValue(product.name)
  const create = dialog.getByRole('button', { name: 'Crear', exact: true })
  await create.click()
  await expect(dialog.getByText('Debe seleccionar un tipo de evento')).toBeVisible()
  await expect(dialog.getByText('El nombre debe tener al menos 3 caracteres')).toBeVisible()
  await expectNoViolations(page)
  await choose(dialog, 'Tipo de evento', 'aprobado')
  await dialog.getByLabel('Nombre').fill('Tarjeta aprobada')
  await dialog.getByLabel('Este evento genera comisión').check()
  await failNext(page, eventSteps.create)
  await create.click()
  await expectToast(page, 'Error al crear el paso de evento')
  await create.click()
  await expectToast(page, 'Paso de evento creado exitosamente')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('1 paso', { exact: true })).toBeVisible()
  await expectRow(page, { Orden: '1', Nombre: 'Tarjeta aprobada', 'Tipo de Evento': 'aprobado', Comisión: 'Sí' })
  await expect(handleOf(page, 'Tarjeta aprobada')).toBeHidden()

  await page.getByRole('button', { name: 'Editar Tarjeta aprobada' }).click()
  const edit = page.getByRole('dialog', { name: 'Editar Paso' })
  await expect(choiceOf(edit, 'Producto')).toHaveValue(product.name)
  for (const fixed of ['Emisor', 'Producto']) await expect(choiceOf(edit, fixed)).toBeDisabled()
  await expect(edit.getByLabel('Este evento genera comisión')).toBeChecked()
  await edit.getByLabel('Nombre').fill('Tarjeta entregada')
  await edit.getByLabel('Este evento genera comisión').uncheck()
  await failNext(page, eventSteps.update)
  await edit.getByRole('button', { name: 'Actualizar' }).click()
  await expectToast(page, 'Error al actualizar el paso de evento')
  await edit.getByRole('button', { name: 'Actualizar' }).click()
  await expectToast(page, 'Paso actualizado exitosamente')
  await expectRow(page, { Orden: '1', Nombre: 'Tarjeta entregada', Comisión: 'No' })

  await choose(page, 'Producto', 'Todos los productos')
  await expectShown(page, ['Tarjeta entregada', 'Llamada de bienvenida'])
  await expect(page.getByRole('button', { name: /^Mover/ })).toHaveCount(0)
  for (const text of ['bienvenida', 'zafiro', 'aprobado']) {
    await page.getByRole('searchbox').fill(`${text} ${issuer.company_name}`)
    await expect(page.getByRole('cell', { name: 'Llamada de bienvenida', exact: true })).toBeVisible()
  }
  await page.getByRole('searchbox').fill('zzzz')
  await expect(page.getByText('No se encontraron eventos que coincidan con la búsqueda')).toBeVisible()
  await page.getByRole('searchbox').fill('')

  const remove = async () => {
    await page.getByRole('button', { name: 'Más acciones de Tarjeta entregada' }).click()
    await page.getByRole('menuitem', { name: 'Eliminar Tarjeta entregada' }).click()
  }
  await remove()
  const question = page.getByRole('alertdialog', { name: 'Estás seguro?' })
  await question.getByRole('button', { name: 'Cancelar' }).click()
  await expect(question).toBeHidden()
  await remove()
  await failNext(page, eventSteps.remove)
  await question.getByRole('button', { name: 'Eliminar' }).click()
  await expectToast(page, 'Error al eliminar el paso de evento')
  await question.getByRole('button', { name: 'Eliminar' }).click()
  await expectToast(page, 'Paso eliminado del flujo')
  await expectShown(page, ['Llamada de bienvenida'])
})

test('the issuer on the screen is named in the dialog though it is inactive', async ({ page, signIn, db }) => {
  const issuer = await makeIssuer(db, { user_status: 'inactive' })
  const product = await makeProduct(db, { issuer_id: issuer.id })
  await signIn('admin')
  await page.goto(flowOf(product))
  await page.getByRole('button', { name: 'Nuevo Paso' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo Paso' })
  await expect(choiceOf(dialog, 'Producto')).toHaveValue(product.name)
  await expect(choiceOf(dialog, 'Emisor')).toHaveValue(issuer.company_name)
})

test('a new step goes to a product of the issuer that is chosen', async ({ page, signIn, db, pair }) => {
  const other = await makeIssuer(db)
  const product = await makeProduct(db, { issuer_id: other.id })
  await signIn('admin')
  await page.goto(flowOf(pair.product))
  await page.getByRole('button', { name: 'Nuevo Paso' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo Paso' })
  await choose(dialog, 'Emisor', other.company_name)
  await expect(choiceOf(dialog, 'Producto')).toHaveValue('')
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  await expect(dialog.getByText('Debe seleccionar un producto')).toBeVisible()
  expect(await optionsOf(dialog, 'Producto')).toEqual([product.name])
})

test('what is typed into a choice stays while its options and their default arrive', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const name = pair.issuer.company_name
  const byDefault = await makeIssuer(db, { company_name: `Abanico ${name}` })
  await makeProduct(db, { issuer_id: byDefault.id })
  await signIn('admin')
  const release = await hold(page, products.list)
  await page.goto(PATH)
  const choice = page.getByRole('combobox', { name: 'Emisor' })
  await choice.fill(name)
  await expect(page.getByText('Sin resultados')).toBeVisible()
  release()
  const option = page.getByRole('option', { name, exact: true })
  await expect(option).toBeVisible()
  await expect(choice).toHaveValue(name)
  await option.click()
  await expect(page).toHaveURL(new RegExp(`emisor=${pair.issuer.id}\\b`))
  await expect(choice).toHaveValue(name)
})

test('who removes a step reads which amounts of its own end with it', async ({ page, signIn, db, pair }) => {
  const [own, plain] = [
    await makePayingStep(db, { product_id: pair.product.id, name: 'Con monto propio' }),
    await makePayingStep(db, { product_id: pair.product.id, name: 'Sin monto propio' }),
  ]
  await makeDefault(db, { product_id: pair.product.id, event_step_id: own.id }, '350.00')
  await signIn('admin')
  await failNext(page, rates.inForce)
  const release = await hold(page, rates.inForce)
  await page.goto(PATH)
  await choose(page, 'Emisor', pair.issuer.company_name)
  const question = page.getByRole('alertdialog', { name: 'Estás seguro?' })
  const ask = async ({ name }: { name: string }) => {
    await page.getByRole('button', { name: `Más acciones de ${name}` }).click()
    await page.getByRole('menuitem', { name: `Eliminar ${name}` }).click()
  }
  await ask(plain)
  await expect(question).toContainText('Se quitará el paso Sin monto propio')
  await expect(question).toContainText('Consultando si tiene montos propios...')
  release()
  await expect(question).toContainText('No se pudo consultar si tiene montos propios. Si los tiene, terminan con él.')
  await question.getByRole('button', { name: 'Cancelar' }).click()
  await ask(plain)
  await expect(question).toContainText('Se quitará el paso Sin monto propio')
  await expect(question).not.toContainText('montos propios')
  await expect(question).not.toContainText('monto propio:')
  await question.getByRole('button', { name: 'Cancelar' }).click()
  await ask(own)
  await expect(question).toContainText('Con él termina su monto propio: $350.00 de la tarifa general.')
  await expectNoViolations(page)
  await question.getByRole('button', { name: 'Eliminar' }).click()
  await expectToast(page, 'Paso eliminado del flujo')
})

test('the screen of events fails, recovers, and shows a type that it does not know', async ({
  page,
  signIn,
  db,
  pair: { product },
}) => {
  const step = await makeStep(db, { product_id: product.id, step_order: 1 })
  const api = await signIn('admin')
  await failNext(page, eventSteps.list)
  await page.goto(flowOf(product))
  await expect(page.getByText('Cargando eventos...')).toBeVisible()
  await expect(page.getByText('Error al cargar los eventos')).toBeVisible()
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await expectRow(page, { Nombre: step.name, 'Tipo de Evento': 'step_1' })

  // Without the products there is no flow to show, which is not the same as an empty one.
  await failNext(page, products.list)
  const [row] = await api.call(eventSteps.list, { query: { product_id: product.id } })
  await answerNext(page, eventSteps.list, 200, success([{ ...row, event_type_id: 99 }]))
  await page.reload()
  await expect(page.getByText('Error al cargar los eventos')).toBeVisible()
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await expectRow(page, { Nombre: step.name, 'Tipo de Evento': 'Tipo desconocido' })
})
