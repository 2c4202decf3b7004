import { type Argon2Parameters, argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { test as base, expect, type Page } from '@playwright/test'
import { auth } from '#contract/auth.ts'
import type { Duty } from '#contract/duties.ts'
import { untilMidnightIsOver } from '#contract/midnight.testing.ts'
import type { Role } from '#contract/roles.ts'
import { connect, type Db } from '#db/connect.ts'
import { type Actor, makeAffiliate, makeIssuer, makeProduct, makeRelationship, makeUser } from '#db/factories.ts'
import { Api } from './api.ts'
import { readServed } from './server.ts'

export { expect }

export const PASSWORD = 'Cauce-Profundo-26'

type Issuer = Awaited<ReturnType<typeof makeIssuer>>
type Affiliate = Awaited<ReturnType<typeof makeAffiliate>>

/** An issuer and an affiliate that work together on one product; `ids` is what a lead or a commission of theirs needs. */
interface Pair {
  issuer: Issuer
  affiliate: Affiliate
  relationship: Awaited<ReturnType<typeof makeRelationship>>
  product: Awaited<ReturnType<typeof makeProduct>>
  ids: { relationship_id: number; affiliate_id: number; issuer_id: number; product_id: number }
}

interface Fixtures {
  /** For every test. */
  midnight: undefined
  issuer: Issuer
  affiliate: Affiliate
  pair: Pair
  /** A person of this role, and of this company where the role has one, who can sign in with PASSWORD. */
  makePerson: (role: Role, company?: { id: number }) => Promise<{ email: string; name: string }>
  /**
   * Makes a person and opens a session of theirs in the page of the test (or another), which then has to go somewhere.
   * The sign-in form has its own story.
   */
  signIn: (role: Role, company?: { id: number }, on?: Page) => Promise<Api>
}

/** Rows are made here; everything else happens on the screen. */
interface WorkerFixtures {
  db: Db
  passwordHash: string
}

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2)

/** As the server keeps it, so that it finds nothing to strengthen at the sign-in. */
async function phcOf(message: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { memory: 19_456, passes: 2, parallelism: 1, message, nonce, tagLength: 32 })
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=19456,t=2,p=1$${text(nonce)}$${text(tag)}`
}

function actorOf(role: Role, company: { id: number } | undefined): Actor {
  if (role === 'admin') return { role }
  if (!company) throw new Error(`A person of the role ${role} needs a company`)
  return role === 'issuer' ? { role, issuerId: company.id } : { role, affiliateId: company.id }
}

/** Keeps the tokens where the web keeps them. */
async function openSession(page: Page, answer: { access: string; refresh: string; user: unknown }): Promise<void> {
  await page.goto('/favicon.svg') // any small page of the same origin
  await page.evaluate(({ access, refresh, user }) => {
    sessionStorage.setItem('accessToken', access)
    sessionStorage.setItem('refreshToken', refresh)
    sessionStorage.setItem('authUser', JSON.stringify(user))
  }, answer)
}

/** As if the sign-in, which proves who somebody is, were a while ago. */
export const forgetProof = (db: Db, userId: number) =>
  db
    .updateTable('session')
    .set({ elevated_until: new Date(Date.now() - 1000).toISOString() })
    .where('user_id', '=', userId)
    .execute()

/** Gives who calls another duty, and waits until the server knows it. */
export async function become(duty: Duty, db: Db, api: Api): Promise<void> {
  const { id } = await api.call(auth.profile)
  await db.updateTable('user').set({ duty }).where('id', '=', id).execute()
  await expect.poll(async () => (await api.call(auth.rights)).duty).toBe(duty)
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  midnight: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from here
    async ({}, use) => {
      await untilMidnightIsOver()
      await use(undefined)
    },
    { auto: true, timeout: 180_000 },
  ],
  page: async ({ page }, use) => {
    await use(page)
    // A call may still be on its way through a route of the test when the test is over.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
  db: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const db = connect(readServed().databaseUrl, { max: 2 })
      await use(db)
      await db.destroy()
    },
    { scope: 'worker' },
  ],
  passwordHash: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => use(await phcOf(PASSWORD)),
    { scope: 'worker' },
  ],
  issuer: async ({ db }, use) => use(await makeIssuer(db)),
  affiliate: async ({ db }, use) => use(await makeAffiliate(db)),
  pair: async ({ db, issuer, affiliate }, use) => {
    const relationship = await makeRelationship(db, { affiliate_id: affiliate.id, issuer_id: issuer.id })
    const product = await makeProduct(db, { issuer_id: issuer.id })
    const ids = {
      relationship_id: relationship.id,
      affiliate_id: affiliate.id,
      issuer_id: issuer.id,
      product_id: product.id,
    }
    await use({ issuer, affiliate, relationship, product, ids })
  },
  makePerson: async ({ db, passwordHash }, use) =>
    use(async (role, company) => {
      const user = await makeUser(db, actorOf(role, company), { password_hash: passwordHash })
      return { email: user.email, name: `${user.first_name} ${user.last_name}` }
    }),
  signIn: async ({ page, makePerson }, use) =>
    use(async (role, company, on = page) => {
      const { email } = await makePerson(role, company)
      const answer = await new Api(readServed().baseURL).call(auth.login, { body: { email, password: PASSWORD } })
      if ('second_factor' in answer) throw new Error('A person of a test has no second factor yet')
      await openSession(on, answer)
      return new Api(readServed().baseURL, { authorization: `Bearer ${answer.access}` })
    }),
})
