import type { Page } from '@playwright/test'
import { affiliates } from '#contract/affiliates.ts'
import { auth } from '#contract/auth.ts'
import { commissions } from '#contract/commissions.ts'
import { dashboards } from '#contract/dashboards.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { issuers } from '#contract/issuers.ts'
import { leads } from '#contract/leads.ts'
import { metrics } from '#contract/metrics.ts'
import { payments } from '#contract/payments.ts'
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
import { answerNext, hold, success } from './screen.ts'

/** What moved by itself since the page was opened: the share of the window times how far, as browsers measure it. */
const moved = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const shifts: number[] = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
    for (const _ of [1, 2, 3]) await new Promise(requestAnimationFrame)
    return shifts.reduce((sum, shift) => sum + shift, 0)
  })

/** A line of text that comes between moves what is below by some thousandths; the first words before the font do less. */
const STEADY = 0.002

interface Screen {
  path: string
  role: 'admin' | 'issuer' | 'affiliate'
  loads: Endpoint[]
  /** Words that are there when everything is. */
  loaded: string
}

const screens: Screen[] = [
  { path: '/app/admin/settings', role: 'admin', loads: [auth.profile], loaded: 'Último uso' },
  { path: '/app/issuer/settings', role: 'issuer', loads: [auth.profile, issuers.get], loaded: 'Último uso' },
  { path: '/app/affiliate/settings', role: 'affiliate', loads: [auth.profile, affiliates.get], loaded: 'Último uso' },
  { path: '/app/issuer/integration', role: 'issuer', loads: [issuers.get], loaded: '••••' },
  { path: '/app/affiliate/dashboard', role: 'affiliate', loads: [metrics.dashboards], loaded: 'conversiones y' },
  { path: '/app/affiliate/products', role: 'affiliate', loads: [products.list], loaded: '1 producto' },
  {
    path: '/app/admin/dashboards',
    role: 'admin',
    loads: [dashboards.list],
    loaded: 'Aún no hay orígenes permitidos',
  },
]

const keysOf = {
  admin: [],
  issuer: [issuers.rotateKey, issuers.rotatePostbackToken],
  affiliate: [affiliates.rotateKey],
}

for (const { path, role, loads, loaded } of screens)
  test(`nothing on ${path} moves when what loads is there`, async ({ page, signIn, pair }) => {
    const company = role === 'admin' ? undefined : pair[role]
    const api = await signIn(role, company)
    // As every company that has begun: with its keys.
    for (const rotate of keysOf[role]) await api.call(rotate, { params: { id: company?.id ?? 0 } })
    // As long as whoever runs the server has allowed none.
    await answerNext(page, dashboards.origins, 200, success([]))
    const releases: (() => void)[] = []
    for (const endpoint of loads) releases.push(await hold(page, endpoint))
    await page.goto(path)
    await expect(page.getByText(/^Cargando/).first()).toBeAttached()
    for (const release of releases) release()
    await expect(page.getByText(loaded).first()).toBeVisible()
    await expect(page.getByText(/^Cargando/)).toHaveCount(0)
    expect(await moved(page)).toBeLessThan(STEADY)
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
  await expect(page.getByText(/^Cargando/)).toHaveCount(0)
  expect(await moved(page)).toBeLessThan(STEADY)
})

for (const { path, list, row } of [
  { path: '/app/affiliate/leads?lead=', list: leads.list, row: makeLead },
  { path: '/app/affiliate/payments?pago=', list: payments.list, row: makePayment },
])
  test(`the list moves nothing for a panel that ${path} opens at once`, async ({ page, signIn, db, pair }) => {
    const { id } = await row(db, pair.ids)
    await signIn('affiliate', pair.affiliate)
    const release = await hold(page, list)
    await page.goto(`${path}${id}`)
    await expect(page.getByRole('dialog')).toBeVisible()
    release()
    await expect(page.getByRole('main').getByRole('table').getByRole('link')).toHaveCount(1)
    await expect(page.getByText(/^Cargando/)).toHaveCount(0)
    expect(await moved(page)).toBeLessThan(STEADY)
  })

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  const lists = [
    { path: '/app/admin/commissions', loads: [commissions.list], loaded: 'sin comisión' },
    { path: '/app/admin/leads', loads: [leads.list], loaded: /^Mostrando \d/ },
    { path: '/app/admin/payments', loads: [payments.list, payments.balances], loaded: /^\d+ pagos? · / },
    { path: '/app/admin/relationships', loads: [relationships.list], loaded: /^\d+ relaci(ón|ones)$/ },
  ]

  test('settings are no wider than the window while they load', async ({ page, signIn, affiliate }) => {
    await signIn('affiliate', affiliate)
    await hold(page, auth.sessions)
    await page.goto('/app/affiliate/settings')
    await expect(page.getByText('Cargando sesiones...')).toBeAttached()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  })

  for (const { path, loads, loaded } of lists)
    test(`nothing above the rows of ${path} moves when they are there`, async ({ page, signIn, db, pair }) => {
      await makeEntry(db, pair.ids, {})
      await makePayment(db, pair.ids)
      await signIn('admin')
      const releases: (() => void)[] = []
      for (const endpoint of loads) releases.push(await hold(page, endpoint))
      await page.goto(path)
      await expect(page.getByText(/^Cargando/).first()).toBeVisible()
      for (const release of releases) release()
      await expect(page.getByText(loaded).first()).toBeVisible()
      await expect(page.getByText(/^Cargando/)).toHaveCount(0)
      expect(await moved(page)).toBeLessThan(STEADY)
    })
})
