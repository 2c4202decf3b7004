import type { Page } from '@playwright/test'
import { imports } from '#contract/imports.ts'
import { rulings } from '#contract/rulings.ts'
import { makeCommission, makeEntry, makeLead, makePayingStep, makePayment, makeStep, unique } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { callsOf, choiceOf, choose, expectRow, expectToast, failNext, hold } from './screen.ts'

const fileOf = (rows: string[][], name = 'marzo.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(rows.map((cells) => `${cells.join(';')}\r\n`).join(''), 'latin1'),
})
const HEAD = ['Folio', 'Estatus', 'Causa']
const give = (page: Page, file: ReturnType<typeof fileOf>) =>
  page.getByLabel('Archivo de conciliación').setInputFiles(file)

test('an issuer uploads a file, says what it means, sees what would come of it, applies it and undoes it', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeCommission(db, pair.ids)
  await makePayingStep(db, { product_id: pair.product.id, name: 'Tarjeta aprobada' })
  await makeStep(db, { product_id: pair.product.id, event_type_id: 4, name: 'Rechazada' })
  const good = await makeLead(db, pair.ids)
  const entry = await makeEntry(db, pair.ids, { amount: '500.00' })
  const payment = await makePayment(db, pair.ids, { total_amount: '500.00', calculated_amount: '500.00' })
  const held = { payment_id: payment.id, state: 'in_payment' }
  await db.updateTable('commission_entry').set(held).where('id', '=', entry.id).execute()
  const ofEntry = db.selectFrom('lead').select('tracking_id').where('id', '=', entry.lead_id)
  const bad = await ofEntry.executeTakeFirstOrThrow()
  const statesOf = async () =>
    (await db.selectFrom('commission_entry').select('state').where('lead_id', '=', good.id).execute()).map(
      ({ state }) => state,
    )
  const simulate = page.getByRole('button', { name: 'Simular' })
  const menu = (name: string) => page.getByRole('link', { name, exact: true }).click()
  await signIn('issuer', pair.issuer)
  await page.goto('/app/issuer/payments')
  await expectRow(page, { Estado: /^Pendiente$/ })
  await menu('Leads')
  await page.getByRole('link', { name: 'Conciliación' }).click()
  await expect(page.getByText('Aún no hay archivos')).toBeVisible()

  await test.step('a file without rows is refused; what another holds is not known before it is loaded', async () => {
    await give(page, fileOf([['Folio', 'Estatus']], 'vacio.csv'))
    await expect(page.getByRole('alert').first()).toHaveText('El archivo no tiene renglones debajo del encabezado')
    await failNext(page, rulings.reasons)
    const arrive = await hold(page, imports.values)
    const rows = [
      [good.tracking_id, 'Aprobada', ''],
      [bad.tracking_id, 'Rechazada', 'Buró'],
      ['desconocido', 'En revisión', ''],
    ]
    await give(page, fileOf([HEAD, ...rows]))
    await expect(page.getByRole('heading', { level: 1, name: 'marzo.csv' })).toBeVisible()
    await expect(page.getByText('Qué dice cada columna')).toBeVisible()
    await expect(simulate).toHaveAttribute('aria-disabled', 'true')
    arrive()
    const failed = page.getByRole('alert').filter({ hasText: 'Error al cargar lo que dice el archivo' })
    await expect(failed).toBeVisible()
    await expect(simulate).toHaveAttribute('aria-disabled', 'true')
    await failed.getByRole('button', { name: 'Reintentar' }).click()
    await expect(failed).toHaveCount(0)
  })

  await test.step('what its columns and values mean is asked for where it cannot be guessed', async () => {
    await simulate.click()
    await expect(page.getByText('Falta elegir la columna del lead')).toBeVisible()
    await choose(page, 'Columna del lead', 'Folio')
    await simulate.click()
    await expect(page.getByText('Hay un valor sin asignar: En revisión').first()).toBeVisible()
    await choose(page, 'Qué significa En revisión', 'Ignorar')
    await expect(page.getByLabel('Motivo de Buró')).toHaveText('Historial en buró de crédito')
    await simulate.click()
    await expect(page.getByText('Se aprobará 1 lead (+$500.00) y se rechazará 1 lead (−$500.00).')).toBeVisible()
  })

  await test.step('it is applied once, also where the first call fails and its person leaves meanwhile', async () => {
    await failNext(page, imports.apply)
    await page.getByRole('button', { name: 'Aplicar 2 cambios' }).click()
    const asked = page.getByRole('alertdialog', { name: 'Aplicar 2 cambios' })
    await asked.getByRole('button', { name: 'Aplicar 2 cambios' }).click()
    await expectToast(page, 'Error')
    await expect(asked).toBeVisible()
    const release = await hold(page, imports.get)
    await asked.getByRole('button', { name: 'Aplicar 2 cambios' }).dblclick()
    await expectToast(page, 'Se está aplicando')
    await page.getByRole('button', { name: 'Todos los archivos' }).click()
    await expect(page.getByRole('row', { name: /marzo\.csv.*Aplicada/ })).toBeVisible()
    await menu('Pagos')
    await expect(page.getByRole('heading', { name: 'Pagos', level: 1 })).toBeVisible()
    await expectRow(page, { Estado: 'Pendiente Sus comisiones cambiaron' })
    release()
    expect(await statesOf()).toEqual(['accrued'])
  })

  await test.step('it says what came of it', async () => {
    await menu('Leads')
    await page.getByRole('link', { name: 'Conciliación' }).click()
    await page.getByRole('link', { name: 'marzo.csv' }).click()
    await expect(page.getByText('Se aplicaron 2 cambios ($0.00).')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Veredictos' })).toContainText('Se aprobó')
    await expect(page.getByRole('row', { name: /Rechazada.*Se rechazó/ })).toBeVisible()
  })

  await test.step('it is undone for a reason, once it is shown what that moves', async () => {
    await page.getByRole('button', { name: 'Deshacer esta conciliación' }).click()
    await expect(page.getByRole('list', { name: 'Lo que mueve deshacerla' })).toContainText('Deja de valer')
    const now = page.getByRole('button', { name: 'Deshacer ahora' })
    await now.click()
    await expect(page.getByText('Explica por qué (de 10 a 500 caracteres)')).toBeVisible()
    await page.getByLabel('Por qué se deshace').fill('El banco mandó otro archivo')
    await now.click()
    await expect(page.getByText('Esta conciliación se deshizo')).toBeVisible()
    expect(await statesOf()).toEqual(['reversed'])
  })

  await test.step('the columns of the next file mean what they meant; it can be discarded', async () => {
    await page.getByRole('button', { name: 'Todos los archivos' }).click()
    await expect(page.getByRole('row', { name: /marzo\.csv.*Deshecha/ })).toBeVisible()
    await give(page, fileOf([HEAD, [good.tracking_id, 'Rechazada', '']], 'abril.csv'))
    await expect(page.getByText('Es como en tu último archivo')).toBeVisible()
    await page.getByRole('button', { name: 'Descartar' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Descartar' }).click()
    await expectToast(page, 'Archivo descartado')
    await expect(page.getByRole('heading', { name: 'abril.csv' })).toBeHidden()
  })
})

test('an administrator says whose leads a file is about; nothing typed, narrowed or under way is lost without a question', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  await makeCommission(db, pair.ids)
  await makePayingStep(db, { product_id: pair.product.id, name: 'Tarjeta aprobada' })
  const [other, early] = [await makeLead(db, pair.ids), await makeLead(db, pair.ids)]
  await signIn('admin')
  await page.goto('/app/admin/reconciliation')
  const card = page.getByRole('region', { name: 'Subir un archivo' })
  const ofIssuer = () => choose(page, 'Emisor del archivo', pair.issuer.company_name)
  const creates = callsOf(page, imports.create)
  const simulate = page.getByRole('button', { name: 'Simular' })
  const leave = () => page.getByRole('link', { name: 'Pagos', exact: true }).click()

  await test.step('one file at a time, and none before its issuer is chosen', async () => {
    const button = page.getByRole('button', { name: 'Elegir archivo' })
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    await ofIssuer()
    await expect(button).not.toHaveAttribute('aria-disabled', 'true')
    const files = await page.evaluateHandle(() => {
      const both = new DataTransfer()
      for (const name of ['enero.csv', 'febrero.csv']) both.items.add(new File(['Folio\n1\n'], name))
      return both
    })
    await card.dispatchEvent('drop', { dataTransfer: files })
    await expect(card.getByRole('alert')).toHaveText('Suelta un archivo a la vez')
    expect(creates).toEqual([])
  })

  await test.step('a column of too many values is told beside it, and another can be chosen', async () => {
    const rows = Array.from({ length: 201 }, (_, place) => [`folio-${place}`, 'Aprobada', ''])
    await give(page, fileOf([HEAD, ...rows]))
    await expect(page.getByText(`${pair.issuer.company_name} · 201 renglones`)).toBeVisible()
    await choose(page, 'Columna del motivo de rechazo', 'Ninguna')
    await choose(page, 'Columna del estado', 'Folio')
    await expect(simulate).toHaveAttribute('aria-disabled', 'true')
    await expect(page.getByText(/más de 200/).first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Reintentar' })).toHaveCount(0)
    await choose(page, 'Columna del estado', 'Estatus')
    await expect(choiceOf(page, 'Qué significa Aprobada')).toBeVisible()
    await expect(simulate).not.toHaveAttribute('aria-disabled', 'true')
    await expect(page.getByRole('heading', { name: 'Motivos de rechazo' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Descartar' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Descartar' }).click()
    await expect(card).toBeVisible()
  })

  const name = `mayo-${unique()}.csv`
  const question = page.getByRole('alertdialog', { name: '¿Descartar los cambios?' })

  await test.step('who leaves a file and comes back finds it; what was assigned is not lost without a question', async () => {
    await ofIssuer()
    const rows = [
      ['Lead', 'Estatus', 'Comisión', 'Fecha'],
      [other.tracking_id, 'Aprobada', '$1,550.00', '31/12/2031 10:41'],
      [early.tracking_id, 'Aprobada', '500', '02/01/2020'],
      [crypto.randomUUID(), 'Aprobada', '500', '31/12/2031'],
    ]
    await give(page, fileOf(rows, name))
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'Conciliación' })).toBeVisible()
    await page.getByRole('link', { name }).click()
    await choose(page, 'Qué significa Aprobada', 'Ignorar')
    const back = page.getByRole('button', { name: 'Todos los archivos' })
    for (const way of [leave, () => back.click()]) {
      await way()
      await question.getByRole('button', { name: 'Seguir editando' }).click()
      await expect(choiceOf(page, 'Qué significa Aprobada')).toHaveText('Ignorar')
    }
    await expect(page.getByRole('button', { name: 'Cancelar' })).toHaveCount(0)
    await choose(page, 'Qué significa Aprobada', 'Paso: Aprobado')
  })

  const amounts = page.getByRole('button', {
    name: '1 renglón trae otro monto que la comisión: $1,550.00 en el archivo, $500.00 en Afluente.',
  })
  const rows = page.getByRole('table', { name: 'Renglones' }).getByRole('row')

  await test.step('amounts and dates are compared, and what differs narrows the rows', async () => {
    await choose(page, 'Columna del monto', 'Comisión')
    await expect(choiceOf(page, 'Cómo está escrita la fecha')).toBeHidden()
    await choose(page, 'Columna de la fecha', 'Fecha')
    await expect(choiceOf(page, 'Cómo está escrita la fecha')).toContainText('Día/mes/año (31/12/2026)')
    await simulate.click()
    await expect(page.getByText('Se aprobarán 2 leads (+$1,000.00).')).toBeVisible()
    await expect(page.getByRole('button', { name: '1 renglón trae fecha anterior al clic.' })).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'Lead', exact: true })).toHaveCount(1)
    await expect(page.getByRole('columnheader', { name: 'Lead (archivo)' })).toBeVisible()
    await expect(rows).toHaveCount(4)
    await amounts.press('Enter')
    await expect(amounts).toHaveAttribute('aria-pressed', 'true')
    await expect(rows).toHaveCount(2)
    await expect(rows.last()).toContainText('Otro monto: la comisión es de $500.00')
    await amounts.press('Enter')
    await expect(rows).toHaveCount(4)
  })

  await test.step('what was narrowed is found again; columns are changed or left as they were', async () => {
    const verdict = page.getByRole('button', { name: /^Se aprobará/ })
    await verdict.click()
    await expect(rows).toHaveCount(3)
    await page.getByRole('link', { name: `Lead ${other.id}`, exact: true }).click()
    await expect(page).toHaveURL(/\/leads\?lead=/)
    await page.goBack()
    await expect(verdict).toHaveAttribute('aria-pressed', 'true')
    await expect(rows).toHaveCount(3)
    const calls = callsOf(page, imports.simulate)
    const change = page.getByRole('button', { name: 'Cambiar columnas' })
    const cancel = page.getByRole('button', { name: 'Cancelar', exact: true })
    await change.click()
    await cancel.click()
    await expect(verdict).toHaveAttribute('aria-pressed', 'true')
    await change.click()
    await choose(page, 'Qué significa Aprobada', 'Rechazo')
    await cancel.click()
    await question.getByRole('button', { name: 'Descartar' }).click()
    await expect(verdict).toBeVisible()
    expect(calls).toEqual([])
    await change.click()
    await choose(page, 'Columna de la fecha', 'Ninguna')
    await simulate.click()
    await expect(page.getByRole('button', { name: /fecha anterior al clic/ })).toBeHidden()
    await expect(amounts).toBeVisible()
  })

  await test.step('an upload is stopped without an error, and only after a question where somebody leaves', async () => {
    await page.getByRole('button', { name: 'Todos los archivos' }).click()
    await ofIssuer()
    await hold(page, imports.create)
    const error = page.getByRole('region', { name: /^Notifications/ }).getByText('Error', { exact: true })
    const upload = () => give(page, fileOf([HEAD, ['a', 'b', 'c']]))
    await upload()
    await card.getByRole('button', { name: 'Cancelar' }).click()
    await expect(card.getByRole('button', { name: 'Elegir archivo' })).toBeVisible()
    await expect(card.getByRole('alert')).toHaveCount(0)
    await expect(error).toHaveCount(0)
    await upload()
    const stop = page.getByRole('alertdialog', { name: '¿Dejar de subir el archivo?' })
    await leave()
    await stop.getByRole('button', { name: 'Seguir subiendo' }).click()
    await expect(card.getByRole('button', { name: 'Cancelar' })).toBeVisible()
    await leave()
    await stop.getByRole('button', { name: 'Dejar de subir' }).click()
    await expect(page.getByRole('heading', { name: 'Gestión de Pagos', level: 1 })).toBeVisible()
    await expect(error).toHaveCount(0)
  })
})
