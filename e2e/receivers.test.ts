import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { receivers } from '#contract/receivers.ts'
import { makeLead } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { callsOf, choose, expectNoViolations, expectToast } from './screen.ts'

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
  await page.getByRole('button', { name: 'Nuevo postback' }).click()
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
  await address.fill(`http://127.0.0.1:${port}/p?s={external_id}&e={status}&key=abc`)
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
