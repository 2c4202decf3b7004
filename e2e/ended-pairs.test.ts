import type { Locator } from '@playwright/test'
import { addDays, dateInMexico, dayFirst } from '#contract/time.ts'
import { makeEntry } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { choiceOf, choose, chooseAction, expectNoViolations, expectRow, expectToast } from './screen.ts'

const field = (dialog: Locator, label: string) => dialog.getByLabel(label, { exact: true })

test('who ends a relationship reads what is owed, and it is paid afterwards', async ({ page, signIn, db, pair }) => {
  await makeEntry(db, pair.ids, { amount: '900.00' })
  const name = `${pair.affiliate.company_name} - ${pair.issuer.company_name}`
  await signIn('admin')
  await page.goto(`/app/admin/relationships?emisor=${pair.issuer.id}`)
  await page.getByRole('button', { name: `Editar ${name}` }).click()
  const edit = page.getByRole('dialog', { name: 'Editar Relación' })
  await choose(edit, 'Estado', 'Inactiva')
  const owed = 'Saldo por pagar: $900.00. Se conserva y se paga después, como finiquito.'
  await expect(edit.getByText(owed)).toBeVisible()
  await expectNoViolations(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Descartar' }).click()
  await chooseAction(page, `Eliminar ${name}`)
  const question = page.getByRole('alertdialog')
  await expect(question.getByText(owed)).toBeVisible()
  await expectNoViolations(page)
  await question.getByRole('button', { name: 'Eliminar' }).click()
  await expectToast(page, 'Relación eliminada exitosamente')

  await page.goto(`/app/admin/payments?emisor=${pair.issuer.id}`)
  await page.getByRole('button', { name: 'Crear Pago' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Crear Pago' })
  await choose(dialog, 'Relación', `${name} (finiquito: $900.00)`)
  await expect(dialog.getByText(`Finiquito: $900.00 por pagar, desde el ${dayFirst(dateInMexico())}.`)).toBeVisible()
  await field(dialog, 'Inicio del periodo').fill(dayFirst(addDays(dateInMexico(), -7)))
  await field(dialog, 'Fin del periodo').fill(dayFirst(dateInMexico()))
  await dialog.getByRole('button', { name: 'Calcular' }).click()
  await expect(field(dialog, 'Monto total (MXN)')).toHaveValue('900.00')
  await field(dialog, 'Fecha de pago').fill(dayFirst(dateInMexico()))
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  await expectToast(page, 'Pago creado exitosamente')
  await expectRow(page, { Afiliado: pair.affiliate.company_name, Monto: '$900.00' })
  await page.getByRole('button', { name: 'Crear Pago' }).first().click()
  await choiceOf(dialog, 'Relación').fill(pair.affiliate.company_name)
  await expect(page.getByText(/^Ninguna relación por pagar coincide\./)).toBeVisible()
})

test('who deletes a company reads what is owed', async ({ page, signIn, db, pair }) => {
  await makeEntry(db, pair.ids, { amount: '900.00' })
  await signIn('admin')
  for (const [path, company] of [
    ['affiliates', pair.affiliate],
    ['issuers', pair.issuer],
  ] as const) {
    await page.goto(`/app/admin/${path}?q=${encodeURIComponent(company.company_name)}`)
    await chooseAction(page, `Eliminar ${company.company_name}`)
    await expect(page.getByRole('alertdialog').getByText('Saldo por pagar: $900.00.')).toBeVisible()
  }
  await expectNoViolations(page)
})
