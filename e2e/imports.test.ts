import { imports } from '#contract/imports.ts'
import { rulings } from '#contract/rulings.ts'
import { makeCommission, makeEntry, makeLead, makePayingStep, makePayment, makeStep } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { callsOf, choiceOf, choose, expectNoViolations, expectRow, expectToast, failNext, hold } from './screen.ts'

const fileOf = (rows: string[][], name = 'marzo.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(`Folio;Estatus;Causa\r\n${rows.map((cells) => `${cells.join(';')}\r\n`).join('')}`, 'latin1'),
})

test('an issuer uploads a file, says what it means, sees what would come of it and applies it', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeCommission(db, pair.ids)
  await makePayingStep(db, { product_id: pair.product.id, name: 'Tarjeta aprobada' })
  await makeStep(db, { product_id: pair.product.id, event_type_id: 4, name: 'Rechazada' })
  const good = await makeLead(db, pair.ids)
  const { lead_id } = await makeEntry(db, pair.ids, { amount: '500.00' })
  const bad = await db.selectFrom('lead').select('tracking_id').where('id', '=', lead_id).executeTakeFirstOrThrow()
  await signIn('issuer', pair.issuer)
  await page.goto('/app/issuer/leads')
  await page.getByRole('link', { name: 'Conciliación' }).click()
  await expect(page.getByText('Aún no hay archivos')).toBeVisible()
  await expectNoViolations(page)

  const input = page.getByLabel('Archivo de conciliación')
  await input.setInputFiles({ name: 'vacio.csv', mimeType: 'text/csv', buffer: Buffer.from('Folio;Estatus\n') })
  await expect(page.getByRole('alert').first()).toHaveText('El archivo no tiene renglones debajo del encabezado')
  await failNext(page, rulings.reasons)
  await input.setInputFiles(
    fileOf([
      [good.tracking_id, 'Aprobada', ''],
      [bad.tracking_id, 'Rechazada', 'Buró'],
      ['desconocido', 'En revisión', ''],
    ]),
  )
  await expect(page.getByRole('heading', { level: 1, name: 'marzo.csv' })).toBeVisible()
  await expect(page.getByText('Qué dice cada columna')).toBeVisible()
  await expectNoViolations(page)

  const simulate = page.getByRole('button', { name: 'Simular' })
  const failed = page.getByRole('alert').filter({ hasText: 'Error al cargar lo que dice el archivo' })
  await expect(failed).toBeVisible()
  await expect(simulate).toHaveAttribute('aria-disabled', 'true')
  await failed.getByRole('button', { name: 'Reintentar' }).click()
  await expect(failed).toHaveCount(0)
  await simulate.click()
  await expect(page.getByText('Falta elegir la columna del lead')).toBeVisible()
  await choose(page, 'Columna del lead', 'Folio')
  await simulate.click()
  await expect(page.getByText('Hay un valor sin asignar: En revisión').first()).toBeVisible()
  await choose(page, 'Qué significa En revisión', 'Ignorar')
  await expect(page.getByLabel('Motivo de Buró')).toHaveText('Historial en buró de crédito')
  await simulate.click()

  await expect(page.getByText('Se aprobará 1 lead (+$500.00) y se rechazará 1 lead (−$500.00).')).toBeVisible()
  await expectNoViolations(page)
  await page.getByRole('button', { name: /^Se rechazará/ }).click()
  await expect(page.getByRole('table', { name: 'Renglones' }).getByRole('row')).toHaveCount(2)
  await failNext(page, imports.apply)
  await page.getByRole('button', { name: 'Aplicar 2 cambios' }).click()
  const asked = page.getByRole('alertdialog', { name: 'Aplicar 2 cambios' })
  await asked.getByRole('button', { name: 'Aplicar 2 cambios' }).click()
  await expect(asked).toBeVisible()
  await asked.getByRole('button', { name: 'Aplicar 2 cambios' }).dblclick()
  await expectToast(page, 'Se está aplicando')
  await expect(page.getByText('Se aplicaron 2 cambios ($0.00).')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Veredictos' })).toContainText('Se aprobó')
  await expect(page.getByRole('row', { name: /Rechazada.*Se rechazó/ })).toBeVisible()
  await expectNoViolations(page)
  const entries = await db.selectFrom('commission_entry').select('state').where('lead_id', '=', good.id).execute()
  expect(entries).toEqual([{ state: 'accrued' }])

  await page.getByRole('button', { name: 'Deshacer esta conciliación' }).click()
  await expect(page.getByRole('list', { name: 'Lo que mueve deshacerla' })).toContainText('Deja de valer')
  await page.getByRole('button', { name: 'Deshacer ahora' }).click()
  await expect(page.getByText('Explica por qué (de 10 a 500 caracteres)')).toBeVisible()
  await page.getByLabel('Por qué se deshace').fill('El banco mandó otro archivo')
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Deshacer ahora' }).click()
  await expect(page.getByText('Esta conciliación se deshizo')).toBeVisible()
  const after = await db.selectFrom('commission_entry').select('state').where('lead_id', '=', good.id).execute()
  expect(after).toEqual([{ state: 'reversed' }])

  await page.getByRole('button', { name: 'Todos los archivos' }).click()
  await expect(page.getByRole('row', { name: /marzo\.csv.*Deshecha/ })).toBeVisible()
  // Its columns mean next month what they meant this month.
  await input.setInputFiles(fileOf([[good.tracking_id, 'Rechazada', '']], 'abril.csv'))
  await expect(page.getByText('Es como en tu último archivo')).toBeVisible()
  await page.getByRole('button', { name: 'Descartar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Descartar' }).click()
  await expectToast(page, 'Archivo descartado')
  await expect(page.getByRole('heading', { name: 'abril.csv' })).toBeHidden()
})

test('who leaves a file while it is applied sees what it did to a payment', async ({ page, signIn, db, pair }) => {
  await makeStep(db, { product_id: pair.ids.product_id, event_type_id: 4, name: 'Rechazada' })
  const entry = await makeEntry(db, pair.ids, { amount: '500.00' })
  const payment = await makePayment(db, pair.ids, { total_amount: '500.00', calculated_amount: '500.00' })
  const held = { payment_id: payment.id, state: 'in_payment' }
  await db.updateTable('commission_entry').set(held).where('id', '=', entry.id).execute()
  const lead = db.selectFrom('lead').select('tracking_id').where('id', '=', entry.lead_id)
  const { tracking_id } = await lead.executeTakeFirstOrThrow()
  await signIn('issuer', pair.issuer)
  await page.goto('/app/issuer/payments')
  await expectRow(page, { Estado: /^Pendiente$/ })
  await page.getByRole('link', { name: 'Leads', exact: true }).click()
  await page.getByRole('link', { name: 'Conciliación' }).click()
  const arrive = await hold(page, imports.values)
  await page.getByLabel('Archivo de conciliación').setInputFiles(fileOf([[tracking_id, 'Rechazada', '']]))
  const simulate = page.getByRole('button', { name: 'Simular' })
  // What the file holds is not known yet.
  await expect(simulate).toHaveAttribute('aria-disabled', 'true')
  arrive()
  await simulate.click()
  await page.getByRole('button', { name: 'Aplicar 1 cambio' }).click()
  const release = await hold(page, imports.get)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Aplicar 1 cambio' }).click()
  await expectToast(page, 'Se está aplicando')
  await page.getByRole('button', { name: 'Todos los archivos' }).click()
  await expect(page.getByRole('row', { name: /marzo\.csv.*Aplicada/ })).toBeVisible()
  await page.getByRole('link', { name: 'Pagos', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Pagos', level: 1 })).toBeVisible()
  await expectRow(page, { Estado: 'Pendiente Sus comisiones cambiaron' })
  release()
})

test('an administrator says whose leads a file is about', async ({ page, signIn, issuer }) => {
  await signIn('admin')
  await page.goto('/app/admin/reconciliation')
  const button = page.getByRole('button', { name: 'Elegir archivo' })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await choose(page, 'Emisor del archivo', issuer.company_name)
  await page.getByLabel('Archivo de conciliación').setInputFiles(fileOf([['a', 'b', 'c']]))
  await expect(page.getByText(`${issuer.company_name} · 1 renglón`)).toBeVisible()
})

test('an upload is stopped without an error, and only after a question where somebody leaves', async ({
  page,
  signIn,
  issuer,
}) => {
  await signIn('issuer', issuer)
  await page.goto('/app/issuer/reconciliation')
  const calls = callsOf(page, imports.create)
  const card = page.getByRole('region', { name: 'Subir un archivo' })
  const files = await page.evaluateHandle(() => {
    const both = new DataTransfer()
    for (const name of ['enero.csv', 'febrero.csv']) both.items.add(new File(['Folio\n1\n'], name))
    return both
  })
  await card.dispatchEvent('drop', { dataTransfer: files })
  await expect(card.getByRole('alert')).toHaveText('Suelta un archivo a la vez')
  expect(calls).toEqual([])

  await hold(page, imports.create)
  const error = page.getByRole('region', { name: /^Notifications/ }).getByText('Error', { exact: true })
  const upload = () => page.getByLabel('Archivo de conciliación').setInputFiles(fileOf([['a', 'b', 'c']]))
  await upload()
  await expect(card.getByRole('alert')).toHaveCount(0)
  await card.getByRole('button', { name: 'Cancelar' }).click()
  await expect(card.getByRole('button', { name: 'Elegir archivo' })).toBeVisible()
  await expect(error).toHaveCount(0)

  await upload()
  const question = page.getByRole('alertdialog', { name: '¿Dejar de subir el archivo?' })
  const leave = () => page.getByRole('link', { name: 'Pagos', exact: true }).click()
  await leave()
  await expectNoViolations(page)
  await question.getByRole('button', { name: 'Seguir subiendo' }).click()
  await expect(card.getByRole('button', { name: 'Cancelar' })).toBeVisible()
  await leave()
  await question.getByRole('button', { name: 'Dejar de subir' }).click()
  await expect(page.getByRole('heading', { name: 'Pagos', level: 1 })).toBeVisible()
  await expect(error).toHaveCount(0)
})

test('who leaves a file and comes back finds what was narrowed, and what was assigned is not lost without a question', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeCommission(db, pair.ids)
  await makePayingStep(db, { product_id: pair.product.id, name: 'Tarjeta aprobada' })
  const { id, tracking_id } = await makeLead(db, pair.ids)
  const cells = ['Lead;Estatus', `${tracking_id};Aprobada`, `${crypto.randomUUID()};Aprobada`]
  await signIn('issuer', pair.issuer)
  await page.goto('/app/issuer/reconciliation')
  const file = { name: 'mayo.csv', mimeType: 'text/csv', buffer: Buffer.from(cells.join('\r\n')) }
  await page.getByLabel('Archivo de conciliación').setInputFiles(file)
  const title = page.getByRole('heading', { level: 1, name: 'mayo.csv' })
  await expect(title).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Conciliación' })).toBeVisible()
  await page.getByRole('link', { name: 'mayo.csv' }).click()

  const assigned = choiceOf(page, 'Qué significa Aprobada')
  const question = page.getByRole('alertdialog', { name: '¿Descartar los cambios?' })
  await choose(page, 'Qué significa Aprobada', 'Ignorar')
  for (const way of [
    page.getByRole('link', { name: 'Pagos', exact: true }),
    page.getByRole('button', { name: 'Todos los archivos' }),
  ]) {
    await way.click()
    await question.getByRole('button', { name: 'Seguir editando' }).click()
    await expect(assigned).toHaveText('Ignorar')
  }
  await expect(page.getByRole('button', { name: 'Cancelar' })).toHaveCount(0)
  await choose(page, 'Qué significa Aprobada', 'Paso: Aprobado')
  await page.getByRole('button', { name: 'Simular' }).click()

  const verdict = page.getByRole('button', { name: /^Se aprobará/ })
  const rows = page.getByRole('table', { name: 'Renglones' }).getByRole('row')
  await expect(rows).toHaveCount(3)
  await expect(page.getByRole('columnheader', { name: 'Lead', exact: true })).toHaveCount(1)
  await expect(page.getByRole('columnheader', { name: 'Lead (archivo)' })).toBeVisible()
  await verdict.click()
  await expect(rows).toHaveCount(2)
  await page.getByRole('link', { name: `Lead ${id}` }).click()
  await expect(page).toHaveURL(/\/leads\?lead=/)
  await page.goBack()
  await expect(verdict).toHaveAttribute('aria-pressed', 'true')
  await expect(rows).toHaveCount(2)

  const calls = callsOf(page, imports.simulate)
  const cancel = page.getByRole('button', { name: 'Cancelar', exact: true })
  await page.getByRole('button', { name: 'Cambiar columnas' }).click()
  await expectNoViolations(page)
  await cancel.click()
  await expect(verdict).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Cambiar columnas' }).click()
  await choose(page, 'Qué significa Aprobada', 'Rechazo')
  await cancel.click()
  await question.getByRole('button', { name: 'Descartar' }).click()
  await expect(verdict).toBeVisible()
  expect(calls).toEqual([])
})

test('amounts and dates of a file are compared, and what differs narrows its rows', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeCommission(db, pair.ids)
  await makePayingStep(db, { product_id: pair.product.id, name: 'Tarjeta aprobada' })
  const [good, other, early] = [
    await makeLead(db, pair.ids),
    await makeLead(db, pair.ids),
    await makeLead(db, pair.ids),
  ]
  const cells = ['Folio;Estatus;Comisión;Fecha', `${good.tracking_id};Aprobada;$500.00;31/12/2031`]
  cells.push(`${other.tracking_id};Aprobada;$1,550.00;31/12/2031 10:41`, `${early.tracking_id};Aprobada;500;02/01/2020`)
  await signIn('issuer', pair.issuer)
  await page.goto('/app/issuer/reconciliation')
  const file = { name: 'montos.csv', mimeType: 'text/csv', buffer: Buffer.from(cells.join('\r\n')) }
  const input = page.getByLabel('Archivo de conciliación')
  await input.setInputFiles(file)
  await expect(page.getByText('Qué se compara')).toBeVisible()
  await choose(page, 'Columna del monto', 'Comisión')
  await expect(choiceOf(page, 'Cómo está escrita la fecha')).toBeHidden()
  await choose(page, 'Columna de la fecha', 'Fecha')
  await expect(choiceOf(page, 'Cómo está escrita la fecha')).toContainText('Día/mes/año (31/12/2026)')
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Simular' }).click()
  await expect(page.getByText('Se aprobarán 3 leads (+$1,500.00).')).toBeVisible()
  const amounts = page.getByRole('button', {
    name: '1 renglón trae otro monto que la comisión: $1,550.00 en el archivo, $500.00 en Afluente.',
  })
  await expect(page.getByRole('button', { name: '1 renglón trae fecha anterior al clic.' })).toBeVisible()
  await expectNoViolations(page)
  const rows = page.getByRole('table', { name: 'Renglones' }).getByRole('row')
  await expect(rows).toHaveCount(4)
  await amounts.press('Enter')
  await expect(amounts).toHaveAttribute('aria-pressed', 'true')
  await expect(rows).toHaveCount(2)
  await expect(rows.last()).toContainText('Otro monto: la comisión es de $500.00')
  await amounts.press('Enter')
  await expect(rows).toHaveCount(4)
  await page.getByRole('button', { name: 'Cambiar columnas' }).click()
  await choose(page, 'Columna de la fecha', 'Ninguna')
  await page.getByRole('button', { name: 'Simular' }).click()
  await expect(page.getByRole('button', { name: /fecha anterior al clic/ })).toBeHidden()
  await expect(amounts).toBeVisible()
})

test('a column of too many values is told beside it, and another can be chosen', async ({ page, signIn, pair }) => {
  await signIn('issuer', pair.issuer)
  await page.goto('/app/issuer/reconciliation')
  const rows = Array.from({ length: 201 }, (_, place) => [`folio-${place}`, 'Aprobada', ''])
  await page.getByLabel('Archivo de conciliación').setInputFiles(fileOf(rows))
  await choose(page, 'Columna del motivo de rechazo', 'Ninguna')
  await choose(page, 'Columna del estado', 'Folio')
  const simulate = page.getByRole('button', { name: 'Simular' })
  await expect(simulate).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByText(/más de 200/).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reintentar' })).toHaveCount(0)
  await choose(page, 'Columna del estado', 'Estatus')
  await expect(choiceOf(page, 'Qué significa Aprobada')).toBeVisible()
  await expect(simulate).not.toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('heading', { name: 'Motivos de rechazo' })).toHaveCount(0)
})
