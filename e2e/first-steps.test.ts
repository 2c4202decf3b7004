import { type FirstSteps, metrics } from '#contract/metrics.ts'
import { expect, test } from './fixtures.ts'
import { answerNext, expectNoViolations, success } from './screen.ts'

const ADMIN = '/app/admin/dashboard'
const EMPTY: FirstSteps = {
  issuer: false,
  product: false,
  event_step: false,
  affiliate: false,
  relationship: false,
  commission: false,
  event: false,
}

test('an empty network says what to do first, and where', async ({ page, signIn }) => {
  await signIn('admin')
  await answerNext(page, metrics.firstSteps, 200, success(EMPTY))
  await page.goto(ADMIN)
  const steps = page.getByRole('region', { name: 'Primeros pasos · 0 de 6' })
  await expect(steps.getByRole('listitem')).toHaveText([
    /Registra un emisor/,
    /Agrega un producto y sus pasos/,
    /Registra un afiliado/,
    /Relaciona al afiliado con el emisor/,
    /Define la comisión/,
    /Recibe un evento de prueba/,
  ])
  await expect(steps.getByRole('img', { name: 'Hecho' })).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Cifras de la red' })).toBeVisible()
  await steps.getByRole('link').click()
  await expect(page).toHaveURL('/app/admin/issuers')
})

test('what is done is ticked, and the next step is open', async ({ page, signIn }) => {
  await signIn('admin')
  await answerNext(page, metrics.firstSteps, 200, success({ ...EMPTY, issuer: true, product: true, affiliate: true }))
  await page.goto(ADMIN)
  const steps = page.getByRole('region', { name: 'Primeros pasos · 2 de 6' })
  await expect(steps.getByRole('img', { name: 'Hecho' })).toHaveCount(2)
  await expect(steps.getByRole('listitem').nth(1)).toHaveAttribute('aria-current', 'step')
  await expectNoViolations(page)
  await steps.getByRole('link', { name: 'Ir a Eventos' }).click()
  await expect(page).toHaveURL('/app/admin/events')
})

test('a commission is defined by the administrator, without waiting for the issuer', async ({ page, signIn }) => {
  await signIn('admin')
  const { commission: _, event: __, ...done } = EMPTY
  const made = Object.fromEntries(Object.keys(done).map((step) => [step, true]))
  await answerNext(page, metrics.firstSteps, 200, success({ ...EMPTY, ...made }))
  await page.goto(ADMIN)
  const steps = page.getByRole('region', { name: 'Primeros pasos · 4 de 6' })
  await expect(steps.getByRole('listitem').nth(4)).toContainText('Defínela tú')
  await steps.getByRole('link', { name: 'Ir a Comisiones' }).click()
  await expect(page).toHaveURL('/app/admin/commissions')
  await expect(page.getByRole('button', { name: 'Nueva Comisión' }).first()).toBeVisible()
})

test('they are gone once all six are done', async ({ page, signIn }) => {
  await signIn('admin')
  const all = Object.fromEntries(Object.keys(EMPTY).map((step) => [step, true]))
  await answerNext(page, metrics.firstSteps, 200, success(all))
  const answered = page.waitForResponse((response) => response.url().includes(metrics.firstSteps.path))
  await page.goto(ADMIN)
  await answered
  await expect(page.getByRole('region', { name: 'Cifras de la red' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Primeros pasos' })).toHaveCount(0)
})
