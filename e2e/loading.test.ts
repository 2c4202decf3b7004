import { auth } from '#contract/auth.ts'
import { issuers } from '#contract/issuers.ts'
import { payments } from '#contract/payments.ts'
import { makeEntry, makePayment } from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { expectNothingMoved, expectSteady } from './layout-shift.ts'
import { hold } from './screen.ts'

// The other screens are in e2e/loading.all.test.ts.

test('nothing moves when what loads is there: settings, and a list beside the panel that its address opens', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { id } = await makePayment(db, pair.ids)
  const api = await signIn('issuer', pair.issuer)
  // As every company that has begun: with its keys.
  for (const rotate of [issuers.rotateKey, issuers.rotatePostbackToken])
    await api.call(rotate, { params: { id: pair.issuer.id } })
  await expectSteady(page, { path: '/app/issuer/settings', loads: [auth.profile, issuers.get], loaded: 'Último uso' })

  await signIn('affiliate', pair.affiliate)
  const release = await hold(page, payments.list)
  await page.goto(`/app/affiliate/payments?pago=${id}`)
  await expect(page.getByRole('dialog')).toBeVisible()
  release()
  await expect(page.getByRole('main').getByRole('table').getByRole('link')).toHaveCount(1)
  await expectNothingMoved(page)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('nothing above the rows moves when they are there, and settings are no wider than the window while they load', async ({
    page,
    signIn,
    db,
    pair,
  }) => {
    await makeEntry(db, pair.ids, {})
    await makePayment(db, pair.ids)
    await signIn('admin')
    const loads = [payments.list, payments.balances]
    await expectSteady(page, { path: '/app/admin/payments', loads, loaded: /^\d+ pagos? · / })

    await hold(page, auth.sessions)
    await page.goto('/app/admin/settings')
    await expect(page.getByText('Cargando sesiones...')).toBeAttached()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  })
})
