import type { Page } from '@playwright/test'
import { exports } from '#contract/exports.ts'
import { NO_REJECT_STEP, rulings } from '#contract/rulings.ts'
import { makeEntry, makeLead, makePair, makeProduct, makeStep } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { callsOf, choiceOf, choose, expectHeads, expectRow, expectToast, failNext, hold } from './screen.ts'

const rowsOf = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('cell') })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const OFF = ['aria-disabled', 'true'] as const
const NOTE = 'El banco lo aclaró por correo'

test('an issuer reads its leads, rejects one with a reason, and takes that back', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { id: bare } = await makeLead(db, { ...pair.ids, created_at: '2025-03-04T18:00:00Z' })
  const product = await makeProduct(db, { issuer_id: pair.issuer.id })
  await makeStep(db, { product_id: product.id, event_type_id: 4, name: 'Solicitud rechazada' })
  const { lead_id: id } = await makeEntry(db, { ...pair.ids, product_id: product.id }, { amount: '500.00' })
  await makeLead(db, (await makePair(db)).ids)
  const api = await signIn('issuer', pair.issuer)
  await page.goto('/app/issuer/leads')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mis Leads')
  await expect(page.getByRole('heading', { name: 'Gestión de Leads' })).toBeVisible()
  await expect(page.getByText('Mostrando 2 de 2 leads')).toBeVisible()
  for (const [label, count] of Object.entries({ Emisor: 0, Afiliado: 1, Producto: 1 }))
    await expect(choiceOf(page, label)).toHaveCount(count)
  await expect(page.getByRole('navigation', { name: 'Paginación' })).toHaveCount(0)
  await expect(choiceOf(page, 'Filas por página')).toHaveCount(0)

  await test.step('the affiliate is a column for those who choose it, also the next time', async () => {
    const affiliate = page.getByRole('menuitemcheckbox', { name: 'Afiliado' })
    await button(page, 'Columnas').click()
    await expect(affiliate).toHaveAttribute('aria-checked', 'false')
    await affiliate.click()
    await expect(affiliate).toHaveAttribute('aria-checked', 'true')
    await page.keyboard.press('Escape')
    await choose(page, 'Estado del lead', 'Aprobado')
    await page.reload()
    await expectRow(page, { ID: String(id), Afiliado: pair.affiliate.company_name })
    await expect(choiceOf(page, 'Estado del lead')).toHaveText('Aprobado')
    await expect(rowsOf(page)).toHaveCount(1)
    expect((await expectHeads(page)).slice(-4)).toEqual(['Estado', 'Monto', 'Afiliado', 'Acciones'])
    await button(page, 'Columnas').click()
    await affiliate.click()
    await expect(page.getByRole('columnheader', { name: 'Afiliado' })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await button(page, 'Limpiar').click()
    await expect(rowsOf(page)).toHaveCount(2)
  })

  await test.step('an export can be cancelled, and the next one works', async () => {
    const release = await hold(page, exports.leads)
    const exporting = async () => {
      await button(page, 'Exportar').click()
      await page.getByRole('menuitem', { name: 'Excel' }).click()
    }
    await exporting()
    await expect(button(page, 'Exportando...')).toBeVisible()
    await button(page, 'Cancelar exportación').click()
    await expect(button(page, 'Exportar')).toBeVisible()
    release()
    const downloading = page.waitForEvent('download')
    await exporting()
    expect((await downloading).suggestedFilename()).toMatch(/^afluente-leads-.*\.xlsx$/)
  })

  const panel = page.getByRole('dialog', { name: /^Lead #/ })
  const reject = panel.getByRole('button', { name: 'Rechazar' })
  const dialog = page.getByRole('dialog', { name: 'Rechazar lead' })
  const save = dialog.getByRole('button', { name: 'Rechazar lead' })
  const giveReason = async () => {
    await dialog.getByRole('combobox', { name: 'Motivo' }).fill('buró')
    await page.getByRole('option', { name: 'Política de crédito: Historial en buró de crédito' }).click()
  }

  await test.step('where the product has no step for rejections, that is said before anything is typed', async () => {
    await button(page, `Ver lead ${bare}`).click()
    await expect(reject).toHaveAttribute(...OFF)
    await expect(reject).toHaveAccessibleDescription(NO_REJECT_STEP)
    await reject.click({ force: true })
    await expect(page.getByText(NO_REJECT_STEP).filter({ visible: true })).toBeVisible()
    await expect(dialog).toHaveCount(0)
    await expect(panel.getByRole('button', { name: 'Siguiente' })).toHaveAttribute(...OFF)
    await panel.getByRole('button', { name: 'Anterior' }).click()
  })

  await test.step('a rejection needs a reason, is tried again after a failure, and is written once', async () => {
    await expect(reject).not.toHaveAttribute(...OFF)
    await reject.click()
    await save.click()
    await expect(dialog.getByText('Selecciona un motivo de rechazo')).toBeVisible()
    await giveReason()
    await failNext(page, rulings.reject)
    const calls = callsOf(page, rulings.reject)
    await save.click()
    await expectToast(page, 'Error')
    await expect(dialog).toBeVisible()
    await save.dblclick()
    await expectToast(page, 'Lead rechazado exitosamente')
    expect(calls).toHaveLength(2)
    await expect(dialog).toBeHidden()
    await expect(panel.getByText('Motivo del rechazo: Historial en buró de crédito.')).toBeVisible()
    await expect(panel.getByRole('list', { name: 'Comisiones del lead' })).toContainText('Revertida')
  })

  await test.step('it is taken back with a note, which stands in the timeline', async () => {
    await panel.getByRole('button', { name: 'Reactivar' }).click()
    const restore = page.getByRole('dialog', { name: 'Reactivar lead' })
    await restore.getByLabel('Por qué se reactiva').fill('corta')
    await restore.getByRole('button', { name: 'Reactivar lead' }).click()
    await expect(restore.getByText('Explica por qué (de 10 a 500 caracteres)')).toBeVisible()
    await restore.getByLabel('Por qué se reactiva').fill(NOTE)
    await restore.getByRole('button', { name: 'Reactivar lead' }).click()
    await expectToast(page, 'Lead reactivado exitosamente')
    await expect(panel.getByText('Motivo del rechazo')).toHaveCount(0)
    await expect(panel.getByRole('list', { name: 'Comisiones del lead' })).toContainText('Reactivada')
    await panel.getByRole('button', { name: /Lead reactivado/ }).click()
    await expect(panel).toContainText(NOTE)
  })

  await test.step('the commission says where it comes from, over all that', async () => {
    await panel
      .getByRole('button', { name: /^¿De dónde sale\? Comisión/ })
      .first()
      .click()
    const origin = page.getByRole('dialog', { name: '¿De dónde sale?' })
    await expect(origin.getByText(/^\$500\.00 porque el .* reportó «/)).toBeVisible()
    const steps = origin.getByRole('list', { name: 'Lo que pasó' }).getByRole('listitem')
    await expect(steps).toHaveText([/Clic en el enlace/, /reportó «/, /El lead se rechazó/, /El lead se reactivó/])
    await page.keyboard.press('Escape')
    await expect(origin).toBeHidden()
    await expect(panel).toBeVisible()
  })

  await test.step('a form stays what it was when somebody else rules meanwhile', async () => {
    await reject.click()
    await giveReason()
    await dialog.getByLabel('Nota').fill('Lo dijo el ejecutivo')
    await api.call(rulings.reject, { params: { id }, body: { reason_code: 'zona' } })
    await save.click()
    await expectToast(page, 'El lead ya está rechazado')
    // Behind the form, which hides it.
    await expect(page.getByText('Motivo del rechazo: Zona sin cobertura.')).toBeAttached()
    await expect(dialog.getByLabel('Nota')).toHaveValue('Lo dijo el ejecutivo')
    await expect(page.getByRole('dialog', { name: 'Reactivar lead' })).toHaveCount(0)
  })
})
