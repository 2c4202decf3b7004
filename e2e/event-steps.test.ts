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

test('the administrator puts a flow in order with buttons, mouse, keys and a finger; what is refused goes back', async ({
  page,
  context,
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

  await test.step('with the buttons, one at a time', async () => {
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
  })

  await test.step('with the mouse, unless Escape is pressed', async () => {
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
  })

  await test.step('with the keyboard, which keeps its place', async () => {
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

  await test.step('with a finger on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
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
  })

  await test.step('an order that the server refuses goes back', async () => {
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
})

test('the administrator adds steps to a flow, changes them and takes them out', async ({ page, signIn, db, pair }) => {
  const { issuer, product } = pair
  const other = await makeProduct(db, { issuer_id: issuer.id, name: `Zafiro ${product.id}` })
  await makeStep(db, { product_id: other.id, name: 'Llamada de bienvenida', event_type_id: 3, step_order: 1 })
  const own = await makePayingStep(db, { product_id: other.id, name: 'Con monto propio', step_order: 2 })
  await makeDefault(db, { product_id: other.id, event_step_id: own.id }, '350.00')
  const inactive = await makeIssuer(db, { user_status: 'inactive' })
  const ofInactive = await makeProduct(db, { issuer_id: inactive.id })
  const byDefault = await makeIssuer(db, { company_name: `Abanico ${issuer.company_name}` })
  await makeProduct(db, { issuer_id: byDefault.id })
  const api = await signIn('admin')
  const [row] = await api.call(eventSteps.list, { query: { product_id: other.id } })
  await answerNext(page, eventSteps.list, 200, success([{ ...row, event_type_id: 99 }]))
  await failNext(page, products.list)
  await page.goto(PATH)
  const choice = choiceOf(page, 'Emisor').first()
  const search = page.getByRole('searchbox')
  const open = page.getByRole('button', { name: 'Nuevo Paso' }).first()
  const dialog = page.getByRole('dialog', { name: 'Nuevo Paso' })
  const create = dialog.getByRole('button', { name: 'Crear', exact: true })
  const question = page.getByRole('alertdialog', { name: 'Estás seguro?' })
  const remove = async (name: string) => {
    await page.getByRole('button', { name: `Más acciones de ${name}` }).click()
    await page.getByRole('menuitem', { name: `Eliminar ${name}` }).click()
  }

  await test.step('without the products there is no flow, which is not the same as an empty one', async () => {
    await expect(page.getByText('Error al cargar los eventos')).toBeVisible()
  })

  await test.step('what is typed into a choice stays while its options and their default arrive', async () => {
    const release = await hold(page, products.list)
    await page.getByRole('button', { name: 'Reintentar' }).click()
    await choice.fill(issuer.company_name)
    await expect(page.getByText('Sin resultados')).toBeVisible()
    release()
    const option = page.getByRole('option', { name: issuer.company_name, exact: true })
    await expect(option).toBeVisible()
    await expect(choice).toHaveValue(issuer.company_name)
    await option.click()
    await expect(page).toHaveURL(new RegExp(`emisor=${issuer.id}\\b`))
    await expect(choice).toHaveValue(issuer.company_name)
    await expect(choiceOf(page, 'Producto')).toHaveValue(product.name)
    await expect(page.getByText('No hay eventos configurados')).toBeVisible()
  })

  await test.step('a type that is not known is said to be that', async () => {
    await choose(page, 'Producto', other.name)
    await expectRow(page, { Nombre: 'Llamada de bienvenida', 'Tipo de Evento': 'Tipo desconocido' })
    await choose(page, 'Producto', product.name)
  })

  await test.step('a new step goes to a product of the issuer that is chosen, though that is inactive', async () => {
    await choose(page, 'Emisor', inactive.company_name)
    await expect(choiceOf(page, 'Producto')).toHaveValue(ofInactive.name)
    await open.click()
    await expect(choiceOf(dialog, 'Producto')).toHaveValue(ofInactive.name)
    await expect(choiceOf(dialog, 'Emisor')).toHaveValue(inactive.company_name)
    await choose(dialog, 'Emisor', issuer.company_name)
    await expect(choiceOf(dialog, 'Producto')).toHaveValue('')
    await create.click()
    for (const text of [
      'Debe seleccionar un producto',
      'Debe seleccionar un tipo de evento',
      'El nombre debe tener al menos 3 caracteres',
    ])
      await expect(dialog.getByText(text)).toBeVisible()
    expect(await optionsOf(dialog, 'Producto')).toEqual([product.name, other.name])
  })

  await test.step('it is added', async () => {
    await choose(dialog, 'Producto', product.name)
    await choose(dialog, 'Tipo de evento', 'aprobado')
    await dialog.getByLabel('Nombre').fill('Tarjeta aprobada')
    await dialog.getByLabel('Este evento genera comisión').check()
    await failNext(page, eventSteps.create)
    await create.click()
    await expectToast(page, 'Error al crear el paso de evento')
    await create.click()
    await expectToast(page, 'Paso de evento creado exitosamente')
    await expect(dialog).toBeHidden()
    await choose(page, 'Emisor', issuer.company_name)
    await expect(page.getByText('1 paso', { exact: true })).toBeVisible()
    await expectRow(page, { Orden: '1', Nombre: 'Tarjeta aprobada', 'Tipo de Evento': 'aprobado', Comisión: 'Sí' })
    await expect(handleOf(page, 'Tarjeta aprobada')).toBeHidden()
  })

  await test.step('it is changed, but not whose it is', async () => {
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
  })

  await test.step('of all products of the issuer they are found, and not moved', async () => {
    await choose(page, 'Producto', 'Todos los productos')
    await expectShown(page, ['Tarjeta entregada', 'Llamada de bienvenida', 'Con monto propio'])
    await expect(page.getByRole('button', { name: /^Mover/ })).toHaveCount(0)
    for (const text of ['bienvenida', 'zafiro', 'aprobado']) {
      await search.fill(`${text} ${issuer.company_name}`)
      await expect(page.getByRole('cell', { name: 'Llamada de bienvenida', exact: true })).toBeVisible()
    }
    await search.fill('zzzz')
    await expect(page.getByText('No se encontraron eventos que coincidan con la búsqueda')).toBeVisible()
    await search.fill('')
  })

  await test.step('it is taken out after a question, which is asked also when it is not known what ends with it', async () => {
    await failNext(page, rates.inForce)
    const release = await hold(page, rates.inForce)
    await remove('Tarjeta entregada')
    await expect(question).toContainText('Se quitará el paso Tarjeta entregada')
    await expect(question).toContainText('Consultando si tiene montos propios...')
    release()
    await expect(question).toContainText('No se pudo consultar si tiene montos propios. Si los tiene, terminan con él.')
    await question.getByRole('button', { name: 'Cancelar' }).click()
    await expect(question).toBeHidden()
    await remove('Tarjeta entregada')
    await expect(question).toContainText('Se quitará el paso Tarjeta entregada')
    await expect(question).not.toContainText('montos propios')
    await expect(question).not.toContainText('monto propio:')
    await failNext(page, eventSteps.remove)
    await question.getByRole('button', { name: 'Eliminar' }).click()
    await expectToast(page, 'Error al eliminar el paso de evento')
    await question.getByRole('button', { name: 'Eliminar' }).click()
    await expectToast(page, 'Paso eliminado del flujo')
    await expectShown(page, ['Llamada de bienvenida', 'Con monto propio'])
  })

  await test.step('with one that has amounts of its own, they end', async () => {
    await remove('Con monto propio')
    await expect(question).toContainText('Con él termina su monto propio: $350.00 de la tarifa general.')
    await question.getByRole('button', { name: 'Eliminar' }).click()
    await expect(question).toBeHidden()
    await expectShown(page, ['Llamada de bienvenida'])
  })
})
