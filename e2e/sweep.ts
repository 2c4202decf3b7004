import { affiliates } from '#contract/affiliates.ts'
import { auth } from '#contract/auth.ts'
import { guidePath, guides } from '#contract/clients.ts'
import { issuers } from '#contract/issuers.ts'
import { makeEverything, makeOfNetwork, makeTold } from './everything.ts'
import { expect, test } from './fixtures.ts'
import { go } from './sessions.ts'
import { adminStops, affiliateStops, boardStops, issuerStops } from './stops.ts'
import { addresses, complaintsOf, expectFine, expectMenu, looksBy, type Stop, walk } from './walk.ts'

type Parts = Pick<Parameters<Parameters<typeof test>[2]>[0], 'page' | 'signIn' | 'db' | 'pair'>

/** Of these the visitor sees what is behind them: a landing page, a sign-in. */
const PUBLIC = ['/', '/landing', '/login', '/acceso', '/aviso-de-privacidad', '/terminos']
/** Leads to the dashboard of the role. */
const REDIRECT = '/app/dashboard'

/** A new screen needs a row in the table. */
function expectComplete(stops: readonly Stop[], of: RegExp): void {
  const walked = new Set(stops.map(({ path }) => path.split('?')[0]))
  expect([...walked].sort()).toEqual(addresses.filter((path) => of.test(path)).sort())
}

export async function sweepAsVisitor({ page }: Parts, thorough: boolean): Promise<void> {
  const rest = addresses.filter((path) => !/^\/(app|embed)\//.test(path))
  expect(rest.sort()).toEqual(PUBLIC.toSorted())
  const complaints = complaintsOf(page)
  const looks = looksBy(thorough)
  for (const path of [...PUBLIC, '/embed/red', '/api/docs/', ...Object.keys(guides).map(guidePath)])
    await test.step(path, async () => {
      await page.goto(path)
      await expect(
        page.getByRole('heading', { level: 1 }).or(page.getByText('Inicia sesión para ver')).first(),
      ).toBeVisible()
      await expectFine(page, looks())
    })
  expect(complaints).toEqual([])
  // The application writes down which address was asked for.
  await page.goto('/no-such-page')
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
  await expectFine(page, looks())
}

const MENUS = {
  admin: {
    ...{ Dashboard: 'dashboard', Afiliados: 'affiliates', Emisores: 'issuers', Relaciones: 'relationships' },
    ...{ Productos: 'products', Eventos: 'events', Usuarios: 'users', Leads: 'leads', Pagos: 'payments' },
    Configuración: 'settings',
  },
  issuer: {
    ...{ Dashboard: 'dashboard', Productos: 'products', Eventos: 'events', Pagos: 'payments' },
    ...{ Afiliados: 'affiliates', Leads: 'leads', Configuraciones: 'settings' },
  },
  affiliate: {
    ...{ Dashboard: 'dashboard', Productos: 'products', Eventos: 'events', Leads: 'leads', Pagos: 'payments' },
    ...{ Emisores: 'issuers', Configuraciones: 'settings' },
  },
}
const NAMES = { admin: 'Administrador', issuer: 'Emisor', affiliate: 'Afiliado' }

async function enter(page: Parts['page'], role: keyof typeof MENUS): Promise<void> {
  await page.goto(REDIRECT)
  await expect(page).toHaveURL(`/app/${role}/dashboard`)
  await expect(page.getByRole('banner').getByText(NAMES[role], { exact: true })).toBeVisible()
  await test.step('the menu', () => expectMenu(page, `Panel ${NAMES[role]}`, `/app/${role}`, MENUS[role]))
  for (const other of ['admin', 'issuer', 'affiliate'].filter((each) => each !== role)) {
    await go(page, `/app/${other}/payments`)
    await expect(page).toHaveURL('/app/unauthorized')
  }
}

export async function sweepAsAdmin({ page, signIn, db, pair }: Parts, thorough: boolean): Promise<void> {
  const made = await makeEverything(db, pair.ids)
  const api = await signIn('admin')
  const receiver = await makeTold(db, api)
  const { key, recipient, product } = await makeOfNetwork(db, api, pair.ids, (await api.call(auth.profile)).id)
  const names = { recipient, receiver, keyName: key.name }
  const stops = adminStops({ ...pair, product, made }, names)
  expectComplete(stops, /^\/app\/(admin\/|unauthorized)/)
  const boards = boardStops(pair.product)
  expectComplete(boards, /^\/embed\//)
  const complaints = complaintsOf(page)
  await enter(page, 'admin')
  await walk(page, [...stops, ...boards], thorough)
  expect(complaints).toEqual([])
}

export async function sweepAsIssuer({ page, signIn, db, pair }: Parts, thorough: boolean): Promise<void> {
  const made = await makeEverything(db, pair.ids)
  const api = await signIn('issuer', pair.issuer)
  const name = await makeTold(db, api)
  for (const rotate of [issuers.rotateKey, issuers.rotatePostbackToken])
    await api.call(rotate, { params: { id: pair.issuer.id } })
  await api.call(issuers.rotateSigningSecret, { params: { id: pair.issuer.id }, body: { revoke_old: true } })
  const stops = issuerStops({ ...pair, made }, name)
  expectComplete(stops, /^\/app\/issuer\//)
  const complaints = complaintsOf(page)
  await enter(page, 'issuer')
  await walk(page, stops, thorough)
  expect(complaints).toEqual([])
}

export async function sweepAsAffiliate({ page, signIn, db, pair }: Parts, thorough: boolean): Promise<void> {
  const made = await makeEverything(db, pair.ids)
  const api = await signIn('affiliate', pair.affiliate)
  const name = await makeTold(db, api)
  await api.call(affiliates.rotateKey, { params: { id: pair.affiliate.id } })
  const stops = affiliateStops({ ...pair, made }, name)
  expectComplete(stops, /^\/app\/affiliate\//)
  const complaints = complaintsOf(page)
  await enter(page, 'affiliate')
  await walk(page, stops, thorough)
  expect(complaints).toEqual([])
}
