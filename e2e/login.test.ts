import type { Page } from '@playwright/test'
import { auth, LOGIN_REFUSED } from '#contract/auth.ts'
import { expect, PASSWORD, test } from './fixtures.ts'
import { callsOf, expectToast, fillSilently, hold } from './screen.ts'
import { readServed } from './server.ts'

const fields = (page: Page) => ({
  email: page.getByLabel('Correo electrónico'),
  password: page.getByLabel('Contraseña', { exact: true }),
  submit: page.getByRole('button', { name: 'Ingresar' }),
  /** Works once the script is there. */
  show: page.getByRole('button', { name: 'Mostrar contraseña' }),
})

test('the form says what is wrong, lets nobody in by a wrong password, and leads to where one wanted to go', async ({
  page,
  makePerson,
  issuer,
}) => {
  const person = await makePerson('issuer', issuer)
  const calls = callsOf(page, auth.login)
  const wanted = '/app/issuer/settings?desde=correo#dos-pasos'
  await page.goto(wanted)
  await expect(page).toHaveURL('/login')
  const { email, password, submit, show } = fields(page)

  await test.step('it says what it is and hides the password', async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Iniciar sesión')
    await expect(page).toHaveTitle(/Iniciar sesión/)
    await expect(email).toHaveAttribute('type', 'email')
    await expect(password).toHaveAttribute('type', 'password')
    await show.click()
    await expect(password).toHaveAttribute('type', 'text')
    await page.getByRole('button', { name: 'Ocultar contraseña' }).click()
    await expect(password).toHaveAttribute('type', 'password')
  })

  await test.step('a field says nothing before it is left, and then at every change', async () => {
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
    await password.fill('123456')
    await expect(page.getByText('Contraseña válida')).toBeVisible()
  })

  await test.step('submitting says more about what is wrong, and calls nobody', async () => {
    await password.fill('12345')
    await submit.click()
    await expect(page.getByText('El correo electrónico es requerido')).toBeVisible()
    await expect(page.getByText('La contraseña debe tener al menos 6 caracteres')).toBeVisible()
    await expect(email).toBeFocused()
    expect(calls).toEqual([])
  })

  await test.step('a wrong password leaves the visitor outside, also filled in without an event', async () => {
    await fillSilently(email, person.email)
    await fillSilently(password, 'otra-cosa')
    await submit.click()
    expect(calls).toHaveLength(1)
    await expectToast(page, 'Error de inicio de sesión')
    await expectToast(page, LOGIN_REFUSED)
    await expect(page).toHaveURL('/login')
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  })

  await test.step('the keyboard is enough to come in, which ends the notice of what went wrong', async () => {
    // A notice that is pointed at does not leave by itself.
    const notice = page.getByText('Error de inicio de sesión')
    await notice.hover()
    await email.focus()
    await page.keyboard.press('Tab')
    await expect(password).toBeFocused()
    await page.keyboard.type(PASSWORD)
    const answered = await hold(page, auth.login)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Ingresando...' })).toBeVisible()
    answered()
    await expect(page).toHaveURL(wanted)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Configuraciones')
    await expectToast(page, 'Bienvenido')
    await expectToast(page, person.name)
    await expect(notice).toHaveCount(0)
  })
})

/** The sign-in as it came from the server, until the returned function is called. */
async function openWithoutScript(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', (route) => promise.then(() => route.fallback()))
  await page.goto('/login', { waitUntil: 'commit' })
  return resolve
}

test('the page is there before its script: what is typed and submitted meanwhile is kept, and who is signed in never sees it', async ({
  page,
  makePerson,
}) => {
  const person = await makePerson('admin')
  const calls = callsOf(page, auth.login)
  const asked: string[] = []
  page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`))
  const refused: string[] = []
  page.on('console', (message) => refused.push(...(/policy/i.test(message.text()) ? [message.text()] : [])))
  const { publicUrl } = readServed()
  // Another origin than the page's, to which all calls go; the closing slash is dropped.
  await page.addInitScript((urlBase) => {
    localStorage.setItem('afluente.config', JSON.stringify({ urlBase }))
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) =>
      console.error(`policy: ${violatedDirective}`),
    )
  }, `${publicUrl}/`)
  const { email, password, submit, show } = fields(page)

  await test.step('what was typed is kept', async () => {
    const release = await openWithoutScript(page)
    await fillSilently(email, 'ana@banco.mx')
    await password.fill('secreta-9')
    await expect(show).toBeDisabled()
    release()
    await expect(show).toBeEnabled()
    await expect(email).toHaveValue('ana@banco.mx')
    await expect(password).toHaveValue('secreta-9')
    await expect(password).toBeFocused()
  })

  await test.step('an empty form that was submitted by its button says what is missing', async () => {
    const release = await openWithoutScript(page)
    await submit.click()
    await expect(page.getByRole('button', { name: 'Ingresando...' })).toBeVisible()
    release()
    await expect(page.getByText('El correo electrónico es requerido')).toBeVisible()
    await expect(email).toBeFocused()
    await expect(submit).toBeVisible()
    expect(calls).toEqual([])
  })

  await test.step('what was submitted by the Enter key signs in, once', async () => {
    const release = await openWithoutScript(page)
    await email.fill(person.email)
    await password.fill(PASSWORD)
    await password.press('Enter')
    await expect(page.getByRole('button', { name: 'Ingresando...' })).toBeVisible()
    await expect(page).toHaveURL('/login')
    release()
    await expect(page).toHaveURL('/app/admin/dashboard')
    await expectToast(page, 'Bienvenido')
    await expect(page.getByText('Total Usuarios')).toBeVisible()
    expect(calls.map(String)).toEqual([`${publicUrl}${auth.login.path}`])
    expect(asked.filter((each) => each.includes(PASSWORD) || /POST .*\/login$/.test(each))).toEqual([])
  })

  await test.step('who is signed in goes on to the dashboard', async () => {
    const release = await openWithoutScript(page)
    const drawn = page.getByRole('heading', { name: 'Iniciar sesión', includeHidden: true })
    await expect(drawn).toBeAttached()
    await expect(drawn).toBeHidden()
    release()
    await expect(page).toHaveURL('/app/admin/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
  expect(refused).toEqual([])
})
