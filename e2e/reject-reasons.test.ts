import { rulings } from '#contract/rulings.ts'
import { expect, test } from './fixtures.ts'
import { callsOf, expectRow, expectToast } from './screen.ts'

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
})
