import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { Webhook } from 'standardwebhooks'
import { auth } from '#contract/auth.ts'
import { issuers } from '#contract/issuers.ts'
import { receivers } from '#contract/receivers.ts'
import { tracking } from '#contract/tracking.ts'
import { makeCommission, makeDelivery, makeLead, makePayingStep, makeReceiver, makeStep } from '#db/factories.ts'
import { Api } from './api.ts'
import { expect, forgetProof, PASSWORD, test } from './fixtures.ts'
import {
  callsOf,
  choiceOf,
  choose,
  chooseAction,
  chooseHinted,
  expectNoViolations,
  expectRow,
  expectToast,
  failNext,
} from './screen.ts'
import { readServed } from './server.ts'

/** What comes and goes by itself is asked for every ten seconds, which nobody waits for here. */
const untilAskedAgain = (page: Page, look: () => Promise<void>): Promise<void> =>
  expect(async () => {
    await page.clock.fastForward(10_000)
    await look()
  }).toPass()

/** A system of somebody outside, that answers with the status of the moment. */
async function startSystem() {
  const got: { headers: IncomingHttpHeaders; body: string }[] = []
  const system = { got, status: 200, url: '', close: () => {} }
  const server = createServer(async (request, response) => {
    got.push({ headers: request.headers, body: await text(request) })
    response.writeHead(system.status).end(`estado ${system.status}`)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  system.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/afluente`
  system.close = () => {
    server.closeAllConnections()
    server.close()
  }
  return system
}

test('an affiliate adds a postback, tries it, and reads what was sent and answered', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const asked: string[] = []
  const tracker = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('recibido')
  })
  await once(tracker.listen(0, '127.0.0.1'), 'listening')
  const { port } = tracker.address() as AddressInfo
  await makeLead(db, { ...pair.ids, external_id: 'clic-77' })
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/settings')
  await page.getByRole('link', { name: 'Postbacks' }).click()
  await expect(page.getByText('Todavía no avisas a ninguna dirección')).toBeVisible()
  await page.getByRole('button', { name: 'Nuevo postback' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo postback' })
  await dialog.getByLabel('Nombre').fill('Mi rastreador')
  const address = dialog.getByLabel('Dirección')
  await address.fill('https://10.0.0.1/?s={clic}')
  await address.blur()
  await expect(dialog.getByText('La macro {clic} no existe.')).toBeVisible()
  await address.fill('https://10.0.0.1/?s={external_id}')
  const save = dialog.getByRole('button', { name: 'Crear' })
  await save.click()
  await expect(dialog.getByText('La dirección debe ser https y de un equipo público.')).toBeVisible()
  await address.fill(`http://127.0.0.1:${port}/p?s=e={status}&key=abc`)
  await address.evaluate((area: HTMLTextAreaElement) =>
    area.setSelectionRange(area.value.indexOf('e={'), area.value.indexOf('e={')),
  )
  await chooseHinted(dialog, 'Insertar macro', '{external_id}')
  await page.keyboard.type('&')
  await expect(address).toHaveValue(`http://127.0.0.1:${port}/p?s={external_id}&e={status}&key=abc`)
  await expect(dialog.getByRole('region', { name: 'Vista previa' })).toContainText('/p?s=clic-77&e=')
  await expect(dialog.getByText('Así quedaría con tu lead del')).toBeVisible()
  await expectNoViolations(page)
  const calls = callsOf(page, receivers.create)
  await save.dblclick()
  await expectToast(page, 'Dirección creada exitosamente')
  expect(calls).toHaveLength(1)

  await page.getByRole('button', { name: 'Probar Mi rastreador' }).click()
  const result = page.getByRole('dialog', { name: 'Resultado de la prueba' })
  await expect(result.getByText('Intento 1: Respondió 200')).toBeVisible()
  await expect(result.getByText('recibido')).toBeVisible()
  await expect(result.getByText('key=***')).toBeVisible()
  expect(asked).toEqual(['/p?s=&e=test&key=abc'])
  await expectNoViolations(page)
  await result.getByRole('button', { name: 'Cerrar', exact: true }).click()

  await page.getByRole('button', { name: 'Entregas de Mi rastreador' }).click()
  const log = page.getByRole('dialog', { name: 'Entregas de Mi rastreador' })
  await choose(log, 'Estado', 'Entregada')
  await expect(log.getByRole('cell', { name: 'Prueba' })).toBeVisible()
  await log.getByRole('button', { name: 'Cerrar', exact: true }).click()

  await db
    .updateTable('receiver')
    .set({ state: 'paused', reason: 'failures', paused_at: '2026-11-20T18:00:00Z' })
    .where('affiliate_id', '=', pair.affiliate.id)
    .execute()
  await page.reload()
  await expect(page.getByText('72 horas sin una respuesta correcta')).toBeVisible()
  await page.getByRole('button', { name: 'Reanudar', exact: true }).click()
  await expectToast(page, 'La dirección vuelve a recibir')
  await expect(page.getByText('Activo', { exact: true })).toBeVisible()
  tracker.close()
})

test('an issuer adds a webhook, proves its signature, follows an event to it, and takes it away', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const system = await startSystem()
  await makeCommission(db, pair.ids)
  await makeStep(db, { product_id: pair.product.id })
  await makePayingStep(db, { product_id: pair.product.id })
  const { tracking_id } = await makeLead(db, { ...pair.ids, external_id: 'clic-78' })
  const api = await signIn('issuer', pair.issuer)
  const { api_key: key = '' } = await api.call(issuers.rotateKey, { params: { id: pair.issuer.id } })
  const bank = new Api(readServed().baseURL, { 'x-api-key': key })
  await page.clock.install()
  await page.goto('/app/issuer/settings')
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await expect(page.getByText('Todavía no avisas a ninguna dirección')).toBeVisible()

  await page.getByRole('button', { name: 'Nuevo webhook' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo webhook' })
  const [address, save] = [dialog.getByLabel('Dirección'), dialog.getByRole('button', { name: 'Crear' })]
  await save.click()
  await expect(dialog.getByText('Debe tener al menos 2 caracteres')).toBeVisible()
  await expect(dialog.getByText('La dirección es requerida')).toBeVisible()
  await dialog.getByLabel('Nombre').fill('Banco central')
  await address.fill('https://169.254.169.254/latest')
  await save.click()
  await expect(dialog.getByText('La dirección debe ser https y de un equipo público.')).toBeVisible()
  await address.fill(system.url)
  await choose(dialog, 'Producto', pair.product.name)
  await dialog.getByLabel('Evento de un lead').uncheck()
  await dialog.getByLabel('Pago creado').check()
  await save.click()
  await expect(
    dialog.getByText('Un pago no es de un solo producto: elige todos los productos o marca otro evento'),
  ).toBeVisible()
  await dialog.getByLabel('Pago creado').uncheck()
  await dialog.getByLabel('Evento de un lead').check()
  await dialog.getByRole('group', { name: 'Solo eventos de estos tipos' }).getByLabel('Aprobado').check()
  await expectNoViolations(page)
  await save.dblclick()
  await expectToast(page, 'Dirección creada exitosamente')
  await expectRow(page, { Nombre: 'Banco central', Estado: 'Activo', Pendientes: '0' })
  // By its name alone: the count of what waits is read each ten seconds.
  const row = page.getByRole('row', { name: /Banco central/ })
  await expect(row).toContainText(`Evento de un lead (Aprobado) · ${pair.product.name}`)

  await chooseAction(row, /^Secreto de/)
  const secrets = page.getByRole('dialog', { name: 'Secreto de firma' })
  await expect(secrets.getByText(/^whsec_..•+$/)).toBeVisible()
  await secrets.getByRole('button', { name: 'Mostrar secreto' }).click()
  const shown = secrets.getByText(/^whsec_[\w+/]{43}=$/)
  const first = (await shown.textContent()) ?? ''
  await expectNoViolations(page)
  const opened = page.waitForEvent('popup')
  await secrets.getByRole('link', { name: 'Cómo comprobar la firma y qué responder' }).click()
  const guide = await opened
  await expect(guide.getByRole('heading', { level: 1 })).toHaveText('Postbacks y webhooks')
  await expectNoViolations(guide)
  await guide.getByRole('link', { name: 'nuestros archivos' }).click()
  await expect(guide.getByRole('heading', { name: 'Comprobar un aviso' })).toBeVisible()
  await expectNoViolations(guide)
  await guide.close()
  await secrets.getByRole('button', { name: 'Cerrar', exact: true }).click()

  await page.getByRole('button', { name: 'Probar Banco central' }).click()
  const tried = page.getByRole('dialog', { name: 'Resultado de la prueba' })
  await expect(tried.getByText('Intento 1: Respondió 200')).toBeVisible()
  await expect(tried.getByRole('button', { name: 'Reenviar' })).toHaveCount(0)
  await tried.getByRole('button', { name: 'Cerrar', exact: true }).click()
  const signed = (secret: string, at: number) => {
    const { body = '', headers } = system.got[at] ?? {}
    return new Webhook(secret).verify(body, headers as Record<string, string>)
  }
  expect(signed(first, 0)).toMatchObject({ type: 'test.ping' })

  for (const event_type of ['step_1', 'aprobado'])
    await bank.call(tracking.storeEvent, { body: { tracking_id, event_type } })
  await expect.poll(() => system.got.length).toBe(2)
  expect(signed(first, 1)).toMatchObject({ type: 'lead.event', data: { tracking_id, event_type: 'aprobado' } })
  await page.getByRole('button', { name: 'Entregas de Banco central' }).click()
  const log = page.getByRole('dialog', { name: 'Entregas de Banco central' })
  const sent = await expectRow(log, { Evento: 'Evento de un lead', Estado: 'Entregada', Respuesta: '200' })
  await sent.getByRole('button', { name: /^Ver entrega/ }).click()
  const delivery = page.getByRole('dialog', { name: 'Entrega', exact: true })
  await expect(delivery.getByText('estado 200')).toBeVisible()
  await expect(delivery.getByText(`"tracking_id":"${tracking_id}"`)).toBeVisible()
  await delivery.getByRole('button', { name: 'Reenviar' }).click()
  await expectToast(page, 'La entrega se reenviará en unos segundos')
  await expect.poll(() => system.got.length).toBe(3)
  expect(system.got[2]?.headers['webhook-id']).toBe(system.got[1]?.headers['webhook-id'])
  await delivery.getByRole('button', { name: 'Cerrar', exact: true }).click()
  await log.getByRole('button', { name: 'Cerrar', exact: true }).click()

  await forgetProof(db, (await api.call(auth.profile)).id)
  await chooseAction(row, /^Secreto de/)
  const confirm = page.getByRole('dialog', { name: 'Confirma que eres tú para continuar' })
  await confirm.getByLabel('Tu contraseña').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(confirm).toBeHidden()
  await secrets.getByRole('button', { name: 'Cambiar', exact: true }).click()
  const sure = page.getByRole('alertdialog', { name: 'Cambiar el secreto' })
  await sure.getByRole('button', { name: 'Cambiar', exact: true }).click()
  await expectToast(page, 'Secreto cambiado: durante 24 horas firman los dos')
  await expect(secrets.getByText('El anterior firma también hasta el')).toBeVisible()
  await secrets.getByRole('button', { name: 'Mostrar secreto' }).click()
  await expect(shown).not.toHaveText(first)
  const second = (await shown.textContent()) ?? ''
  await secrets.getByRole('button', { name: 'Cerrar', exact: true }).click()

  // Whoever ends the address answers 410.
  system.status = 410
  const later = await makeLead(db, pair.ids)
  await bank.call(tracking.storeEvent, { body: { tracking_id: later.tracking_id, event_type: 'aprobado' } })
  await expect.poll(() => system.got.length).toBe(4)
  for (const secret of [first, second]) expect(signed(secret, 3)).toMatchObject({ type: 'lead.event' })
  const paused = page.getByRole('region', { name: 'Banco central está en pausa' })
  await page.reload()
  await expect(paused).toContainText('respondió 410 (ya no existe). Espera 1 entrega.')
  await expectNoViolations(page)
  system.status = 200
  await paused.getByRole('button', { name: 'Reanudar' }).click()
  await expectToast(page, 'La dirección vuelve a recibir')
  await expect(paused).toHaveCount(0)
  await expect.poll(() => system.got.length).toBe(5)

  // Work on the system itself: nothing is wrong with it.
  const pauses = callsOf(page, receivers.pause)
  await chooseAction(row, /^Pausar/)
  await expectToast(page, 'La dirección queda en pausa')
  await expect(paused).toContainText(/En pausa por .+ desde el .+, sin que nada fallara\. Lo que pase espera/)
  const meanwhile = await makeLead(db, pair.ids)
  await bank.call(tracking.storeEvent, { body: { tracking_id: meanwhile.tracking_id, event_type: 'aprobado' } })
  await untilAskedAgain(page, () =>
    expect(paused).toContainText('sin que nada fallara. Espera 1 entrega.', { timeout: 1000 }),
  )
  await page.getByRole('button', { name: 'Entregas de Banco central' }).click()
  await expect(log).toContainText('sin que nada fallara. Espera 1 entrega.')
  await log.getByRole('button', { name: 'Reanudar' }).dblclick()
  await expect(log.getByRole('button', { name: 'Pausar' })).toBeFocused()
  await expect.poll(() => system.got.length).toBe(6)
  await log.getByRole('button', { name: 'Pausar' }).click()
  await expect(log).toContainText('sin que nada fallara')
  await expectNoViolations(page)
  await log.getByRole('button', { name: 'Reanudar' }).click()
  await log.getByRole('button', { name: 'Cerrar', exact: true }).click()
  await expect(paused).toHaveCount(0)
  expect(pauses).toHaveLength(2)

  await chooseAction(row, /^Editar/)
  const edit = page.getByRole('dialog', { name: 'Editar Banco central' })
  await expect(choiceOf(edit, 'Producto')).toHaveValue(pair.product.name)
  await expect(edit.getByRole('group', { name: 'Solo eventos de estos tipos' }).getByLabel('Aprobado')).toBeChecked()
  await choose(edit, 'Producto', 'Todos los productos')
  await edit.getByRole('button', { name: 'Guardar' }).click()
  await expectToast(page, 'Dirección actualizada exitosamente')
  await expect(row.getByText('Evento de un lead (Aprobado)', { exact: true })).toBeVisible()
  await chooseAction(row, /^Eliminar/)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click()
  await expectToast(page, 'Dirección eliminada exitosamente')
  await expect(page.getByText('Todavía no avisas a ninguna dirección')).toBeVisible()
  system.close()
})

test('a secret that this server cannot read any more is changed where that is said', async ({
  page,
  signIn,
  db,
  issuer,
}) => {
  const { id } = await makeReceiver(db, { issuer_id: issuer.id, name: 'Banco mudado' })
  await db
    .updateTable('receiver')
    .set({ secret: Buffer.from('ilegible'), kek_id: 'otra' })
    .where('id', '=', id)
    .execute()
  await signIn('issuer', issuer)
  await page.goto('/app/issuer/webhooks')
  await chooseAction(page.getByRole('row', { name: /Banco mudado/ }), /^Secreto de/)
  const dialog = page.getByRole('dialog', { name: 'Secreto de firma' })
  await expect(dialog.getByText('El secreto no se puede leer: cámbialo por otro')).toBeVisible()
  await expectNoViolations(page)
  await dialog.getByRole('button', { name: 'Cambiar' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('el actual deja de firmar')
  await question.getByRole('button', { name: 'Cambiar' }).click()
  await expectToast(page, 'Secreto cambiado: el anterior ya no firma')
  await expect(dialog.getByText(/^whsec_..•+$/)).toBeVisible()
})

test('an edit keeps the words that only a program gives', async ({ page, signIn, db, pair }) => {
  const status_map = JSON.stringify({ aprobado: 'venta', 'payment.paid': 'pagado', 'commission.paid': 'liquidada' })
  const columns = { affiliate_id: pair.affiliate.id, name: 'Mi rastreador', status_map }
  const { id } = await makeReceiver(db, columns)
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/postbacks')
  await chooseAction(page.getByRole('row', { name: /Mi rastreador/ }), /^Editar/)
  const dialog = page.getByRole('dialog', { name: 'Editar Mi rastreador' })
  await dialog.getByRole('button', { name: 'Opciones' }).click()
  await expect(dialog.getByLabel('Aprobado').last()).toHaveValue('venta')
  await dialog.getByRole('button', { name: 'Usar las palabras de Keitaro' }).click()
  await expect(dialog.getByLabel('Aprobado').last()).toHaveValue('sale')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expectToast(page, 'Dirección actualizada exitosamente')
  const saved = await db.selectFrom('receiver').select('status_map').where('id', '=', id).executeTakeFirstOrThrow()
  expect(saved.status_map).toEqual({
    ...{ step_1: 'lead', step_2: 'lead', aprobado: 'sale', rechazado: 'rejected', entregado: 'sale' },
    ...{ 'payment.paid': 'pagado', 'commission.paid': 'liquidada' },
  })
})

test('a delivery that waits is followed in its detail', async ({ page, signIn, db, issuer }) => {
  const paused = { state: 'paused', reason: 'gone', paused_at: '2026-11-20T18:00:00Z' }
  const { id } = await makeReceiver(db, { issuer_id: issuer.id, name: 'Banco lento', ...paused })
  const delivery = await makeDelivery(db, id, { state: 'waiting', settled_at: null })
  await signIn('issuer', issuer)
  await page.clock.install()
  await page.goto('/app/issuer/webhooks')
  await page.getByRole('button', { name: 'Entregas de Banco lento' }).click()
  await page.getByRole('button', { name: `Ver entrega ${delivery.seq}` }).click()
  const detail = page.getByRole('dialog', { name: 'Entrega', exact: true })
  await expect(detail.getByText('Pendiente')).toBeVisible()
  await db
    .updateTable('delivery')
    .set({ state: 'delivered', settled_at: new Date().toISOString() })
    .where('id', '=', delivery.id)
    .execute()
  await untilAskedAgain(page, () => expect(detail.getByText('Entregada')).toBeVisible({ timeout: 1000 }))
})

test("the network's own webhooks: a system that fails is shown, and what it missed is sent again", async ({
  page,
  signIn,
  pair,
}) => {
  const system = await startSystem()
  await signIn('admin')
  await failNext(page, receivers.list)
  await page.goto('/app/admin/webhooks')
  await expect(page.getByText('Error al cargar las direcciones')).toBeVisible()
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await page.getByRole('link', { name: 'Configuración', exact: true }).click()
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('button', { name: 'Nuevo webhook' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo webhook' })
  const name = `Contabilidad ${new URL(system.url).port}`
  await dialog.getByLabel('Nombre').fill(name)
  await dialog.getByLabel('Dirección').fill(system.url)
  // Other stories make events meanwhile.
  await choose(dialog, 'Producto', `${pair.product.name} ${pair.issuer.company_name}`)
  await dialog.getByRole('button', { name: 'Crear' }).click()
  await expectToast(page, 'Dirección creada exitosamente')
  const row = await expectRow(page, { Nombre: name, Estado: 'Activo' })
  await expect(row).toContainText('Evento de un lead')

  system.status = 500
  await page.getByRole('button', { name: `Probar ${name}` }).click()
  const tried = page.getByRole('dialog', { name: 'Resultado de la prueba' })
  await expect(tried.getByText('Intento 1: Respondió 500')).toBeVisible()
  await expect(tried.getByText('estado 500')).toBeVisible()
  await tried.getByRole('button', { name: 'Cerrar', exact: true }).click()
  system.close()
  await page.getByRole('button', { name: `Probar ${name}` }).click()
  await expect(tried.getByText('Intento 1: No se pudo conectar')).toBeVisible()
  await tried.getByRole('button', { name: 'Cerrar', exact: true }).click()
  await chooseAction(row, /^Reenviar fallidas de/)
  await expectToast(page, 'No hay entregas fallidas')
  await page.getByRole('button', { name: `Entregas de ${name}` }).click()
  const log = page.getByRole('dialog', { name: `Entregas de ${name}` })
  await expect(log.getByRole('row')).toHaveCount(3)
  await choose(log, 'Estado', 'Entregada')
  await expect(log.getByText('Ninguna entrega está en ese estado')).toBeVisible()
  await log.getByRole('button', { name: 'Cerrar', exact: true }).click()
  await chooseAction(row, /^Eliminar/)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click()
  await expectToast(page, 'Dirección eliminada exitosamente')
})
