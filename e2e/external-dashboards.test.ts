import type { Page } from '@playwright/test'
import { dashboards } from '#contract/dashboards.ts'
import { makeDashboard } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { answerNext, choose, chooseAction, expectRow, expectToast, success } from './screen.ts'

const PATH = '/app/admin/dashboards'
const URL_OF_BOARD = 'https://tableros.example.mx/publico/1'

/** The other tool, which no test may reach. */
const serveBoard = (page: Page) =>
  page.route('https://tableros.example.mx/**', (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: '<h1>Altas por día</h1>' }),
  )

test('the administrator gives a dashboard of another tool to an issuer, finds it, gives it to an affiliate and deletes it', async ({
  page,
  context,
  signIn,
  db,
  issuer,
  affiliate,
}) => {
  const name = `Captación ${issuer.id}`
  const hidden = { name: `Retirado ${issuer.id}`, iframe_url: 'https://retirada.example.mx/1' }
  await makeDashboard(db, hidden)
  await signIn('admin')
  await serveBoard(page)

  await test.step('where there is none, the screen says what is needed first', async () => {
    for (const empty of [dashboards.list, dashboards.origins]) await answerNext(page, empty, 200, success([]))
    await page.goto('/app/admin/settings')
    await page.getByRole('link', { name: 'Dashboards externos' }).click()
    await expect(page).toHaveURL(PATH)
    await expect(page.getByText('No hay dashboards de otras herramientas')).toBeVisible()
    await expect(page.getByText('Aún no hay orígenes permitidos')).toBeVisible()
    await page.reload()
  })

  await test.step('one is made, with what is wrong said beside its field', async () => {
    await page.getByRole('button', { name: 'Nuevo Dashboard' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Nuevo Dashboard' })
    await expect(dialog.getByText('Orígenes permitidos: https://tableros.example.mx')).toBeVisible()
    await dialog.getByLabel('Nombre').fill(name)
    await dialog.getByLabel('Descripción').fill('Altas por día y por canal')
    await dialog.getByLabel('Dirección').fill('https://otra.example.mx/1')
    await dialog.getByRole('button', { name: 'Crear' }).click()
    await expect(dialog.getByText('Rol es requerido')).toBeVisible()
    await choose(dialog, 'Rol', 'Emisor')
    await choose(dialog, 'Emisor', issuer.company_name)
    await dialog.getByRole('button', { name: 'Crear' }).click()
    await expect(
      dialog.getByText('El origen https://otra.example.mx no está permitido: quien opera el servidor debe agregarlo'),
    ).toBeVisible()
    await dialog.getByLabel('Dirección').fill(URL_OF_BOARD)
    await dialog.getByRole('button', { name: 'Crear' }).click()
    await expectToast(page, 'Dashboard creado exitosamente')
  })

  await test.step('it is found and seen as its audience sees it; one of another origin is not shown', async () => {
    await page.getByRole('searchbox').fill(String(issuer.id))
    await expectRow(page, { Nombre: name, Dirección: URL_OF_BOARD, Rol: 'Emisor', 'Quién lo ve': issuer.company_name })
    await expectRow(page, { Nombre: `${hidden.name}No se muestra`, 'Quién lo ve': 'Todos los emisores' })
    await page.getByRole('button', { name: `Ver ${name}` }).click()
    const preview = page.getByRole('dialog', { name })
    await expect(preview.frameLocator('iframe').getByRole('heading', { name: 'Altas por día' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: `Ver ${hidden.name}` }).click()
    await expect(page.getByText('agregar https://retirada.example.mx a la variable DASHBOARD_ORIGINS')).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('the issuer reads it in its own dashboard', async () => {
    const other = await context.newPage()
    await serveBoard(other)
    await signIn('issuer', issuer, other)
    await other.goto('/app/issuer/dashboard')
    await choose(other, 'Tablero', name)
    await expect(other.getByText('Altas por día y por canal')).toBeVisible()
    const frame = other.getByTitle(name, { exact: true })
    await expect(frame).toHaveAttribute('src', URL_OF_BOARD)
    await expect(frame.contentFrame().getByRole('heading', { name: 'Altas por día' })).toBeVisible()
    await other.close()
  })

  await test.step('it is given to an affiliate, and deleted', async () => {
    await page.getByRole('button', { name: `Editar ${name}` }).click()
    const dialog = page.getByRole('dialog', { name: 'Editar Dashboard' })
    await choose(dialog, 'Rol', 'Afiliado')
    await choose(dialog, 'Afiliado', affiliate.company_name)
    await dialog.getByRole('button', { name: 'Actualizar' }).click()
    await expectToast(page, 'Dashboard actualizado exitosamente')
    const row = await expectRow(page, { Nombre: name, Rol: 'Afiliado', 'Quién lo ve': affiliate.company_name })
    await chooseAction(row, `Eliminar ${name}`)
    const question = page.getByRole('alertdialog', { name: 'Estás seguro?' })
    await expect(question).toContainText(affiliate.company_name)
    await question.getByRole('button', { name: 'Eliminar' }).click()
    await expectToast(page, 'Dashboard eliminado exitosamente')
    await expect(row).toHaveCount(0)
  })
})
