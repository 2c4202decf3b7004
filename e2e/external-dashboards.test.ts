import type { Page } from '@playwright/test'
import { dashboards } from '#contract/dashboards.ts'
import { makeDashboard } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import {
  answerNext,
  choose,
  chooseAction,
  expectNoViolations,
  expectRow,
  expectToast,
  failNext,
  success,
} from './screen.ts'

const PATH = '/app/admin/dashboards'
const URL_OF_BOARD = 'https://tableros.example.mx/publico/1'

/** The other tool, which no test may reach. */
const serveBoard = (page: Page) =>
  page.route('https://tableros.example.mx/**', (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: '<h1>Altas por día</h1>' }),
  )

test('a dashboard of another tool reaches the issuer that it was made for', async ({
  page,
  context,
  signIn,
  issuer,
}) => {
  const name = `Captación ${issuer.id}`
  await signIn('admin')
  await serveBoard(page)
  for (const empty of [dashboards.list, dashboards.origins]) await answerNext(page, empty, 200, success([]))
  await page.goto('/app/admin/settings')
  await page.getByRole('link', { name: 'Dashboards externos' }).click()
  await expect(page).toHaveURL(PATH)
  await expect(page.getByText('No hay dashboards de otras herramientas')).toBeVisible()
  await expect(page.getByText('Aún no hay orígenes permitidos')).toBeVisible()
  await expectNoViolations(page)

  await page.reload()
  await page.getByRole('button', { name: 'Nuevo Dashboard' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo Dashboard' })
  await expect(dialog.getByText('Orígenes permitidos: https://tableros.example.mx')).toBeVisible()
  await dialog.getByLabel('Nombre').fill(name)
  await dialog.getByLabel('Descripción').fill('Altas por día y por canal')
  await dialog.getByLabel('Dirección').fill('http://tableros.example.mx/publico/1')
  await dialog.getByRole('button', { name: 'Crear' }).click()
  await expect(dialog.getByText('Debe ser una dirección https:// completa')).toBeVisible()
  await expect(dialog.getByText('Rol es requerido')).toBeVisible()
  await choose(dialog, 'Rol', 'Emisor')
  await choose(dialog, 'Emisor', issuer.company_name)
  await dialog.getByLabel('Dirección').fill('https://otra.example.mx/1')
  await dialog.getByRole('button', { name: 'Crear' }).click()
  await expect(
    dialog.getByText('El origen https://otra.example.mx no está permitido: quien opera el servidor debe agregarlo'),
  ).toBeVisible()
  await expectNoViolations(page)
  await dialog.getByLabel('Dirección').fill(URL_OF_BOARD)
  await dialog.getByRole('button', { name: 'Crear' }).click()
  await expectToast(page, 'Dashboard creado exitosamente')
  await expectRow(page, { Nombre: name, Dirección: URL_OF_BOARD, Rol: 'Emisor', 'Quién lo ve': issuer.company_name })
  await page.getByRole('button', { name: `Ver ${name}` }).click()
  const preview = page.getByRole('dialog', { name })
  await expect(preview.frameLocator('iframe').getByRole('heading', { name: 'Altas por día' })).toBeVisible()

  const other = await context.newPage()
  await serveBoard(other)
  await signIn('issuer', issuer, other)
  await other.goto('/app/issuer/dashboard')
  await choose(other, 'Tablero', name)
  await expect(other.getByText('Altas por día y por canal')).toBeVisible()
  const frame = other.getByTitle(name, { exact: true })
  await expect(frame).toHaveAttribute('src', URL_OF_BOARD)
  await expect(frame).toHaveAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms allow-popups')
  await expect(frame.contentFrame().getByRole('heading', { name: 'Altas por día' })).toBeVisible()
})

test('the list survives a failed load; boards are found, given to others and deleted', async ({
  page,
  signIn,
  db,
  issuer,
  affiliate,
}) => {
  const [board, hidden] = [
    await makeDashboard(db, { name: `Ingresos ${issuer.id}`, issuer_id: issuer.id }),
    await makeDashboard(db, { name: `Retirado ${issuer.id}`, iframe_url: 'https://retirada.example.mx/1' }),
  ]
  await signIn('admin')
  await failNext(page, dashboards.list)
  await page.goto(`${PATH}?q=${issuer.id}`)
  const failure = page.getByRole('alert').filter({ hasText: 'Error al cargar los dashboards' })
  await failure.getByRole('button', { name: 'Reintentar' }).click()
  await expectRow(page, { Nombre: `${hidden.name}No se muestra`, 'Quién lo ve': 'Todos los emisores' })
  await expectNoViolations(page)
  await page.getByRole('button', { name: `Ver ${hidden.name}` }).click()
  await expect(page.getByText('agregar https://retirada.example.mx a la variable DASHBOARD_ORIGINS')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: `Editar ${board.name}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Editar Dashboard' })
  await choose(dialog, 'Rol', 'Afiliado')
  await choose(dialog, 'Afiliado', affiliate.company_name)
  await dialog.getByRole('button', { name: 'Actualizar' }).click()
  await expectToast(page, 'Dashboard actualizado exitosamente')
  const row = await expectRow(page, { Nombre: board.name, Rol: 'Afiliado', 'Quién lo ve': affiliate.company_name })
  await chooseAction(row, `Eliminar ${board.name}`)
  const question = page.getByRole('alertdialog', { name: 'Estás seguro?' })
  await expect(question).toContainText(affiliate.company_name)
  await question.getByRole('button', { name: 'Eliminar' }).click()
  await expectToast(page, 'Dashboard eliminado exitosamente')
  await expect(row).toHaveCount(0)
})
