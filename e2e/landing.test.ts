import type { Page } from '@playwright/test'
import { guidePath, guides } from '#contract/clients.ts'
import { expect, test } from './fixtures.ts'

/** What the browser refuses or complains about while the test runs. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

const expectPitch = (page: Page) =>
  expect(page.getByRole('heading', { level: 1 })).toContainText('Gestiona gratis tu red de afiliados')

test('without any script one reads the pitch and both legal texts, found from everywhere, and signs in to no address', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) })
  const page = await context.newPage()
  const complaints = complaintsOf(page)
  const heading = page.getByRole('heading', { level: 1 })
  const link = (name: string) => page.getByRole('link', { name, exact: true })

  await test.step('from the landing page to the texts', async () => {
    await page.goto('/landing')
    await expectPitch(page)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Aviso de privacidad' }).click()
    await expect(page).toHaveURL('/aviso-de-privacidad')
    await expect(heading).toHaveText('Aviso de privacidad')
    await expect(page.getByRole('heading', { name: 'Derechos ARCO y revocación del consentimiento' })).toBeVisible()
    await expect(page.locator('script')).toHaveCount(0)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Términos y condiciones' }).click()
    await expect(heading).toHaveText('Términos y condiciones')
  })

  await test.step('from the sign-in', async () => {
    await link('Iniciar sesión').click()
    await expect(page).toHaveURL('/login')
    await link('Términos y condiciones').click()
    await expect(page).toHaveURL('/terminos')
    await page.goBack()
    await link('Aviso de privacidad').click()
    await expect(page).toHaveURL('/aviso-de-privacidad')
    expect(complaints).toEqual([])
  })

  await test.step('from a link that leads nowhere', async () => {
    await page.goto('/api/v1/leads/redirect/999999999/?product_id=1')
    await link('Aviso de privacidad').click()
    await expect(heading).toHaveText('Aviso de privacidad')
  })

  await test.step('the sign-in says what it needs, and puts no password into the address', async () => {
    await link('Iniciar sesión').click()
    await expect(page.locator('noscript p')).toBeVisible()
    await page.getByLabel('Correo electrónico').fill('ana@banco.mx')
    await page.getByLabel('Contraseña', { exact: true }).fill('secreta-9')
    const sent = page.waitForRequest((request) => request.isNavigationRequest())
    await page.keyboard.press('Enter')
    expect((await sent).url()).not.toContain('secreta')
    await page.waitForLoadState()
    expect(page.url()).not.toContain('secreta')
  })
  await context.close()
})

test('the landing page: pictures in the theme of the page, films that stop, questions and chapters by keyboard', async ({
  page,
  signIn,
  request,
  baseURL,
}) => {
  const complaints = complaintsOf(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')

  await test.step('the keyboard skips to the content, and goes on to how one begins', async () => {
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Saltar al contenido' })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Comenzar gratis' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Dos comandos y ya está corriendo' })).toBeInViewport()
  })

  await test.step('questions open to their answers', async () => {
    const region = page.getByRole('region', { name: 'Preguntas y respuestas' })
    const answer = region.getByText(/^No mueve dinero/)
    await expect(answer).toBeHidden()
    await region.getByText('¿Afluente paga a los afiliados?').focus()
    await page.keyboard.press('Enter')
    await expect(answer).toBeVisible()
  })

  await test.step('where there are no accounts to try, the demo is the vision of the product', async () => {
    await page.getByRole('link', { name: 'Ver demo', exact: true }).click()
    await expect(page).toHaveURL(/\/#vision$/)
    await expect(page.getByRole('heading', { name: 'Visión del producto' })).toBeInViewport()
  })

  const drawn = (image: HTMLImageElement) => [image.currentSrc, image.complete ? image.naturalWidth : 0]

  await test.step('under the headline stands the Dashboard in the theme of the system', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
      const picture = page.getByRole('img', { name: /^Dashboard de un emisor/ })
      await picture.scrollIntoViewIfNeeded()
      await expect
        .poll(() => picture.evaluate(drawn))
        .toEqual([expect.stringContaining(`/dashboard-${colorScheme}-`), 1600])
    }
  })

  await test.step('films can be stopped, and stand still for who wants no motion', async () => {
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
    await page.emulateMedia({ reducedMotion: 'reduce' })
  })

  await test.step('the theme goes round, stays, and changes the pictures with it', async () => {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.getByRole('button', { name: 'Tema del sistema; cambiar a claro' }).click()
    await page.getByRole('button', { name: 'Tema claro; cambiar a oscuro' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await page.reload()
    await expect(page.getByRole('button', { name: 'Tema oscuro; cambiar a del sistema' })).toBeVisible()
    const pictures = page.getByRole('region', { name: 'El producto, tal como es' }).getByRole('img')
    await expect(pictures).toHaveCount(3)
    for (const picture of await pictures.all()) {
      await picture.scrollIntoViewIfNeeded()
      await expect.poll(() => picture.evaluate(drawn)).toEqual([expect.stringContaining('-dark-'), 1600])
    }
  })

  await test.step('who previews the link gets whole addresses, and the icons are there', async () => {
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
    const icons = (await manifest.json()).icons.map((icon: { src: string }) => icon.src)
    for (const path of ['/og.png', '/icon-180.png', ...icons])
      expect((await request.get(path)).headers()['content-type']).toMatch(/^image\//)
  })

  await test.step('on a phone a picture has its place before it comes, so that nothing moves when it does', async () => {
    expect(complaints).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.route('**/dashboard-*.webp', (route) => route.abort())
    await page.reload()
    const box = await page.getByRole('img', { name: /^Dashboard de un emisor/ }).boundingBox()
    expect(box?.width).toBeGreaterThan(300)
    expect((box?.height ?? 0) / (box?.width ?? 1)).toBeCloseTo(1440 / 780, 1)
  })

  await test.step('legal texts, guides and the documentation of the API are set in its type, and fit a phone', async () => {
    for (const address of ['/aviso-de-privacidad', '/terminos', '/api/docs', ...Object.keys(guides).map(guidePath)]) {
      await page.goto(address)
      const faces = await page.evaluate(() => document.fonts.load('1rem "Inter Variable"').then(({ length }) => length))
      expect(faces, address).toBe(1)
      const [shown, whole] = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth])
      expect(whole, address).toBe(shown)
    }
  })

  await test.step('the way home from a page that does not exist ends here, also for who is signed in', async () => {
    await signIn('admin')
    await page.goto('/no-existe')
    await page.getByRole('link', { name: 'Volver al inicio' }).click()
    await expectPitch(page)
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
  })
})
