import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { testTrackingId } from '#contract/integration.ts'
import { issuers } from '#contract/issuers.ts'
import { tracking } from '#contract/tracking.ts'
import { makeCommission, makeLead, makePayingStep, makeStep } from '#db/factories.ts'
import { Api } from './api.ts'
import { factOf } from './facts.ts'
import { expect, test } from './fixtures.ts'
import { choose, expectRow, expectToast } from './screen.ts'
import { readServed } from './server.ts'

const run = promisify(execFile)

/** Node is the only tool that every machine with these tests has. */
const has = (...tools: string[]): Promise<boolean> =>
  Promise.all(tools.map((tool) => run('sh', ['-c', `command -v ${tool}`]))).then(
    () => true,
    () => false,
  )

/** What the button puts on the clipboard, whatever stood there before. */
async function copied(page: Page, label: string): Promise<string> {
  const read = () => page.evaluate(() => navigator.clipboard.readText())
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await page.getByRole('button', { name: `Copiar ${label}` }).click()
  await expect.poll(read).not.toBe('')
  await expect(page.getByRole('status').getByText('Copiado', { exact: true }).last()).toBeVisible()
  return read()
}

test('an engineer copies a request, runs it as it is, reads what became of each, and has unsigned ones refused', async ({
  page,
  context,
  signIn,
  db,
  pair,
}, testInfo) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await makeStep(db, { product_id: pair.product.id, name: 'Solicitud', step_order: 1 })
  const step = await makePayingStep(db, { product_id: pair.product.id, name: 'Tarjeta aprobada', step_order: 2 })
  await makeCommission(db, { ...pair.ids, payout: '750.00' })
  const lead = await makeLead(db, { ...pair.ids, external_id: 'visita-9' })
  const api = await signIn('issuer', pair.issuer)
  const { api_key: key = '' } = await api.call(issuers.rotateKey, { params: { id: pair.issuer.id } })
  const bank = new Api(readServed().baseURL, { 'x-api-key': key })
  const event = { tracking_id: lead.tracking_id, step_id: step.id, event_id: 'alta-1' }
  const signature = factOf(page, 'Firma de los eventos')
  const demand = page.getByRole('button', { name: 'Exigir la firma' })
  const refresh = () => page.getByRole('button', { name: 'Actualizar' }).click()
  await page.goto('/app/issuer/settings')
  await page.getByRole('link', { name: 'Integración' }).click()

  await test.step('a secret for signatures is made, before which they cannot be required', async () => {
    await expect(page.getByText('Todavía no ha llegado ningún postback')).toBeVisible()
    await expect(signature).toContainText('Opcional')
    await expect(demand).toHaveAccessibleDescription('Crea primero el secreto de firma')
    await page.getByRole('button', { name: 'Crear secreto de firma' }).click()
    const question = page.getByRole('alertdialog', { name: 'Crear el secreto de firma' })
    await expect(question).toContainText('24 horas más')
    await question.getByRole('button', { name: 'Crear' }).click()
    await expectToast(page, 'Secreto de firma actualizado exitosamente')
    await expect(page.getByText(/La firma con la API key se acepta hasta/)).toBeVisible()
  })

  await test.step('the code of a step holds no key before it is shown, and then runs as it is', async () => {
    await choose(page, 'Paso', '2. Tarjeta aprobada')
    await expect(page).toHaveURL(new RegExp(`paso=${step.id}`))
    const { signing_secret: secret = '-' } = await api.call(issuers.get, { params: { id: pair.issuer.id } })
    const masked = await copied(page, 'código de curl')
    expect(masked).toContain("API_KEY='TU_API_KEY'")
    expect(masked).not.toContain(key)
    expect(masked).not.toContain(secret)
    await page.getByRole('button', { name: 'Mostrar API key' }).click()
    await page.getByRole('button', { name: 'Mostrar secreto de firma' }).click()
    const script = testInfo.outputPath('evento.sh')
    writeFileSync(script, await copied(page, 'código de curl'))
    if (await has('curl', 'openssl')) expect((await run('sh', [script])).stdout.trim()).toMatch(/201$/)
    await page.getByRole('tab', { name: 'Node' }).click()
    const file = testInfo.outputPath('evento.mjs')
    writeFileSync(file, await copied(page, 'código de Node'))
    const { stdout } = await run(process.execPath, [file])
    expect(stdout).toMatch(/^201 /)
    expect(JSON.parse(stdout.slice(4)).data).toMatchObject({
      step_id: step.id,
      test: true,
      commission: { amount: '750.00' },
    })
  })

  await test.step('what arrived says what became of it and why', async () => {
    const wrong = { ...event, event_id: 'alta-2', step_id: undefined, event_type: 'firmado' }
    await bank.call(tracking.storeBatch, { body: { events: [event, event, wrong] } })
    await refresh()
    const arrived = page.getByRole('row').filter({ hasText: 'pedido-1001' }).first()
    for (const text of ['Aceptado', 'Prueba', 'Sin guardar', step.name]) await expect(arrived).toContainText(text)
    const own = { 'Tracking ID': lead.tracking_id, 'External ID': 'visita-9' }
    await expectRow(page, { ...own, Resultado: 'Aceptado', Código: 'Guardado', 'Event ID': 'alta-1' })
    await expectRow(page, { ...own, Resultado: 'Duplicado', Código: 'Ya se había recibido', 'Event ID': 'alta-1' })
    await choose(page, 'Resultado', 'Rechazado')
    await expect(page.getByRole('button', { name: 'Ver postback alta-1' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Ver postback alta-2' }).click()
    const dialog = page.getByRole('dialog', { name: 'Postback recibido' })
    await expect(factOf(dialog, 'Código')).toHaveText('Evento desconocido · UNKNOWN_EVENT')
    await expect(factOf(dialog, 'Red de origen')).toHaveText('127.0.0.0/24')
    await expect(factOf(dialog, 'Motivo')).toHaveText('El producto del lead no tiene ese paso')
    await dialog.getByRole('link', { name: `Lead ${lead.id}`, exact: true }).click()
    await expect(page).toHaveURL(`/app/issuer/leads?lead=${lead.id}`)
    await expect(page.getByRole('dialog', { name: `Lead #${lead.tracking_id}` })).toBeVisible()
    await page.goBack()
  })

  await test.step('what is tried says what a sender would be answered', async () => {
    const id = page.getByLabel('tracking_id', { exact: true })
    await expect(id).toHaveValue(testTrackingId(pair.product.id))
    await page.getByRole('button', { name: 'Enviar evento de prueba' }).click()
    await expect(factOf(page, 'Resultado')).toHaveText('Aceptado')
    await expect(factOf(page, 'Comisión')).toHaveText('$750.00')
    await id.fill('{tracking_id}')
    await page.keyboard.press('Enter')
    await expect(factOf(page, 'Resultado')).toHaveText('Rechazado')
    await expect(factOf(page, 'Código')).toHaveText('Tracking ID desconocido · UNKNOWN_TRACKING_ID (HTTP 404)')
    await id.fill(lead.tracking_id)
    await page.getByLabel('event_id', { exact: true }).fill('alta-1')
    await page.keyboard.press('Enter')
    await expect(factOf(page, 'Resultado')).toHaveText('Duplicado')
  })

  await test.step('once signatures are required, what comes without one is refused', async () => {
    await demand.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Exigirla' }).click()
    await expectToast(page, 'Desde ahora se rechaza todo evento sin firma')
    await expect(signature).toContainText('Obligatoria')
    const unsigned = bank.call(tracking.storeEvent, { body: { ...event, event_id: 'sin-firma' } })
    await expect(unsigned).rejects.toThrow('SIGNATURE_REQUIRED')
    await refresh()
    await expectRow(page, { Resultado: 'Rechazado', Código: 'Falta la firma', 'Event ID': 'sin-firma' })
  })

  await test.step('all of it is in the trail of keys and accounts', async () => {
    await page.reload()
    const trail = page.getByRole('list', { name: 'Movimientos de claves y cuentas' })
    for (const deed of ['exigió que los eventos vengan firmados', 'cambió el secreto de firma', 'vio las claves'])
      await expect(trail).toContainText(deed)
    await expect(page.getByRole('list', { name: 'Personas con cuenta' })).toContainText('Ana Prueba')
  })
})
