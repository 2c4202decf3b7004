import { NO_REJECT_STEP, rulings } from '#contract/rulings.ts'
import { makeEntry, makeLead, makeStep } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { callsOf, expectNoViolations, expectRow, expectToast, failNext } from './screen.ts'

const NOTE = 'El banco lo aclaró por correo'

test('an issuer rejects a lead with a reason that its affiliate reads, and takes it back', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeStep(db, { product_id: pair.product.id, event_type_id: 4, name: 'Solicitud rechazada' })
  const { lead_id } = await makeEntry(db, pair.ids, { amount: '500.00' })
  await signIn('issuer', pair.issuer)
  await page.goto(`/app/issuer/leads?lead=${lead_id}`)
  const panel = page.getByRole('dialog', { name: /^Lead #/ })
  const reject = panel.getByRole('button', { name: 'Rechazar' })
  await reject.click()
  const dialog = page.getByRole('dialog', { name: 'Rechazar lead' })
  const save = dialog.getByRole('button', { name: 'Rechazar lead' })
  await save.click()
  await expect(dialog.getByText('Selecciona un motivo de rechazo')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Motivo' }).fill('buró')
  await page.getByRole('option', { name: 'Política de crédito: Historial en buró de crédito' }).click()
  await expectNoViolations(page)
  await failNext(page, rulings.reject)
  const calls = callsOf(page, rulings.reject)
  await save.click()
  await expect.poll(() => calls).toHaveLength(1)
  await expect(dialog).toBeVisible()
  await save.dblclick()
  await expectToast(page, 'Lead rechazado exitosamente')
  expect(calls).toHaveLength(2)
  await expect(dialog).toBeHidden()
  await expect(panel.getByText('Motivo del rechazo: Historial en buró de crédito.')).toBeVisible()
  await expect(panel.getByRole('list', { name: 'Comisiones del lead' })).toContainText('Revertida')
  await expectNoViolations(page)

  await signIn('affiliate', pair.affiliate)
  await page.goto(`/app/affiliate/leads?lead=${lead_id}`)
  await expect(
    panel.getByText(
      'Motivo del rechazo: Política de crédito. El emisor no da más detalle: promueve el producto entre quienes cumplen sus requisitos.',
    ),
  ).toBeVisible()
  await expect(panel.getByRole('button', { name: /Rechazar|Reactivar/ })).toHaveCount(0)

  await signIn('admin')
  await page.goto(`/app/admin/leads?lead=${lead_id}`)
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
  await expect(panel.getByRole('region', { name: 'Propiedades del Evento' }).or(panel)).toContainText(NOTE)

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

test('a lead whose product has no step for rejections says so before anything is typed', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { id } = await makeLead(db, pair.ids)
  await signIn('issuer', pair.issuer)
  await page.goto(`/app/issuer/leads?lead=${id}`)
  const panel = page.getByRole('dialog', { name: /^Lead #/ })
  const reject = panel.getByRole('button', { name: 'Rechazar' })
  await expect(reject).toHaveAttribute('aria-disabled', 'true')
  await expect(reject).toHaveAccessibleDescription(NO_REJECT_STEP)
  await reject.click({ force: true })
  await expect(page.getByText(NO_REJECT_STEP).filter({ visible: true })).toBeVisible()
  await expect(page.getByRole('dialog', { name: 'Rechazar lead' })).toHaveCount(0)
  await makeStep(db, { product_id: pair.product.id, event_type_id: 4, name: 'Solicitud rechazada' })
  await page.reload()
  await reject.click()
  await expect(page.getByRole('dialog', { name: 'Rechazar lead' })).toBeVisible()
})

test('a form stays what it was when somebody else rules meanwhile', async ({ page, signIn, db, pair }) => {
  await makeStep(db, { product_id: pair.product.id, event_type_id: 4, name: 'Solicitud rechazada' })
  const { lead_id } = await makeEntry(db, pair.ids, { amount: '500.00' })
  const id = Number(lead_id)
  const api = await signIn('issuer', pair.issuer)
  await page.goto(`/app/issuer/leads?lead=${id}`)
  const panel = page.getByRole('dialog', { name: /^Lead #/ })
  await panel.getByRole('button', { name: 'Rechazar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rechazar lead' })
  await dialog.getByRole('combobox', { name: 'Motivo' }).fill('buró')
  await page.getByRole('option', { name: 'Política de crédito: Historial en buró de crédito' }).click()
  await dialog.getByLabel('Nota').fill('Lo dijo el ejecutivo')
  await api.call(rulings.reject, { params: { id }, body: { reason_code: 'buro' } })
  await dialog.getByRole('button', { name: 'Rechazar lead' }).click()
  await expectToast(page, 'El lead ya está rechazado')
  // Behind the form, which hides it.
  await expect(page.getByText('Motivo del rechazo: Historial en buró de crédito.')).toBeAttached()
  await expect(dialog.getByLabel('Nota')).toHaveValue('Lo dijo el ejecutivo')
  await expect(page.getByRole('dialog', { name: 'Reactivar lead' })).toHaveCount(0)
})

test('an administrator adds a reason and archives it', async ({ page, signIn }) => {
  // The list is one for the whole run, and this may run twice.
  const code = `firma_${Date.now()
    .toString()
    .replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`
  const label = `Sin firma (${code})`
  await signIn('admin')
  await page.goto('/app/admin/settings')
  await page.getByRole('link', { name: 'Motivos de rechazo' }).click()
  await expectRow(page, {
    Motivo: 'Historial en buró de crédito',
    'El afiliado lee': 'Solo el grupo',
    Estado: 'En uso',
  })
  await page.getByRole('button', { name: 'Nuevo motivo' }).click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo motivo' })
  const save = dialog.getByRole('button', { name: 'Crear motivo' })
  await save.click()
  await expect(dialog.getByText('El motivo es requerido')).toBeVisible()
  await dialog.getByLabel('Motivo', { exact: true }).fill(label)
  await dialog.getByLabel('Grupo').fill('Proceso')
  await dialog.getByLabel('Código').fill('buro')
  await expectNoViolations(page)
  await save.click()
  await expect(
    dialog.getByText('Ya hay un motivo con ese código').or(page.getByText('Ya hay un motivo con ese código')).first(),
  ).toBeVisible()
  await dialog.getByLabel('Código').fill(code)
  const calls = callsOf(page, rulings.createReason)
  await save.dblclick()
  await expectToast(page, 'Motivo creado exitosamente')
  expect(calls).toHaveLength(1)
  await page.getByRole('button', { name: `Archivar ${label}` }).click()
  await expectToast(page, 'Motivo archivado')
  await expectRow(page, { Motivo: label, Estado: 'Archivado' })
  await expectNoViolations(page)
})
