import { guidePath, guides } from '#contract/clients.ts'
import { expect, test } from './fixtures.ts'
import { expectNoViolations } from './screen.ts'

test('the privacy notice and the terms are found from everywhere, without signing in and without scripts', async ({
  page,
}) => {
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Aviso de privacidad' }).click()
  await expect(page).toHaveURL('/aviso-de-privacidad')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Aviso de privacidad')
  await expect(page.getByRole('heading', { name: 'Derechos ARCO y revocación del consentimiento' })).toBeVisible()
  await expect(page.locator('script')).toHaveCount(0)
  await expectNoViolations(page)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Términos y condiciones' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Términos y condiciones')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoViolations(page)

  await page.getByRole('link', { name: 'Iniciar sesión' }).click()
  await expect(page).toHaveURL('/login')
  await page.getByRole('link', { name: 'Términos y condiciones' }).click()
  await expect(page).toHaveURL('/terminos')
  await page.goBack()
  await page.getByRole('link', { name: 'Aviso de privacidad' }).click()
  await expect(page).toHaveURL('/aviso-de-privacidad')
  expect(complaints).toEqual([])

  await page.goto('/api/v1/leads/redirect/999999999/?product_id=1')
  await page.getByRole('link', { name: 'Aviso de privacidad' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Aviso de privacidad')
})

test('legal texts and the documentation of the API are set in the type of the product, and fit a phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const address of ['/aviso-de-privacidad', '/terminos', '/api/docs', ...Object.keys(guides).map(guidePath)]) {
    await page.goto(address)
    expect(
      await page.evaluate(() => document.fonts.load('1rem "Inter Variable"').then((faces) => faces.length)),
      address,
    ).toBe(1)
    const [shown, whole] = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth])
    expect(whole, address).toBe(shown)
  }
})
