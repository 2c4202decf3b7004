import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectNoViolations } from './screen.ts'

/** What the browser refuses or complains about while the test runs. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

test('both addresses show the same page to a visitor', async ({ page }) => {
  const complaints = complaintsOf(page)
  await page.goto('/landing')
  await expect(page).toHaveURL(/\/landing$/)
  const text = await page.locator('body').textContent()
  await page.goto('/')
  await expect(page).toHaveURL(/\/$/)
  expect(await page.locator('body').textContent()).toBe(text)
  expect(complaints).toEqual([])
})

test('somebody who is signed in sees it too', async ({ page, signIn }) => {
  await signIn('admin')
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Gestiona gratis tu red de afiliados')
})

test('it pitches, shows and explains without any script', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Gestiona gratis tu red de afiliados')
  await expect(page.getByText(/Métricas, comisiones y rendimiento en tiempo real para quienes emiten/)).toBeVisible()
  const flow = page.getByRole('region', { name: 'Muchos clics, un solo cauce' })
  await expect(flow.getByRole('heading', { level: 3 })).toHaveText(['Clic', 'Lead', 'Comisión', 'Pago'])
  await expect(flow).toContainText('con el monto del clic o uno mejor')
  await expect(page.getByRole('region', { name: /^Ningún clic, evento o peso/ })).toContainText(
    'Cada lead gana el mejor de dos montos: el de su clic y el de su evento.',
  )
  const roadmap = page.getByRole('region', { name: 'Hoja de ruta en cuatro fases' })
  await expect(roadmap.getByRole('listitem').getByRole('heading')).toHaveText([
    'Inicio controlado',
    'Plataforma semiautomatizada',
    'Automatización completa',
    'Sofisticación avanzada con IA',
  ])
  const vision = page.getByRole('region', { name: 'Visión del producto' })
  await expect(vision.getByRole('listitem').getByRole('heading')).toHaveText([
    'Centralización y gobernanza',
    'Trazabilidad inicial',
    'Visibilidad ejecutiva',
  ])
  await expect(page.getByRole('contentinfo')).toContainText('© 2024 Afluente')
  await context.close()
})

for (const name of ['Inicio de Sesión', 'Ya tengo cuenta']) {
  test(`'${name}' leads to the sign-in`, async ({ page }) => {
    await page.goto('/')
    await page.getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByRole('heading', { name: 'Iniciar sesión' })).toBeVisible()
  })
}

test("'Comenzar gratis' leads to how the product and its demonstration are installed", async ({ page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Comenzar gratis', exact: true }).click()
  const region = page.getByRole('region', { name: 'Dos comandos y ya está corriendo' })
  await expect(region.getByRole('heading', { level: 2 })).toBeInViewport()
  await expect(region.getByRole('listitem')).toContainText(['npm start', 'npm test'])
  await expect(region).toContainText('red de demostración')
})

test('under the headline stands the Dashboard in the theme of the page', async ({ page }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto('/')
    const picture = page.getByRole('img', { name: /^Dashboard de un emisor/ })
    await expect(picture).toHaveCount(1)
    await expect(picture).toHaveJSProperty('complete', true)
    expect(await picture.evaluate((image: HTMLImageElement) => [image.currentSrc, image.naturalWidth])).toEqual([
      expect.stringContaining(`/dashboard-${colorScheme}-`),
      1600,
    ])
  }
})

test('a picture has its place before it comes, so that nothing moves when it does', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.route('**/dashboard-*.webp', (route) => route.abort())
  await page.goto('/')
  const box = await page.getByRole('img', { name: /^Dashboard de un emisor/ }).boundingBox()
  expect(box?.width).toBeGreaterThan(300)
  expect((box?.height ?? 0) / (box?.width ?? 1)).toBeCloseTo(1440 / 780, 1)
})

test('films can be stopped, and stand still for who wants no motion', async ({ page }) => {
  await page.goto('/')
  const region = page.getByRole('region', { name: 'El producto, tal como es' })
  const motions = () =>
    region.evaluate((chapter) => chapter.getAnimations({ subtree: true }).map(({ playState }) => playState))
  const stop = region.getByRole('checkbox', { name: 'Detener: Cierra el mes' })
  expect(await motions()).toEqual([])
  await expect(stop).toBeHidden()
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expect.poll(motions).toEqual(Array(6).fill('running'))
  await stop.check()
  expect((await motions()).filter((state) => state === 'paused')).toHaveLength(2)
})

test('questions open to their answers, by keyboard too', async ({ page }) => {
  await page.goto('/')
  const region = page.getByRole('region', { name: 'Preguntas y respuestas' })
  const answer = region.getByText(/^No mueve dinero/)
  await expect(answer).toBeHidden()
  await region.getByText('¿Afluente paga a los afiliados?').focus()
  await region.getByText('¿Afluente paga a los afiliados?').press('Enter')
  await expect(answer).toBeVisible()
})

test('where there are no accounts to try, the demo is the vision of the product', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Ver demo', exact: true }).click()
  await expect(page).toHaveURL(/\/#vision$/)
  await expect(page.getByRole('heading', { name: 'Visión del producto' })).toBeInViewport()
})

test("'Contacto y Soporte' leads nowhere until the operator says where", async ({ page, context }) => {
  await page.goto('/')
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Contacto y Soporte', exact: true })
  await expect(link).toBeDisabled()
  await link.click({ force: true })
  await expect(page).toHaveURL(/\/$/)
  expect(context.pages()).toHaveLength(1)
})

test('the way home from a page that does not exist ends here', async ({ page }) => {
  await page.goto('/no-existe')
  await page.getByRole('link', { name: 'Volver al inicio' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Gestiona gratis')
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
})

test('the theme goes round, stays, and changes the pictures with it', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  await page.getByRole('button', { name: 'Tema del sistema; cambiar a claro' }).click()
  await page.getByRole('button', { name: 'Tema claro; cambiar a oscuro' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Tema oscuro; cambiar a del sistema' })).toBeVisible()
  const pictures = page.getByRole('region', { name: 'El producto, tal como es' }).getByRole('img')
  await expect(pictures).toHaveCount(3)
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded()
    await expect(picture).toHaveJSProperty('complete', true)
    expect(await picture.evaluate((image: HTMLImageElement) => [image.currentSrc, image.naturalWidth])).toEqual([
      expect.stringContaining('-dark-'),
      1600,
    ])
  }
})

test('the keyboard skips to the content', async ({ page }) => {
  await page.goto('/')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Saltar al contenido' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Comenzar gratis' })).toBeFocused()
})

test('who previews the link gets whole addresses, and the icons are there', async ({ page, request, baseURL }) => {
  await page.goto('/landing')
  await expect(page).toHaveTitle(/^Afluente: /)
  // As PUBLIC_URL names the server (e2e/server.ts).
  const publicUrl = baseURL?.replace('127.0.0.1', 'localhost')
  for (const [selector, attribute, path] of [
    ['link[rel=canonical]', 'href', '/'],
    ['meta[property="og:url"]', 'content', '/'],
    ['meta[property="og:image"]', 'content', '/og.png'],
  ] as const)
    await expect(page.locator(selector)).toHaveAttribute(attribute, `${publicUrl}${path}`)
  const manifest = await request.get('/manifest.webmanifest')
  expect(manifest.headers()['content-type']).toContain('application/manifest+json')
  for (const path of [
    '/og.png',
    '/icon-180.png',
    ...(await manifest.json()).icons.map((icon: { src: string }) => icon.src),
  ])
    expect((await request.get(path)).headers()['content-type']).toMatch(/^image\//)
})

test('the landing page has no violations', async ({ page }) => {
  await page.goto('/')
  await expectNoViolations(page)
})
