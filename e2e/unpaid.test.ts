import { addDays, dateInMexico, dayFirst } from '#contract/time.ts'
import { makeAffiliate, makeEntry, makePayment, makeRelationship } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { choiceOf, choose, chooseAction, expectRow, expectToast, goByMenu } from './screen.ts'

test('what was earned is in sight until it is paid: one relationship after the other, also after it ended', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const earned_at = '2025-03-10T12:00:00Z'
  const today = dateInMexico()
  const partner = async (amount: string, columns = {}) => {
    const affiliate = await makeAffiliate(db)
    const { id } = await makeRelationship(db, { affiliate_id: affiliate.id, issuer_id: pair.issuer.id })
    const ids = { ...pair.ids, relationship_id: id, affiliate_id: affiliate.id }
    return { affiliate, ids, entry: await makeEntry(db, ids, { amount, earned_at, ...columns }) }
  }
  await makeEntry(db, pair.ids, { amount: '370.00', earned_at })
  const small = await partner('200.00')
  const early = await partner('1200.00', { earned_at: new Date().toISOString(), due_on: addDays(today, 30) })
  const indebted = await partner('70.00')
  const settled = { payment_id: (await makePayment(db, indebted.ids, { payment_status: 'paid' })).id, state: 'paid' }
  await db.updateTable('commission_entry').set(settled).where('id', '=', indebted.entry.id).execute()
  const { id: reversal_of, lead_id } = indebted.entry
  await makeEntry(db, indebted.ids, { amount: '-70.00', reversal_of, lead_id })

  await signIn('admin')
  await page.goto('/app/admin/dashboard')
  await page.getByRole('link', { name: 'Revisar pagos' }).click()
  await choose(page, 'Emisor', pair.issuer.company_name)
  const line = page.getByRole('region', { name: 'Comisiones sin pago' })
  const list = page.getByRole('dialog', { name: 'Comisiones sin pago' })
  const dialog = page.getByRole('dialog', { name: 'Crear Pago' })
  const field = (label: string) => dialog.getByLabel(label, { exact: true })
  const rows = list.getByRole('row')
  const names = `${pair.affiliate.company_name} - ${pair.issuer.company_name}`
  const pay = async (amount: string) => {
    await dialog.getByRole('button', { name: 'Calcular' }).click()
    await expect(field('Monto total (MXN)')).toHaveValue(amount)
    await field('Fecha de pago').fill(dayFirst(today))
    await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
    await expectToast(page, 'Pago creado exitosamente')
    // While it covers the list no row has a role.
    await expect(dialog).toHaveCount(0)
  }

  await test.step('one line has the sum, and what of it cannot be paid yet', async () => {
    await expect(line).toContainText(
      '$1,700.00 en comisiones sin pago, de 4 relaciones; de ello, $1,200.00 aún no se puede pagar',
    )
    await line.getByRole('button', { name: 'Ver comisiones sin pago' }).click()
    const owing = await expectRow(list, { Afiliado: indebted.affiliate.company_name, 'Sin pago': '-$70.00' })
    await expect(owing.getByRole('button')).toHaveAccessibleDescription(
      'Saldo en contra de $70.00; se descontará del siguiente pago',
    )
    const waiting = await expectRow(list, {
      ...{ Afiliado: early.affiliate.company_name, 'De ello aún no pagable': '$1,200.00', 'Sin pago': '$1,200.00' },
    })
    await expect(waiting.getByRole('button')).toHaveAccessibleDescription(
      'Todo está en validación, por aprobar o retenido',
    )
  })

  await test.step('each is a step from being paid, and the list stays as it was sorted', async () => {
    await list.getByRole('button', { name: 'Sin pago', exact: true }).click()
    await expect(rows).toHaveText([/Sin pago/, /-\$70\.00/, /\$200\.00/, /\$370\.00/, /\$1,200\.00/])
    const row = await expectRow(list, { Afiliado: small.affiliate.company_name, Desde: '10/03/2025' })
    const create = rows.getByRole('button', { name: /^Crear pago de/ })
    await row.getByRole('button', { name: /^Crear pago de/ }).click()
    await expect(choiceOf(dialog, 'Relación')).toHaveValue(
      `${small.affiliate.company_name} - ${pair.issuer.company_name}`,
    )
    await expect(field('Inicio del periodo')).toHaveValue('10/03/2025')
    await expect(field('Fin del periodo')).toHaveValue(dayFirst(today))
    await pay('200.00')
    await expect(rows).toHaveText([/Sin pago/, /-\$70\.00/, /\$370\.00/, /\$1,200\.00/])
    await create.nth(1).dblclick()
    await expect(field('Fecha de pago')).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancelar' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(rows).toHaveText([/Sin pago/, /-\$70\.00/, /\$370\.00/, /\$1,200\.00/])
    await list.getByRole('button', { name: 'Cerrar', exact: true }).click()
    await expect(line).toContainText('$1,500.00 en comisiones sin pago, de 3 relaciones')
    await choose(page, 'Afiliado', small.affiliate.company_name)
    await expect(line).toContainText('Ninguna comisión ganada está sin pago.')
  })

  await test.step('a calculation that finds nothing says why', async () => {
    await page.getByRole('button', { name: 'Crear Pago' }).first().click()
    await choose(dialog, 'Relación', `${early.affiliate.company_name} - ${pair.issuer.company_name}`)
    await field('Inicio del periodo').fill(dayFirst(addDays(today, -7)))
    await field('Fin del periodo').fill(dayFirst(today))
    await dialog.getByRole('button', { name: 'Calcular' }).click()
    await expect(dialog.getByText('Nada por pagar en este periodo')).toBeVisible()
    await expect(dialog.getByText(/^Ninguna comisión se puede pagar en él\. Las que están en validación/)).toBeVisible()
    await choose(dialog, 'Relación', `${small.affiliate.company_name} - ${pair.issuer.company_name}`)
    await field('Inicio del periodo').fill('10/03/2025')
    await dialog.getByRole('button', { name: 'Calcular' }).click()
    await expect(dialog.getByText(/ya incluye 1 comisión de este periodo/)).toBeVisible()
    // Others may be held or in validation.
    await expect(dialog.getByText(/^Ninguna otra se puede pagar en él\. Las que están en validación/)).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Descartar' }).click()
  })

  await test.step('who ends a relationship reads what is owed', async () => {
    await goByMenu(page, 'Relaciones')
    await page.getByRole('searchbox').fill(pair.affiliate.company_name)
    await page.getByRole('button', { name: `Editar ${names}` }).click()
    const edit = page.getByRole('dialog', { name: 'Editar Relación' })
    await choose(edit, 'Estado', 'Inactiva')
    const owed = 'Saldo por pagar: $370.00. Se conserva y se paga después, como finiquito.'
    await expect(edit.getByText(owed)).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Descartar' }).click()
    const row = page.getByRole('row').filter({ hasText: pair.affiliate.company_name })
    await chooseAction(row, `Eliminar ${names}`)
    await expect(page.getByRole('alertdialog').getByText(owed)).toBeVisible()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click()
    await expectToast(page, 'Relación eliminada exitosamente')
  })

  await test.step('so does who deletes a company', async () => {
    const { company_name } = pair.affiliate
    await goByMenu(page, 'Afiliados')
    await page.getByRole('searchbox').fill(company_name)
    await chooseAction(page.getByRole('row').filter({ hasText: company_name }), `Eliminar ${company_name}`)
    const question = page.getByRole('alertdialog')
    await expect(question.getByText('Saldo por pagar: $370.00.')).toBeVisible()
    await question.getByRole('button', { name: 'Cancelar' }).click()
  })

  await test.step('what is owed is paid afterwards, once', async () => {
    await goByMenu(page, 'Pagos')
    await choose(page, 'Emisor', pair.issuer.company_name)
    await page.getByRole('button', { name: 'Crear Pago' }).first().click()
    await choose(dialog, 'Relación', `${names} (finiquito: $370.00)`)
    await expect(dialog.getByText('Finiquito: $370.00 por pagar, desde el 10/03/2025.')).toBeVisible()
    await field('Inicio del periodo').fill('10/03/2025')
    await field('Fin del periodo').fill(dayFirst(today))
    await pay('370.00')
    await expectRow(page, { Afiliado: pair.affiliate.company_name, Monto: '$370.00' })
    await page.getByRole('button', { name: 'Crear Pago' }).first().click()
    await choiceOf(dialog, 'Relación').fill(pair.affiliate.company_name)
    await expect(page.getByText(/^Ninguna relación por pagar coincide\./)).toBeVisible()
  })
})
