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
import { makeCommission, makeLead, makePayingStep, makeReceiver, makeStep } from '#db/factories.ts'
import { Api } from './api.ts'
import { become, expect, forgetProof, PASSWORD, test } from './fixtures.ts'
import { callsOf, choiceOf, choose, chooseAction, chooseHinted, expectRow, expectToast } from './screen.ts'
import { readServed } from './server.ts'

/** What comes and goes by itself is asked for every ten seconds, which nobody waits for here. */
const untilAskedAgain = (page: Page, look: () => Promise<void>): Promise<void> =>
  expect(async () => {
    await page.clock.fastForward(10_000)
    await look()
  }).toPass()

/** A system of somebody outside, that answers with the status of the moment. */
async function startSystem() {
  const got: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = []
  const system = { got, status: 200, url: '', close: () => {} }
  const server = createServer(async (request, response) => {
    got.push({ url: request.url, headers: request.headers, body: await text(request) })
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

const close = (dialog: ReturnType<Page['getByRole']>) =>
  dialog.getByRole('button', { name: 'Cerrar', exact: true }).click()

test('an affiliate adds a postback, tries it, reads what was answered, and changes its words', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const tracker = await startSystem()
  await makeLead(db, { ...pair.ids, external_id: 'clic-77' })
  await signIn('affiliate', pair.affiliate)
  await page.goto('/app/affiliate/settings')
  await page.getByRole('link', { name: 'Postbacks' }).click()
  await expect(page.getByText('Todavía no avisas a ninguna dirección')).toBeVisible()

  await test.step('macros are typed into the address where it was left, and shown as the last lead fills them', async () => {
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
    await address.fill(`${tracker.url}?s=e={status}&key=abc`)
    await address.evaluate((area: HTMLTextAreaElement) =>
      area.setSelectionRange(area.value.indexOf('e={'), area.value.indexOf('e={')),
    )
    await chooseHinted(dialog, 'Insertar macro', '{external_id}')
    await page.keyboard.type('&')
    await expect(address).toHaveValue(`${tracker.url}?s={external_id}&e={status}&key=abc`)
    await expect(dialog.getByRole('region', { name: 'Vista previa' })).toContainText('/afluente?s=clic-77&e=')
    await expect(dialog.getByText('Así quedaría con tu lead del')).toBeVisible()
    await save.click()
    await expectToast(page, 'Dirección creada exitosamente')
  })

  await test.step('a test says what was sent, without its token, and what was answered', async () => {
    await page.getByRole('button', { name: 'Probar Mi rastreador' }).click()
    const result = page.getByRole('dialog', { name: 'Resultado de la prueba' })
    await expect(result.getByText('Intento 1: Respondió 200')).toBeVisible()
    await expect(result.getByText('estado 200')).toBeVisible()
    await expect(result.getByText('key=***')).toBeVisible()
    expect(tracker.got.map(({ url }) => url)).toEqual(['/afluente?s=&e=test&key=abc'])
    await close(result)
  })

  await test.step('one that was paused for its failures says so, and goes on', async () => {
    const words = { aprobado: 'venta', 'payment.paid': 'pagado', 'commission.paid': 'liquidada' }
    const columns = { reason: 'failures', paused_at: '2026-11-20T18:00:00Z', status_map: JSON.stringify(words) }
    await db
      .updateTable('receiver')
      .set({ state: 'paused', ...columns })
      .where('affiliate_id', '=', pair.affiliate.id)
      .execute()
    await page.reload()
    await expect(page.getByText('72 horas sin una respuesta correcta')).toBeVisible()
    await page.getByRole('button', { name: 'Reanudar', exact: true }).click()
    await expectToast(page, 'La dirección vuelve a recibir')
    await expect(page.getByText('Activo', { exact: true })).toBeVisible()
  })

  await test.step('an edit keeps the words that only a program gives', async () => {
    await chooseAction(page.getByRole('row', { name: /Mi rastreador/ }), /^Editar/)
    const dialog = page.getByRole('dialog', { name: 'Editar Mi rastreador' })
    await dialog.getByRole('button', { name: 'Opciones' }).click()
    await expect(dialog.getByLabel('Aprobado').last()).toHaveValue('venta')
    await dialog.getByRole('button', { name: 'Usar las palabras de Keitaro' }).click()
    await expect(dialog.getByLabel('Aprobado').last()).toHaveValue('sale')
    await dialog.getByRole('button', { name: 'Guardar' }).click()
    await expectToast(page, 'Dirección actualizada exitosamente')
    const own = db.selectFrom('receiver').select('status_map').where('affiliate_id', '=', pair.affiliate.id)
    expect((await own.executeTakeFirstOrThrow()).status_map).toEqual({
      ...{ step_1: 'lead', step_2: 'lead', aprobado: 'sale', rechazado: 'rejected', entregado: 'sale' },
      ...{ 'payment.paid': 'pagado', 'commission.paid': 'liquidada' },
    })
  })
  tracker.close()
})

test('an issuer adds a webhook, proves its signature, follows events to it, pauses it, and takes it away', async ({
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
  const later = [await makeLead(db, pair.ids), await makeLead(db, pair.ids)]
  const api = await signIn('issuer', pair.issuer)
  const { api_key: key = '' } = await api.call(issuers.rotateKey, { params: { id: pair.issuer.id } })
  const bank = new Api(readServed().baseURL, { 'x-api-key': key })
  const report = (lead: { tracking_id: string } | undefined, event_type: string) =>
    bank.call(tracking.storeEvent, { body: { tracking_id: lead?.tracking_id, event_type } })
  const sent = (count: number) => expect.poll(() => system.got.length).toBe(count)
  const signed = (secret: string, at: number) => {
    const { body = '', headers } = system.got[at] ?? {}
    return new Webhook(secret).verify(body, headers as Record<string, string>)
  }
  await page.clock.install()
  await page.goto('/app/issuer/settings')
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await expect(page.getByText('Todavía no avisas a ninguna dirección')).toBeVisible()
  // By its name alone: the count of what waits is read each ten seconds.
  const row = page.getByRole('row', { name: /Banco central/ })
  const secrets = page.getByRole('dialog', { name: 'Secreto de firma' })
  const shown = secrets.getByText(/^whsec_[\w+/]{43}=$/)
  const show = async () => {
    await secrets.getByRole('button', { name: 'Mostrar secreto' }).click()
    return (await shown.textContent()) ?? ''
  }
  const openLog = () => page.getByRole('button', { name: 'Entregas de Banco central' }).click()
  const log = page.getByRole('dialog', { name: 'Entregas de Banco central' })
  const delivery = page.getByRole('dialog', { name: 'Entrega', exact: true })
  const paused = page.getByRole('region', { name: 'Banco central está en pausa' })

  await test.step('what it is told of is narrowed to a product and to steps', async () => {
    await page.getByRole('button', { name: 'Nuevo webhook' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Nuevo webhook' })
    const save = dialog.getByRole('button', { name: 'Crear' })
    await save.click()
    await expect(dialog.getByText('Debe tener al menos 2 caracteres')).toBeVisible()
    await expect(dialog.getByText('La dirección es requerida')).toBeVisible()
    await dialog.getByLabel('Nombre').fill('Banco central')
    await dialog.getByLabel('Dirección').fill(system.url)
    await choose(dialog, 'Producto', pair.product.name)
    await dialog.getByLabel('Evento de un lead').uncheck()
    await dialog.getByLabel('Pago creado').check()
    await save.click()
    const ofProducts = 'Un pago no es de un solo producto: elige todos los productos o marca otro evento'
    await expect(dialog.getByText(ofProducts)).toBeVisible()
    await dialog.getByLabel('Pago creado').uncheck()
    await dialog.getByLabel('Evento de un lead').check()
    await dialog.getByRole('group', { name: 'Solo eventos de estos tipos' }).getByLabel('Aprobado').check()
    await save.dblclick()
    await expectToast(page, 'Dirección creada exitosamente')
    await expectRow(page, { Nombre: 'Banco central', Estado: 'Activo', Pendientes: '0' })
    await expect(row).toContainText(`Evento de un lead (Aprobado) · ${pair.product.name}`)
  })

  const first = await test.step('its secret is shown, with the guide to it', async () => {
    await chooseAction(row, /^Secreto de/)
    await expect(secrets.getByText(/^whsec_..•+$/)).toBeVisible()
    const secret = await show()
    const opened = page.waitForEvent('popup')
    await secrets.getByRole('link', { name: 'Cómo comprobar la firma y qué responder' }).click()
    const guide = await opened
    await expect(guide.getByRole('heading', { level: 1 })).toHaveText('Postbacks y webhooks')
    await guide.getByRole('link', { name: 'nuestros archivos' }).click()
    await expect(guide.getByRole('heading', { name: 'Comprobar un aviso' })).toBeVisible()
    await guide.close()
    await close(secrets)
    return secret
  })

  await test.step('a test is signed, and is not sent again', async () => {
    await page.getByRole('button', { name: 'Probar Banco central' }).click()
    const tried = page.getByRole('dialog', { name: 'Resultado de la prueba' })
    await expect(tried.getByText('Intento 1: Respondió 200')).toBeVisible()
    await expect(tried.getByRole('button', { name: 'Reenviar' })).toHaveCount(0)
    await close(tried)
    expect(signed(first, 0)).toMatchObject({ type: 'test.ping' })
  })

  await test.step('an event is followed to it, and sent again under its id', async () => {
    for (const event_type of ['step_1', 'aprobado']) await report({ tracking_id }, event_type)
    await sent(2)
    expect(signed(first, 1)).toMatchObject({ type: 'lead.event', data: { tracking_id, event_type: 'aprobado' } })
    await openLog()
    const line = await expectRow(log, { Evento: 'Evento de un lead', Estado: 'Entregada', Respuesta: '200' })
    await line.getByRole('button', { name: /^Ver entrega/ }).click()
    await expect(delivery.getByText('estado 200')).toBeVisible()
    await expect(delivery.getByText(`"tracking_id":"${tracking_id}"`)).toBeVisible()
    await delivery.getByRole('button', { name: 'Reenviar' }).click()
    await expectToast(page, 'La entrega se reenviará en unos segundos')
    await sent(3)
    expect(system.got[2]?.headers['webhook-id']).toBe(system.got[1]?.headers['webhook-id'])
    await close(delivery)
    await close(log)
  })

  const second = await test.step('another secret takes a confirmation, and the one before signs too', async () => {
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
    const secret = (await shown.textContent()) ?? ''
    await close(secrets)
    return secret
  })

  await test.step('whoever ends the address answers 410, which pauses it', async () => {
    system.status = 410
    await report(later[0], 'aprobado')
    await sent(4)
    for (const secret of [first, second]) expect(signed(secret, 3)).toMatchObject({ type: 'lead.event' })
    await untilAskedAgain(page, () =>
      expect(paused).toContainText('respondió 410 (ya no existe). Espera 1 entrega.', { timeout: 1000 }),
    )
    system.status = 200
    await paused.getByRole('button', { name: 'Reanudar' }).click()
    await expectToast(page, 'La dirección vuelve a recibir')
    await expect(paused).toHaveCount(0)
    await sent(5)
  })

  await test.step('it is paused for work on the system itself, and what waits is followed until it is sent', async () => {
    const pauses = callsOf(page, receivers.pause)
    await chooseAction(row, /^Pausar/)
    await expectToast(page, 'La dirección queda en pausa')
    await expect(paused).toContainText(/En pausa por .+ desde el .+, sin que nada fallara\. Lo que pase espera/)
    await report(later[1], 'aprobado')
    await untilAskedAgain(page, () =>
      expect(paused).toContainText('sin que nada fallara. Espera 1 entrega.', { timeout: 1000 }),
    )
    await openLog()
    await expect(log).toContainText('sin que nada fallara. Espera 1 entrega.')
    const line = await expectRow(log, { Evento: 'Evento de un lead', Estado: 'Pendiente' })
    await line.getByRole('button', { name: /^Ver entrega/ }).click()
    await expect(delivery.getByText('Pendiente')).toBeVisible()
    const [receiver] = await api.call(receivers.list)
    await api.call(receivers.resume, { params: { id: receiver?.id ?? 0 } })
    await sent(6)
    await untilAskedAgain(page, () => expect(delivery.getByText('Entregada')).toBeVisible({ timeout: 1000 }))
    await close(delivery)
    await log.getByRole('button', { name: 'Pausar' }).click()
    await expect(log).toContainText('sin que nada fallara')
    await log.getByRole('button', { name: 'Reanudar' }).dblclick()
    await expect(log.getByRole('button', { name: 'Pausar' })).toBeFocused()
    await close(log)
    await expect(paused).toHaveCount(0)
    expect(pauses).toHaveLength(2)
  })

  await test.step('who operates reads the secret, and changes all but that', async () => {
    await become('operator', db, api)
    await page.reload()
    await chooseAction(row, /^Secreto de/)
    await expect(secrets.getByText(/^whsec_..•+$/)).toBeVisible()
    const change = secrets.getByRole('button', { name: 'Cambiar', exact: true })
    await expect(change).toBeDisabled()
    await expect(change).toHaveAccessibleDescription('Tu perfil no incluye esta acción')
    await close(secrets)
  })

  await test.step('it is changed, and taken away', async () => {
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
  })
  system.close()
})

test("the network's own webhooks: a lost secret is changed where that is said, and a system that fails is shown", async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const system = await startSystem()
  const name = `Contabilidad ${new URL(system.url).port}`
  // Of one product, since other stories make events meanwhile.
  const columns = { name: `${name} mudada`, product_id: pair.product.id, secret: Buffer.from('x'), kek_id: 'otra' }
  const moved = await makeReceiver(db, columns)
  await signIn('admin')
  await page.goto('/app/admin/settings')
  await page.getByRole('link', { name: 'Webhooks' }).click()

  await test.step('a secret that this server cannot read any more', async () => {
    await chooseAction(page.getByRole('row', { name: moved.name }), /^Secreto de/)
    const dialog = page.getByRole('dialog', { name: 'Secreto de firma' })
    await expect(dialog.getByText('El secreto no se puede leer: cámbialo por otro')).toBeVisible()
    await dialog.getByRole('button', { name: 'Cambiar' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('el actual deja de firmar')
    await question.getByRole('button', { name: 'Cambiar' }).click()
    await expectToast(page, 'Secreto cambiado: el anterior ya no firma')
    await expect(dialog.getByText(/^whsec_..•+$/)).toBeVisible()
    await close(dialog)
  })

  const row = await test.step('one of a product of some issuer', async () => {
    await page.getByRole('button', { name: 'Nuevo webhook' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Nuevo webhook' })
    await dialog.getByLabel('Nombre').fill(name)
    await dialog.getByLabel('Dirección').fill(system.url)
    await choose(dialog, 'Producto', `${pair.product.name} ${pair.issuer.company_name}`)
    await dialog.getByRole('button', { name: 'Crear' }).click()
    await expectToast(page, 'Dirección creada exitosamente')
    return expectRow(page, { Nombre: new RegExp(`^${name}$`), Estado: 'Activo' })
  })
  await expect(row).toContainText('Evento de un lead')

  await test.step('what it answers, and that it does not, is read in the test and in the log', async () => {
    const probe = page.getByRole('button', { name: `Probar ${name}`, exact: true })
    const tried = page.getByRole('dialog', { name: 'Resultado de la prueba' })
    system.status = 500
    await probe.click()
    await expect(tried.getByText('Intento 1: Respondió 500')).toBeVisible()
    await expect(tried.getByText('estado 500')).toBeVisible()
    await close(tried)
    system.close()
    await probe.click()
    await expect(tried.getByText('Intento 1: No se pudo conectar')).toBeVisible()
    await close(tried)
    await chooseAction(row, /^Reenviar fallidas de/)
    await expectToast(page, 'No hay entregas fallidas')
    await page.getByRole('button', { name: `Entregas de ${name}`, exact: true }).click()
    const log = page.getByRole('dialog', { name: `Entregas de ${name}` })
    await expect(log.getByRole('cell', { name: 'Prueba' })).toHaveCount(2)
    await choose(log, 'Estado', 'Entregada')
    await expect(log.getByText('Ninguna entrega está en ese estado')).toBeVisible()
    await close(log)
  })

  await chooseAction(row, /^Eliminar/)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click()
  await expectToast(page, 'Dirección eliminada exitosamente')
  await db.deleteFrom('receiver').where('id', '=', moved.id).execute()
})
