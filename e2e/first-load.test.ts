import { expect, PASSWORD, test } from './fixtures.ts'
import { countScripts, expectLight, expectWithin, LIMITS, lists } from './script-bytes.ts'

test('what a visitor sees waits for at most as much script as promised, and the rest comes while somebody types', async ({
  page,
  makePerson,
}) => {
  const { email } = await makePerson('admin')
  const bytes = countScripts(page)
  await page.goto('/', { waitUntil: 'networkidle' })
  const landing = await bytes()
  expectWithin(landing, LIMITS['/'])
  await page.goto('/login', { waitUntil: 'networkidle' })
  expectWithin((await bytes()) - landing, LIMITS['/login'])

  const scripts: string[] = []
  page.on('request', (asked) => asked.resourceType() === 'script' && scripts.push(new URL(asked.url()).pathname))
  await page.getByLabel('Correo electrónico').fill(email)
  await expect.poll(() => scripts.some((path) => path.includes('-popups'))).toBe(true)
  // The page was idle before, so that its load state says nothing of these.
  let known = 0
  const more = () => {
    const before = known
    known = scripts.length
    return known - before
  }
  await expect.poll(more, { intervals: [3_000], timeout: 60_000 }).toBe(0)
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  expect(scripts.slice(known)).toEqual([])
})

test('a list waits for at most as much script as promised, and fetches its dialogs afterwards', async ({
  page,
  signIn,
}) => {
  await signIn('admin')
  await expectLight(page, lists.payments)
})
