import type { Page } from '@playwright/test'
import { LOGIN_REFUSED } from '#contract/auth.ts'
import { expect, PASSWORD, test } from './fixtures.ts'
import { expectToast } from './screen.ts'
import { go } from './sessions.ts'

/**
 * As browsers translate: every text gives its place to <font><font>…</font></font>, now and whenever one comes; each second
 * time the text itself goes along, which others do.
 */
const translate = (page: Page) =>
  page.evaluate(() => {
    let turn = 0
    const wrap = (text: Text) => {
      if (!text.data.trim() || !text.parentElement || text.parentElement.closest('font, script, style')) return
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      outer.append(inner)
      if (turn++ % 2) inner.append(text.data)
      text.replaceWith(outer)
      if (!inner.hasChildNodes()) inner.append(text)
    }
    const wrapAll = (root: Node) => {
      const texts = document.createNodeIterator(root, NodeFilter.SHOW_TEXT)
      const found: Text[] = []
      for (let text = texts.nextNode(); text; text = texts.nextNode()) found.push(text as Text)
      for (const text of found) wrap(text)
    }
    new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) wrapAll(node)
    }).observe(document.body, { childList: true, subtree: true })
    wrapAll(document.body)
  })

test('pages that the browser translates go on: fields, lists, dialogs and figures show what is so now', async ({
  page,
  makePerson,
  signIn,
  pair,
}) => {
  const broken: string[] = []
  page.on('pageerror', ({ message }) => broken.push(message))
  const person = await makePerson('admin')
  const search = page.getByRole('searchbox')

  await test.step('the sign-in', async () => {
    await page.goto('/login')
    await expect(page.getByRole('button', { name: 'Mostrar contraseña' })).toBeEnabled()
    await translate(page)
    const [email, password] = [page.getByLabel('Correo electrónico'), page.getByLabel('Contraseña', { exact: true })]
    const submit = page.getByRole('button', { name: 'Ingresar' })
    await submit.click()
    await expect(page.getByText('El correo electrónico es requerido')).toBeVisible()
    await email.fill(person.email)
    await expect(page.getByText('El correo electrónico es requerido')).toHaveCount(0)
    await password.fill('otra-cosa')
    await submit.click()
    await expectToast(page, LOGIN_REFUSED)
    await password.fill(PASSWORD)
    await submit.click()
    await expect(page).toHaveURL('/app/admin/dashboard')
    await expect(page.getByText('Total Usuarios')).toBeVisible()
  })

  await test.step('a list of the administrator, its search and its form', async () => {
    await go(page, '/app/admin/affiliates', 'Afiliados')
    await search.fill('zzzz')
    await expect(page.getByText('No se encontraron resultados para la búsqueda')).toBeVisible()
    await search.fill(pair.affiliate.rfc)
    await expect(page.getByText('No se encontraron resultados para la búsqueda')).toHaveCount(0)
    await expect(page.getByRole('cell', { name: pair.affiliate.rfc })).toBeVisible()
    await page.getByRole('button', { name: 'Nuevo Afiliado' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Nuevo Afiliado' })
    await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
    await expect(dialog.getByText('Dirección es requerida')).toBeVisible()
    await dialog.getByLabel('RFC').fill('ABC010101AB')
    await expect(dialog.getByText('RFC debe tener entre 12 y 13 caracteres')).toBeVisible()
    await dialog.getByLabel('RFC').fill('ABC010101AB1')
    await expect(dialog.getByText('RFC debe tener entre 12 y 13 caracteres')).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Cancelar' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Descartar' }).click()
    await expect(dialog).toHaveCount(0)
  })

  await test.step('a list of the issuer, from loading to its rows and to none', async () => {
    await signIn('issuer', pair.issuer)
    await page.goto('/app/issuer/affiliates')
    await translate(page)
    await expect(page.getByRole('cell', { name: pair.affiliate.company_name, exact: true })).toBeVisible()
    await expect(page.getByText(/^Cargando/)).toHaveCount(0)
    await search.fill('zzzz')
    await expect(page.getByRole('cell', { name: pair.affiliate.company_name, exact: true })).toHaveCount(0)
    await search.fill('')
    await expect(page.getByRole('cell', { name: pair.affiliate.company_name, exact: true })).toBeVisible()
  })

  await test.step('a link of the affiliate, which follows what is typed', async () => {
    await signIn('affiliate', pair.affiliate)
    await page.goto('/app/affiliate/products')
    await translate(page)
    await page.getByRole('button', { name: `Ver ${pair.product.name}` }).click()
    const dialog = page.getByRole('dialog', { name: pair.product.name })
    for (const typed of ['mesa-4', 'mesa-5']) {
      await dialog.getByLabel('external_id').fill(typed)
      await expect(dialog.getByText(`external_id=${typed}`).first()).toBeVisible()
    }
    await expect(dialog.getByText('external_id=mesa-4')).toHaveCount(0)
  })
  expect(broken).toEqual([])
})
