import type { Page, Request } from '@playwright/test'
import type { Db } from '#db/connect.ts'
import {
  type Ids,
  makeAffiliate,
  makeCommission,
  makeEntry,
  makeIssuer,
  makeLead,
  makePayment,
  makeProduct,
  makeRelationship,
  makeStep,
  makeUser,
} from '#db/factories.ts'
import { expect, test } from './fixtures.ts'

/** In every text of what is nobody's business but its owners'. */
const MARK = 'Reservadísimo'

async function makeDealings(db: Db, ids: Ids): Promise<void> {
  await makeCommission(db, { ...ids, name: `${MARK} por alta`, description: MARK })
  const lead = await makeLead(db, { ...ids, external_id: MARK, utm_source: MARK, utm_campaign: MARK })
  await makeEntry(db, ids, { lead_id: lead.id })
  await makePayment(db, ids, { notes: MARK })
}

/** Two strangers with everything they have, and one of them with the issuer or the affiliate of another network too. */
async function makeStrangers(db: Db, partner: { issuer_id: number; product_id: number }): Promise<void> {
  const issuer = await makeIssuer(db, { company_name: `${MARK} Banco`, contact_name: MARK, address: MARK })
  const affiliate = await makeAffiliate(db, { company_name: `${MARK} Portal`, contact_name: MARK, address: MARK })
  const product = await makeProduct(db, { issuer_id: issuer.id, name: `${MARK} Oro`, description: MARK })
  await makeStep(db, { product_id: product.id, name: `${MARK} alta`, description: MARK })
  for (const { issuer_id, product_id } of [{ issuer_id: issuer.id, product_id: product.id }, partner]) {
    const sides = { affiliate_id: affiliate.id, issuer_id }
    const { id } = await makeRelationship(db, { ...sides, notes: MARK })
    await makeDealings(db, { ...sides, product_id, relationship_id: id })
  }
  await makeUser(db, { role: 'affiliate', affiliateId: affiliate.id }, { first_name: MARK })
  await makeUser(db, { role: 'issuer', issuerId: issuer.id }, { first_name: MARK })
  const board = { name: `${MARK} tablero`, description: MARK, iframe_url: '/embed/rendimiento' }
  await db
    .insertInto('dashboard')
    .values([
      { ...board, role: 'issuer', issuer_id: issuer.id },
      { ...board, role: 'affiliate', affiliate_id: affiliate.id },
    ])
    .execute()
}

/** What the page asks for: nothing is under way any more, and where the mark stood in an answer. */
function listen(page: Page) {
  const waiting = new Set<Request>()
  const reading: Promise<string | undefined>[] = []
  page.on('request', (request) => waiting.add(request))
  page.on('requestfailed', (request) => waiting.delete(request))
  page.on('requestfinished', (request) => {
    waiting.delete(request)
    reading.push(markIn(request))
  })
  return {
    settle: () => expect.poll(() => waiting.size).toBe(0),
    found: async () => {
      // What the page asks for after the last look cannot be read when the test is over.
      await page.removeAllListeners('requestfinished', { behavior: 'ignoreErrors' })
      return (await Promise.all(reading)).filter((each) => each !== undefined)
    },
  }
}

async function markIn(request: Request): Promise<string | undefined> {
  const answer = await request.response()
  // Scripts and pictures are the same for everybody; some answers have no body.
  const told = ['fetch', 'xhr', 'document'].includes(request.resourceType())
  if (!told || !answer || answer.status() === 204 || (answer.status() >= 300 && answer.status() < 400)) return undefined
  return (await answer.text()).includes(MARK) ? request.url() : undefined
}

/** Every screen that a link of the page leads to, in the page that is open. */
async function walk(page: Page, menu: string, settle: () => Promise<void>): Promise<number> {
  await page.goto('/app/dashboard')
  const items = page.getByRole('navigation', { name: menu }).getByRole('link')
  await expect(items.first()).toBeVisible()
  const addresses = await items.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  let seen = 0
  const look = async (address: string) => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await settle()
    // A board's frame may be put in place of another while it is read.
    await expect(async () => {
      for (const frame of page.frames()) expect(await frame.content(), address).not.toContain(MARK)
    }).toPass()
    seen += 1
  }
  for (const address of addresses) {
    const item = page.getByRole('navigation', { name: menu }).locator(`a[href="${address}"]`)
    await item.click()
    // Until then the screen before stands there, with tabs that are about to go.
    await expect(item).toHaveAttribute('aria-current', 'page')
    await look(address)
    for (const tab of await page.getByRole('navigation', { name: 'Secciones' }).getByRole('link').all()) {
      await tab.click()
      await look(page.url())
    }
  }
  return seen
}

test('no screen of an issuer or an affiliate, nor anything that reaches its browser, names strangers', async ({
  db,
  issuer,
  pair,
  page,
  signIn,
}) => {
  const other = await makeIssuer(db)
  const shared = await makeProduct(db, { issuer_id: other.id })
  await makeRelationship(db, { affiliate_id: pair.affiliate.id, issuer_id: other.id })
  await makeStrangers(db, { issuer_id: other.id, product_id: shared.id })
  await makeEntry(db, pair.ids, {})
  const { settle, found } = listen(page)
  await signIn('issuer', issuer)
  expect(await walk(page, 'Panel Emisor', settle)).toBeGreaterThan(7)
  await signIn('affiliate', pair.affiliate)
  expect(await walk(page, 'Panel Afiliado', settle)).toBeGreaterThan(6)
  expect(await found()).toEqual([])
})
