import { products } from '#contract/products.ts'
import { expect, test } from './fixtures.ts'
import { answerNext, expectToast, success } from './screen.ts'
import { endSession, go, remember } from './sessions.ts'

const DENIED = 'No tienes permisos para acceder a esta página. Contacta al administrador si crees que esto es un error.'

test('a visitor is sent to sign in, is told of an address that does not exist, and keeps the theme', async ({
  page,
}) => {
  const shown = page.locator('html')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/app/dashboard')
  await expect(page).toHaveURL('/login')
  for (const path of ['unauthorized', 'admin/leads', 'issuer/commissions', 'affiliate/products']) {
    await go(page, `/app/${path}`)
    await expect(page).toHaveURL('/login')
  }

  await test.step('the theme goes round and is remembered', async () => {
    await expect(shown).toHaveAttribute('data-theme', 'light')
    await page.getByRole('button', { name: 'Tema del sistema; cambiar a claro' }).click()
    await page.getByRole('button', { name: 'Tema claro; cambiar a oscuro' }).click()
    await expect(shown).toHaveAttribute('data-theme', 'dark')
    await page.reload()
    await expect(shown).toHaveAttribute('data-theme', 'dark')
  })

  await test.step('no such page', async () => {
    const logged: string[] = []
    page.on('console', (message) => logged.push(message.text()))
    await page.goto('/no-such-page')
    await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
    await expect(page).toHaveURL('/no-such-page')
    expect(logged.join()).toContain('/no-such-page')
    await expect(page.getByRole('link', { name: 'Volver al inicio' })).toHaveAttribute('href', '/')
  })
})

test('a screen of another role is refused, with three ways out; who has no role enters nowhere', async ({
  page,
  signIn,
  affiliate,
}) => {
  await signIn('affiliate', affiliate)
  await page.goto('/app/affiliate/products')
  await expect(page.getByRole('heading', { level: 1, name: 'Productos' })).toBeVisible()
  const enter = async () => {
    await go(page, '/app/admin/leads')
    await expect(page).toHaveURL('/app/unauthorized')
    await expect(page.getByText(DENIED)).toBeVisible()
  }
  await enter()
  const main = page.getByRole('main')
  await expect(main.getByRole('button')).toHaveText(['Volver', 'Ir al Dashboard', 'Cerrar sesión'])
  await main.getByRole('button', { name: 'Volver' }).click()
  await expect(page).toHaveURL('/app/affiliate/products')
  await enter()
  await main.getByRole('button', { name: 'Ir al Dashboard' }).click()
  await expect(page).toHaveURL('/app/affiliate/dashboard')
  await enter()

  await test.step('somebody without a role is a Usuario', async () => {
    const header = page.getByRole('banner')
    await expect(header.getByText('Ana Prueba')).toBeVisible()
    await expect(header.getByRole('link', { name: /^Afluente/ })).toBeVisible()
    await remember(page, { role: null })
    await page.goto('/app/affiliate/products')
    await expect(page).toHaveURL('/app/unauthorized')
    await expect(header.getByText('Usuario', { exact: true })).toBeVisible()
    await go(page, '/app/dashboard')
    await expect(page.getByText('Tu cuenta todavía no tiene un rol asignado')).toBeVisible()
    await expect(page).toHaveURL('/app/dashboard')
    await go(page, '/app/no-such-screen')
    await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
  })

  await go(page, '/app/unauthorized')
  await main.getByRole('button', { name: 'Cerrar sesión' }).click()
  await expect(page).toHaveURL('/login')
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

test('Salir ends the session in all tabs; one that the server ended leads to the sign-in, with the reason', async ({
  page,
  signIn,
  db,
  issuer,
  affiliate,
}) => {
  await signIn('issuer', issuer)
  await page.goto('/app/issuer/commissions')
  const [tab, other] = [await page.context().newPage(), await page.context().newPage()]

  await test.step('a new tab goes on with the session of an open one; another account stays its own', async () => {
    await tab.goto('/app/issuer/products?q=oro')
    await expect(tab.getByRole('heading', { level: 1, name: 'Productos' })).toBeVisible()
    await expect(tab).toHaveURL('/app/issuer/products?q=oro')
    await signIn('affiliate', affiliate, other)
    await other.goto('/app/affiliate/payments')
    await expect(other.getByRole('heading', { level: 1, name: 'Pagos' })).toBeVisible()
  })

  await page.getByRole('button', { name: 'Salir' }).click()
  await expect(page).toHaveURL('/login')
  await expect(tab).toHaveURL('/login')
  expect(await tab.evaluate(() => sessionStorage.length)).toBe(0)
  await other.reload()
  await expect(other.getByRole('heading', { level: 1, name: 'Pagos' })).toBeVisible()
  for (const each of [tab, other]) await each.close()
  await expectToast(page, 'Sesión cerrada')
  await page.keyboard.press('Alt+T')
  await expect(page.getByRole('region', { name: /^Notifications/ }).getByRole('list')).toBeFocused()
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  await go(page, '/app/issuer/commissions')
  await expect(page).toHaveURL('/login')

  const api = await signIn('issuer', issuer)
  await page.goto('/app/issuer/leads')
  await expect(page.getByRole('status')).toHaveText(['No hay leads registrados'])
  await page.waitForLoadState('networkidle') // a call still on its way would leave before the click
  await endSession(db, api)
  await page.getByRole('button', { name: 'Actualizar' }).click()
  await expect(page).toHaveURL('/login')
  await expectToast(page, 'Sesión expirada. Inicia sesión nuevamente.')
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
  await broken()
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Recargar página' }).click()])
  await page.getByRole('button', { name: 'Intentar nuevamente' }).click()
  await expect(page.getByRole('cell', { name: `${pair.product.name} Activo` })).toBeVisible()

  await test.step('a part of the application that does not arrive is told by the last net', async () => {
    await page.route(/-AffiliateLeadsPage\.js/, (route) => route.abort())
    await go(page, '/app/affiliate/leads')
    await expect(page.getByRole('heading', { name: 'Algo salió mal' })).toBeVisible()
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await page.unroute(/-AffiliateLeadsPage\.js/)
    await page.getByRole('button', { name: 'Intentar nuevamente' }).click()
    await expect(page.getByRole('heading', { name: 'Mis Leads', level: 1 })).toBeVisible()
  })

  await test.step('a browser that is too old for it gets a sentence instead', async () => {
    await page.addInitScript(() => Object.assign(CSS, { registerProperty: undefined }))
    for (const path of ['/app/affiliate/leads', '/login', '/']) {
      await page.goto(path)
      await expect(page.getByRole('alert').first()).toContainText('Tu navegador es anterior')
      await expect(page.locator('#root')).toBeHidden()
    }
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
})
