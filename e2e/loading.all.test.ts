import { affiliates } from '#contract/affiliates.ts'
import { auth } from '#contract/auth.ts'
import { commissions } from '#contract/commissions.ts'
import { dashboards } from '#contract/dashboards.ts'
import { issuers } from '#contract/issuers.ts'
import { leads } from '#contract/leads.ts'
import { metrics } from '#contract/metrics.ts'
import { products } from '#contract/products.ts'
import { relationships } from '#contract/relationships.ts'
import {
  makeAffiliate,
  makeCommission,
  makeEntry,
  makeLead,
  makePayment,
  makeRelationship,
  makeStep,
} from '#db/factories.ts'
import { expect, test } from './fixtures.ts'
import { expectNothingMoved, expectSteady } from './layout-shift.ts'
import { answerNext, hold, success } from './screen.ts'

const screens = [
  { path: '/app/admin/settings', role: 'admin', loads: [auth.profile], loaded: 'Último uso' },
  { path: '/app/affiliate/settings', role: 'affiliate', loads: [auth.profile, affiliates.get], loaded: 'Último uso' },
  { path: '/app/issuer/integration', role: 'issuer', loads: [issuers.get], loaded: '••••' },
  { path: '/app/affiliate/dashboard', role: 'affiliate', loads: [metrics.dashboards], loaded: 'conversiones y' },
  { path: '/app/affiliate/products', role: 'affiliate', loads: [products.list], loaded: '1 producto' },
  { path: '/app/admin/dashboards', role: 'admin', loads: [dashboards.list], loaded: 'Aún no hay orígenes permitidos' },
] as const

const keysOf = {
  admin: [],
  issuer: [issuers.rotateKey, issuers.rotatePostbackToken],
  affiliate: [affiliates.rotateKey],
}

for (const { role, ...screen } of screens)
  test(`nothing on ${screen.path} moves when what loads is there`, async ({ page, signIn, pair }) => {
    const company = role === 'admin' ? undefined : pair[role]
    const api = await signIn(role, company)
    // As every company that has begun: with its keys.
    for (const rotate of keysOf[role]) await api.call(rotate, { params: { id: company?.id ?? 0 } })
    // As long as whoever runs the server has allowed none.
    await answerNext(page, dashboards.origins, 200, success([]))
    await expectSteady(page, screen)
  })

test('the commissions of an issuer come with those that are missing above them', async ({ page, db, signIn, pair }) => {
  const { issuer, product } = pair
  await makeStep(db, { product_id: product.id, is_payout_event: true })
  await makeCommission(db, pair.ids)
  await makeRelationship(db, { affiliate_id: (await makeAffiliate(db)).id, issuer_id: issuer.id })
  await signIn('issuer', issuer)
  const release = await hold(page, commissions.gaps)
  await page.goto('/app/issuer/commissions')
  await expect(page.getByText('1 comisión', { exact: true })).toBeVisible()
  release()
  await expect(page.getByRole('table')).toHaveCount(2)
  await expectNothingMoved(page)
})

test('the list of leads moves nothing for a panel that its address opens at once', async ({
  page,
  signIn,
  db,
  pair,
}) => {
  const { id } = await makeLead(db, pair.ids)
  await signIn('affiliate', pair.affiliate)
  const release = await hold(page, leads.list)
  await page.goto(`/app/affiliate/leads?lead=${id}`)
  await expect(page.getByRole('dialog')).toBeVisible()
  release()
  await expect(page.getByRole('main').getByRole('table').getByRole('link')).toHaveCount(1)
  await expectNothingMoved(page)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  const lists = [
    { path: '/app/admin/commissions', loads: [commissions.list], loaded: 'sin comisión' },
    { path: '/app/admin/leads', loads: [leads.list], loaded: /^Mostrando \d/ },
    { path: '/app/admin/relationships', loads: [relationships.list], loaded: /^\d+ relaci(ón|ones)$/ },
  ]

  for (const list of lists)
    test(`nothing above the rows of ${list.path} moves when they are there`, async ({ page, signIn, db, pair }) => {
      await makeEntry(db, pair.ids, {})
      await makePayment(db, pair.ids)
      await signIn('admin')
      await expectSteady(page, list)
    })
})
