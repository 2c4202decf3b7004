import type { Page } from '@playwright/test'
import { auth } from '#contract/auth.ts'
import { products } from '#contract/products.ts'
import { everyone } from '#contract/roles.ts'
import type { Db } from '#db/connect.ts'
import { makeReceiver } from '#db/factories.ts'
import type { Api } from './api.ts'
import { expect, test } from './fixtures.ts'
import { answerNext, expectNoViolations, expectToast, success } from './screen.ts'

const DENIED = 'No tienes permisos para acceder a esta página. Contacta al administrador si crees que esto es un error.'

/** Changes what the browser remembers of the signed-in person. */
const remember = (page: Page, changes: Record<string, unknown>) =>
  page.evaluate((changed) => {
    const user = JSON.parse(sessionStorage.getItem('authUser') ?? '{}')
    sessionStorage.setItem('authUser', JSON.stringify({ ...user, ...changed }))
  }, changes)

/** And waits until the server knows it. */
async function endSession(db: Db, api: Api): Promise<void> {
  const { id } = await api.call(auth.profile)
  await db.updateTable('session').set({ revoked_at: new Date().toISOString() }).where('user_id', '=', id).execute()
  await expect.poll(() => api.call(auth.profile).then(() => '', String)).toContain('answered 401')
}

test('a visitor is sent to sign in', async ({ page }) => {
  for (const path of [
    '/app/dashboard',
    '/app/unauthorized',
    '/app/admin/leads',
    '/app/issuer/commissions',
    '/app/affiliate/products',
  ]) {
    await page.goto(path)
    await expect(page).toHaveURL('/login')
  }
})

test('an address that does not exist says so, to visitors and to those inside', async ({ page, signIn }) => {
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await page.goto('/no-such-page')
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
  await expect(page).toHaveURL('/no-such-page')
  expect(logged.join()).toContain('/no-such-page')
  await expectNoViolations(page)
  await expect(page.getByRole('link', { name: 'Volver al inicio' })).toHaveAttribute('href', '/')
  await signIn('admin')
  await page.goto('/app/admin/nothing')
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
})

test('a screen of another role is refused, with three ways out', async ({ page, signIn, affiliate }) => {
  await signIn('affiliate', affiliate)
  await page.goto('/app/affiliate/products')
  await expect(page.getByRole('heading', { level: 1, name: 'Productos' })).toBeVisible()
  const enter = async () => {
    await page.goto('/app/admin/leads')
    await expect(page).toHaveURL('/app/unauthorized')
    await expect(page.getByText(DENIED)).toBeVisible()
  }
  await enter()
  const main = page.getByRole('main')
  await expect(main.getByRole('button')).toHaveText(['Volver', 'Ir al Dashboard', 'Cerrar sesión'])
  await expectNoViolations(page)
  await main.getByRole('button', { name: 'Volver' }).click()
  await expect(page).toHaveURL('/app/affiliate/products')
  await enter()
  await main.getByRole('button', { name: 'Ir al Dashboard' }).click()
  await expect(page).toHaveURL('/app/affiliate/dashboard')
  await enter()
  await main.getByRole('button', { name: 'Cerrar sesión' }).click()
  await expect(page).toHaveURL('/login')
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

test('somebody without a role is a Usuario who may enter nowhere', async ({ page, signIn }) => {
  await signIn('admin')
  await remember(page, { role: null })
  await page.goto('/app/admin/leads')
  await expect(page).toHaveURL('/app/unauthorized')
  await expect(page.getByRole('banner').getByText('Usuario', { exact: true })).toBeVisible()
  await page.goto('/app/dashboard')
  await expect(page.getByText('Tu cuenta todavía no tiene un rol asignado')).toBeVisible()
  await expect(page).toHaveURL('/app/dashboard')
})

test('the header names the person as well as it can', async ({ page, signIn }) => {
  await signIn('admin')
  await page.goto('/app/unauthorized')
  const header = page.getByRole('banner')
  await expect(header.getByText('Ana Prueba')).toBeVisible()
  await expect(header.getByRole('link', { name: /^Afluente/ })).toBeVisible()
  await remember(page, { full_name: '' })
  await page.reload()
  await expect(header.getByText('Ana', { exact: true })).toBeVisible()
  await remember(page, { full_name: '', first_name: '' })
  await page.reload()
  await expect(header.getByText(/^persona\d+@pruebas\.mx$/)).toBeVisible()
})

const sidebars = {
  admin: {
    title: 'Panel Administrador',
    word: 'Administrador',
    items: {
      Dashboard: 'dashboard',
      Afiliados: 'affiliates',
      Emisores: 'issuers',
      Relaciones: 'relationships',
      Productos: 'products',
      Eventos: 'events',
      Usuarios: 'users',
      Leads: 'leads',
      Pagos: 'payments',
      Configuración: 'settings',
    },
  },
  issuer: {
    title: 'Panel Emisor',
    word: 'Emisor',
    items: {
      Dashboard: 'dashboard',
      Productos: 'products',
      Eventos: 'events',
      Pagos: 'payments',
      Afiliados: 'affiliates',
      Leads: 'leads',
      Configuraciones: 'settings',
    },
  },
  affiliate: {
    title: 'Panel Afiliado',
    word: 'Afiliado',
    items: {
      Dashboard: 'dashboard',
      Productos: 'products',
      Eventos: 'events',
      Leads: 'leads',
      Pagos: 'payments',
      Emisores: 'issuers',
      Configuraciones: 'settings',
    },
  },
}

for (const role of everyone) {
  test(`the sidebar of the role ${role} leads to its screens`, async ({ page, signIn, issuer, affiliate }) => {
    const { title, word, items } = sidebars[role]
    await signIn(role, { admin: undefined, issuer, affiliate }[role])
    await page.goto('/app/dashboard')
    await expect(page).toHaveURL(`/app/${role}/dashboard`)
    await expect(page.getByRole('banner').getByText(word, { exact: true })).toBeVisible()
    const menu = page.getByRole('navigation', { name: title })
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await expect(menu.getByRole('link')).toHaveText(Object.keys(items))
    // The one that is open already comes last.
    for (const [label, path] of Object.entries(items).toReversed()) {
      await menu.getByRole('link', { name: label, exact: true }).click()
      await expect(page).toHaveURL(`/app/${role}/${path}`)
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
      await expect(menu).toBeVisible()
    }
    for (const other of everyone.filter((each) => each !== role)) {
      await page.goto(`/app/${other}/${other === 'affiliate' ? 'campaigns' : 'payments'}`)
      await expect(page).toHaveURL('/app/unauthorized')
    }
  })
}

test('Salir ends the session', async ({ page, signIn, issuer }) => {
  await signIn('issuer', issuer)
  await page.goto('/app/issuer/commissions')
  await page.getByRole('button', { name: 'Salir' }).click()
  await expect(page).toHaveURL('/login')
  await expectToast(page, 'Sesión cerrada')
  await page.keyboard.press('Alt+T')
  await expect(page.getByRole('region', { name: /^Notifications/ }).getByRole('list')).toBeFocused()
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  await page.goto('/app/issuer/commissions')
  await expect(page).toHaveURL('/login')
})

test('a session that the server ended leads to the sign-in, with the reason', async ({ page, signIn, db, issuer }) => {
  const api = await signIn('issuer', issuer)
  await page.goto('/app/issuer/leads')
  await expect(page.getByRole('status')).toHaveText(['No hay leads registrados'])
  await page.waitForLoadState('networkidle') // a call still on its way would leave before the click
  await endSession(db, api)
  await page.getByRole('button', { name: 'Actualizar' }).click()
  await expect(page).toHaveURL('/login')
  await expectToast(page, 'Sesión expirada. Inicia sesión nuevamente.')
})

test('what was typed is not lost without a question, and who saved or lost the session is asked nothing', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { name } = pair.product
  const api = await signIn('admin')
  await page.goto(`/app/admin/products?q=${encodeURIComponent(name)}`)
  await page.getByRole('link', { name: 'Pagos' }).first().click()
  await expect(page.getByRole('heading', { name: 'Gestión de Pagos' })).toBeVisible()
  await page.goBack()
  const form = page.getByRole('dialog', { name: 'Editar Producto' })
  const field = form.getByLabel('Nombre')
  const type = async (text: string) => {
    await page.getByRole('button', { name: /^Editar/ }).click()
    await field.fill(text)
  }
  const goForward = () => page.evaluate(() => history.forward())
  const question = page.getByRole('alertdialog', { name: '¿Descartar los cambios?' })

  await type(`${name} plus`)
  await goForward()
  await expectNoViolations(page)
  await question.getByRole('button', { name: 'Seguir editando' }).click()
  await expect(field).toHaveValue(`${name} plus`)
  await expect(page).toHaveURL(/products/)
  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => void setTimeout(() => location.reload()))
  expect((await asked).type()).toBe('beforeunload')
  await (await asked).dismiss()
  await expect(field).toHaveValue(`${name} plus`)
  await goForward()
  await question.getByRole('button', { name: 'Descartar' }).click()
  await expect(page).toHaveURL('/app/admin/payments')

  await page.goBack()
  await type(`${name} oro`)
  await form.getByRole('button', { name: 'Actualizar' }).click()
  await expect(form).toHaveCount(0)
  await goForward()
  await expect(page).toHaveURL('/app/admin/payments')

  await page.goBack()
  await type(name)
  await endSession(db, api)
  await form.getByRole('button', { name: 'Actualizar' }).click()
  await expect(page).toHaveURL('/login')
  await expect(question).toHaveCount(0)
})

test('going back asks also where it would only close the form, and asks once', async ({ page, signIn }) => {
  await signIn('admin')
  await page.goto('/app/admin/payments')
  await expect(page.getByRole('heading', { name: 'Gestión de Pagos' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Buscar' }).fill('crear pago')
  await page.getByRole('option', { name: 'Crear pago' }).click()
  const form = page.getByRole('dialog', { name: 'Crear Pago' })
  const notes = form.getByLabel('Notas')
  await notes.fill('Folio 7')
  const question = page.getByRole('alertdialog', { name: '¿Descartar los cambios?' })
  const stay = question.getByRole('button', { name: 'Seguir editando' })
  const goBack = () =>
    page.evaluate(async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      addEventListener('popstate', () => setTimeout(resolve), { once: true })
      history.back()
      await promise
    })

  await goBack()
  await stay.click()
  await expect(question).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(question).toBeVisible()
  await goBack()
  await stay.click()
  await expect(question).toHaveCount(0)
  await expect(notes).toHaveValue('Folio 7')
  await goBack()
  await question.getByRole('button', { name: 'Descartar' }).click()
  await expect(form).toHaveCount(0)
  await expect(page).toHaveURL('/app/admin/payments')

  // A form that the screen holds, not the address.
  await page.goto('/app/admin/products?q=nadie')
  await page.getByRole('link', { name: 'Productos' }).first().click()
  await expect(page).toHaveURL('/app/admin/products')
  await page.getByRole('button', { name: 'Nuevo Producto' }).first().click()
  const product = page.getByRole('dialog', { name: 'Nuevo Producto' })
  await product.getByLabel('Nombre').fill('Tarjeta Folio 7')
  await goBack()
  await question.getByRole('button', { name: 'Descartar' }).click()
  await expect(product).toHaveCount(0)
  await expect(question).toHaveCount(0)
  await expect(page).toHaveURL('/app/admin/products')
})

test('the theme goes round and is remembered', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/login')
  const shown = page.locator('html')
  await expect(shown).toHaveAttribute('data-theme', 'light')
  await page.getByRole('button', { name: 'Tema del sistema; cambiar a claro' }).click()
  await page.getByRole('button', { name: 'Tema claro; cambiar a oscuro' }).click()
  await expect(shown).toHaveAttribute('data-theme', 'dark')
  await page.reload()
  await expect(shown).toHaveAttribute('data-theme', 'dark')
})

test('on a phone the menu is a drawer', async ({ page, signIn, issuer }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn('issuer', issuer)
  await page.goto('/app/issuer/leads')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Afiliados' })).toBeHidden()
  await page.getByRole('button', { name: 'Abrir menú' }).click()
  const drawer = page.getByRole('dialog', { name: 'Menú' })
  await expectNoViolations(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await drawer.getByRole('link', { name: 'Productos' }).click()
  await expect(page).toHaveURL('/app/issuer/products')
  await expect(drawer).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL('/app/issuer/leads')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(drawer).toBeHidden()
  await page.goForward()
  await expect(page).toHaveURL('/app/issuer/products')
  await page.getByRole('button', { name: 'Abrir menú' }).click()
  await drawer.getByRole('link', { name: 'Productos' }).click()
  await expect(drawer).toBeHidden()
})

test('a screen that breaks says so, and can be loaded anew and tried again', async ({ page, signIn, pair }) => {
  await signIn('affiliate', pair.affiliate)
  const broken = () => answerNext(page, products.list, 200, success(7))
  await broken()
  await page.goto('/app/affiliate/products')
  await expect(page.getByRole('heading', { name: 'Algo salió mal' })).toBeVisible()
  await expect(page.getByText('Ha ocurrido un error inesperado. Por favor, intenta nuevamente.')).toBeVisible()
  await page.getByText('Detalles del error').click()
  await expect(page.getByRole('alert').getByText(/lista|function|filter/)).toBeVisible()
  await expectNoViolations(page)
  await broken()
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Recargar página' }).click()])
  await page.getByRole('button', { name: 'Intentar nuevamente' }).click()
  await expect(page.getByRole('cell', { name: `${pair.product.name} Activo` })).toBeVisible()
})

test('a part of the application that does not arrive is told by the last net', async ({ page, signIn }) => {
  await signIn('admin')
  await page.route(/\/assets\/AdminLeadsPage/, (route) => route.abort())
  await page.goto('/app/admin/leads')
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
})

test('the keyboard goes on from the menu of a row that stays, and from the content where the row is gone', async ({
  page,
  signIn,
  db,
  affiliate,
}) => {
  await makeReceiver(db, { affiliate_id: affiliate.id, name: 'Mi rastreador' })
  await signIn('affiliate', affiliate)
  await page.goto('/app/affiliate/postbacks')
  const menu = page.getByRole('button', { name: 'Más acciones de Mi rastreador' })
  const question = page.getByRole('alertdialog', { name: 'Estás seguro?' })
  const ask = async () => {
    await menu.press('Enter')
    await page.getByRole('menuitem', { name: 'Eliminar Mi rastreador' }).press('Enter')
    await expect(question).toBeVisible()
  }
  await ask()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(menu).toBeFocused()

  // Of a question over a form that stays the menu behind it knows nothing.
  await menu.press('Enter')
  await page.getByRole('menuitem', { name: 'Editar Mi rastreador' }).press('Enter')
  const name = page.getByRole('dialog', { name: 'Editar Mi rastreador' }).getByLabel('Nombre')
  await name.fill('Mi otro rastreador')
  await page.mouse.click(5, 5)
  const discarding = page.getByRole('alertdialog', { name: '¿Descartar los cambios?' })
  await discarding.getByRole('button', { name: 'Seguir editando' }).press('Enter')
  await expect(name).toBeFocused()
  await page.keyboard.press('Escape')
  await discarding.getByRole('button', { name: 'Descartar' }).press('Enter')
  await expect(menu).toBeFocused()
  await ask()
  await question.getByRole('button', { name: 'Eliminar' }).press('Enter')
  await expect(page.getByText('Todavía no avisas a ninguna dirección')).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})
