import type { Page } from '@playwright/test'
import { auth, LOGIN_REFUSED } from '#contract/auth.ts'
import { expect, PASSWORD, test } from './fixtures.ts'
import { answerNext, callsOf, expectNoViolations, expectToast, hold, success } from './screen.ts'
import { readServed } from './server.ts'

const fields = (page: Page) => ({
  email: page.getByLabel('Correo electrónico'),
  password: page.getByLabel('Contraseña', { exact: true }),
  submit: page.getByRole('button', { name: 'Ingresar' }),
  /** Works once the script is there. */
  show: page.getByRole('button', { name: 'Mostrar contraseña' }),
})

async function openForm(page: Page) {
  await page.goto('/login')
  await expect(fields(page).show).toBeEnabled()
  return fields(page)
}

test('the page says what it is and hides the password', async ({ page }) => {
  const { email, password, submit, show } = await openForm(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Iniciar sesión')
  await expect(page).toHaveTitle(/Iniciar sesión/)
  await expect(email).toHaveAttribute('type', 'email')
  await expect(password).toHaveAttribute('type', 'password')
  await show.click()
  await expect(password).toHaveAttribute('type', 'text')
  await submit.click()
  await expectNoViolations(page)
})

test('a field says nothing before it is left, and then at every change', async ({ page }) => {
  const { email, password } = await openForm(page)
  await email.pressSequentially('ana@x')
  await expect(page.getByText('Formato de email inválido')).toBeHidden()
  await email.press('Tab')
  await expect(page.getByText('Formato de email inválido')).toBeVisible()
  await email.press('End')
  await email.pressSequentially('.com')
  await expect(page.getByText('Formato de email inválido')).toBeHidden()
  await expect(page.getByText('Email válido')).toBeVisible()
  await expect(page.getByText('Este campo es requerido')).toHaveCount(1) // the password, left empty on the way back
  await email.fill('')
  await expect(page.getByText('Este campo es requerido')).toHaveCount(2)
  await password.fill('12345')
  await expect(page.getByText('La contraseña debe tener al menos 6 caracteres')).toBeVisible()
  await password.fill('123456')
  await expect(page.getByText('Contraseña válida')).toBeVisible()
})

test('submitting says what is wrong and calls nobody', async ({ page }) => {
  const calls = callsOf(page, auth.login)
  const { email, password, submit } = await openForm(page)
  await submit.click()
  await expect(page.getByText('El correo electrónico es requerido')).toBeVisible()
  await expect(email).toBeFocused()
  await password.fill('12345')
  for (const wrong of ['ana', 'ana@', 'ana@x', 'ana@x.c', 'ana+1@mail.com']) {
    await email.fill(wrong)
    await submit.click()
    await expect(page.getByText(/^El formato del correo electrónico no es válido\. Ejemplo: \S+@\S+$/)).toBeVisible()
    await expect(page.getByText('La contraseña debe tener al menos 6 caracteres')).toBeVisible()
  }
  expect(calls).toEqual([])
  await email.fill('ana.b-c_1@mi-dominio.mx')
  await password.fill('123456')
  await submit.click()
  await expectToast(page, 'Error de inicio de sesión')
  expect(calls).toHaveLength(1)
})

test('a person signs in with the keyboard', async ({ page, makePerson }) => {
  const person = await makePerson('admin')
  const { email, password } = await openForm(page)
  await email.focus()
  await page.keyboard.type(person.email)
  await page.keyboard.press('Tab')
  await expect(password).toBeFocused()
  await page.keyboard.type(PASSWORD)
  const answered = await hold(page, auth.login)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Ingresando...' })).toBeVisible()
  answered()
  await expect(page).toHaveURL('/app/admin/dashboard')
  await expectToast(page, 'Bienvenido')
  await expectToast(page, person.name)
})

test('the person may stand in the answer beside the tokens', async ({ page, makePerson }) => {
  const { email, name } = await makePerson('admin')
  const form = await openForm(page)
  await page.route(`**${auth.login.path}`, async (route) => {
    const response = await route.fetch()
    const { data, ...envelope } = await response.json()
    const { user, ...tokens } = data
    await route.fulfill({ response, json: { ...envelope, data: { ...tokens, ...user } } })
  })
  await form.email.fill(email)
  await form.password.fill(PASSWORD)
  await form.submit.click()
  await expect(page).toHaveURL(/\/app\/admin\/dashboard$/)
  await expect(page.getByRole('banner').getByText(name)).toBeVisible()
})

test('with an urlBase the calls go to that server', async ({ page, makePerson }) => {
  const { email } = await makePerson('admin')
  const { publicUrl } = readServed()
  await page.goto('/login')
  // Another origin than the page's; the closing slash is dropped.
  const config = JSON.stringify({ urlBase: `${publicUrl}/` })
  await page.evaluate((text) => localStorage.setItem('afluente.config', text), config)
  const form = await openForm(page)
  await form.email.fill(email)
  await form.password.fill(PASSWORD)
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await form.submit.click()
  expect((await sent).url()).toBe(`${publicUrl}${auth.login.path}`)
  await expect(page).toHaveURL(/\/app\/admin\/dashboard$/)
  await expect(page.getByText('Total Usuarios')).toBeVisible()
})

test('a wrong password leaves the visitor outside', async ({ page, makePerson }) => {
  const person = await makePerson('admin')
  const { email, password, submit } = await openForm(page)
  await email.fill(person.email)
  await password.fill('otra-cosa')
  await submit.click()
  await expectToast(page, 'Error de inicio de sesión')
  await expectToast(page, LOGIN_REFUSED)
  await expect(page).toHaveURL('/login')
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  // A notice that is pointed at does not leave by itself.
  const notice = page.getByText('Error de inicio de sesión')
  await notice.hover()
  await password.fill(PASSWORD)
  await password.press('Enter')
  await expectToast(page, 'Bienvenido')
  await expect(notice).toHaveCount(0)
})

test('a refusal without a word and an answer without one of the tokens are told', async ({ page }) => {
  const user = { id: 1, email: 'ana@mail.com', role: 'admin' }
  const { email, password, submit } = await openForm(page)
  await email.fill(user.email)
  await password.fill('123456')
  for (const [status, body, text] of [
    [400, { message: '' }, 'No se pudo iniciar sesión. Inténtalo de nuevo.'],
    [200, success({ access: 'a', user }), 'Respuesta inválida del servidor'],
    [200, success({ refresh: 'r', user }), 'Respuesta inválida del servidor'],
  ] as const) {
    await answerNext(page, auth.login, status, body)
    const answered = page.waitForResponse((answer) => answer.url().includes(auth.login.path))
    await submit.click()
    await answered
    await expectToast(page, 'Error de inicio de sesión')
    await expectToast(page, text)
    const close = page.getByRole('button', { name: 'Cerrar aviso' })
    await close.click()
    await expect(close).toHaveCount(0) // the next answer brings one of its own
    await expect(submit).toBeVisible()
    await expect(page).toHaveURL('/login')
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  }
})

test('a server that cannot be reached is told', async ({ page, context }) => {
  const { email, password, submit } = await openForm(page)
  await email.fill('ana@mail.com')
  await password.fill('123456')
  await context.setOffline(true)
  await submit.click()
  await expectToast(page, 'Error de conexión. Inténtalo de nuevo.')
  await expect(page).toHaveURL('/login')
})

test('after signing in one arrives where one wanted to go', async ({ page, makePerson, issuer }) => {
  await page.goto('/app/issuer/leads?page_size=25')
  await expect(page).toHaveURL('/login')
  const person = await makePerson('issuer', issuer)
  const { email, password, submit } = fields(page)
  await email.fill(person.email)
  await password.fill(PASSWORD)
  await submit.click()
  await expect(page).toHaveURL('/app/issuer/leads?page_size=25')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mis Leads')
  await page.getByRole('button', { name: 'Salir' }).click()
  await page.goto('/app/issuer/settings#dos-pasos')
  await expect(page).toHaveURL('/login')
  await email.fill(person.email)
  await password.fill(PASSWORD)
  await submit.click()
  await expect(page).toHaveURL('/app/issuer/settings#dos-pasos')
})

/** The sign-in as it came from the server, until the returned function is called. */
async function openWithoutScript(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', (route) => promise.then(() => route.continue()))
  await page.goto('/login', { waitUntil: 'commit' })
  return resolve
}

test('the page is there before its script, which keeps what was typed and reports nothing to the policy', async ({
  page,
}) => {
  const refused: string[] = []
  page.on('console', (message) => refused.push(...(/policy/i.test(message.text()) ? [message.text()] : [])))
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.violatedDirective}`),
    ),
  )
  const release = await openWithoutScript(page)
  const { email, password, show } = fields(page)
  await email.fill('ana@banco.mx')
  await password.fill('secreta-9')
  await expect(show).toBeDisabled()
  release()
  await expect(show).toBeEnabled()
  await expect(email).toHaveValue('ana@banco.mx')
  await expect(password).toHaveValue('secreta-9')
  await expect(password).toBeFocused()
  expect(refused).toEqual([])
})

for (const how of ['the Enter key', 'the button']) {
  test(`what is submitted by ${how} before the script is there signs in once it is`, async ({ page, makePerson }) => {
    const person = await makePerson('admin')
    const calls = callsOf(page, auth.login)
    const asked: string[] = []
    page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`))
    const release = await openWithoutScript(page)
    const { email, password, submit } = fields(page)
    await email.fill(person.email)
    await password.fill(PASSWORD)
    if (how === 'the button') await submit.click()
    else await password.press('Enter')
    await expect(page.getByRole('button', { name: 'Ingresando...' })).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
    release()
    await expect(page).toHaveURL('/app/admin/dashboard')
    await expectToast(page, 'Bienvenido')
    expect(calls).toHaveLength(1)
    expect(asked.filter((each) => each.includes(PASSWORD) || /POST .*\/login$/.test(each))).toEqual([])
  })
}

test('an empty form that is submitted before the script is there says what is missing once it is', async ({ page }) => {
  const release = await openWithoutScript(page)
  const { email, password } = fields(page)
  await password.press('Enter')
  release()
  await expect(page.getByText('El correo electrónico es requerido')).toBeVisible()
  await expect(email).toBeFocused()
  await expect(fields(page).submit).toBeVisible()
})

test('without any script nothing is sent in the address, and the page says what it needs', async ({
  browser,
  baseURL,
}) => {
  const page = await browser.newPage({ javaScriptEnabled: false, ...(baseURL && { baseURL }) })
  await page.goto('/login')
  await expect(page.locator('noscript p')).toBeVisible()
  const { email, password } = fields(page)
  await email.fill('ana@banco.mx')
  await password.fill('secreta-9')
  await password.press('Enter')
  await page.waitForLoadState()
  expect(page.url()).not.toContain('secreta')
  await page.close()
})

test('whoever is signed in goes on to the dashboard and never sees the form', async ({ page, signIn }) => {
  await signIn('admin')
  const release = await openWithoutScript(page)
  const drawn = page.getByRole('heading', { name: 'Iniciar sesión', includeHidden: true })
  await expect(drawn).toBeAttached()
  await expect(drawn).toBeHidden()
  release()
  await expect(page).toHaveURL('/app/admin/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
