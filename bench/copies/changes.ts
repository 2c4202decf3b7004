import { makePair } from '#db/factories.ts'
import { type Figures, promise } from '../figures.ts'
import { median } from '../measure.ts'
import { type Answer, ask, expectStatus, PREVIEW, untilAnswer } from './ask.ts'
import type { Check } from './check.ts'
import { type CopiesWorld, makePerson, signIn } from './world.ts'

const ROUNDS = 20
const PROMISED_MS = 1_000
const PROFILE = '/api/v1/auth/profile/'

interface Change {
  method: 'PUT' | 'DELETE'
  path: string
  body?: Record<string, unknown>
}

/** Milliseconds from the answer of copy A until B, and A itself, show the change. */
async function spread(
  { copies: [a, b], token }: CopiesWorld,
  { method, path, body }: Change,
  see: (port: number) => Promise<Answer>,
  isSeen: (answer: Answer) => boolean,
): Promise<number> {
  const status = method === 'PUT' ? 200 : 204
  const { at } = await expectStatus(status, ask(a.port, path, { method, token, ...(body && { body }) }))
  const seen = [a, b].map((copy) => untilAnswer(at, () => see(copy.port), isSeen))
  return Math.max(...(await Promise.all(seen)))
}

async function makeLink({ db, copies }: CopiesWorld) {
  const { ids } = await makePair(db)
  const path = `/api/v1/leads/redirect/${ids.relationship_id}/?product_id=${ids.product_id}`
  const see = (port: number) => ask(port, path, { headers: { 'user-agent': PREVIEW } })
  // Both have cached it from now on.
  for (const { port } of copies) await expectStatus(302, see(port))
  return { ids, see }
}

const isGone = ({ status }: Answer) => status === 410
const isLive = ({ status }: Answer) => status === 302

async function addresses(world: CopiesWorld): Promise<number[]> {
  const { ids, see } = await makeLink(world)
  const times: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const body = { redirect_url: `https://banco.example.mx/alta-${round}?ref={tracking_id}` }
    const change: Change = { method: 'PUT', path: `/api/v1/products/${ids.product_id}/`, body }
    const isSeen = ({ headers }: Answer) =>
      String(headers.location).startsWith(`https://banco.example.mx/alta-${round}?`)
    times.push(await spread(world, change, see, isSeen))
  }
  return times
}

async function statuses(world: CopiesWorld, path: (ids: Record<string, number>) => string, field: string) {
  const { ids, see } = await makeLink(world)
  const times: number[] = []
  for (let round = 1; round <= ROUNDS / 2; round += 1)
    for (const [status, isSeen] of [['inactive', isGone] as const, ['active', isLive] as const])
      times.push(await spread(world, { method: 'PUT', path: path(ids), body: { [field]: status } }, see, isSeen))
  return times
}

async function archived(world: CopiesWorld, path: (ids: Record<string, number>) => string): Promise<number[]> {
  const times: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { ids, see } = await makeLink(world)
    times.push(await spread(world, { method: 'DELETE', path: path(ids) }, see, isGone))
  }
  return times
}

/** Removed, or suspended: no later request of theirs is served. */
async function people(world: CopiesWorld, change: (id: number) => Change): Promise<number[]> {
  const times: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { id, account } = await makePerson(world)
    const { access: token } = await signIn(world.copies[1].port, account, `127.30.${round}.1`)
    const see = (port: number) => ask(port, PROFILE, { token })
    for (const { port } of world.copies) await expectStatus(200, see(port))
    times.push(await spread(world, change(id), see, ({ status }) => status === 401))
  }
  return times
}

export const changes: Check = {
  name: 'changes',
  title: 'a change made on one copy counts on both within a second',
  run: async (world) => {
    const product = (ids: Record<string, number>) => `/api/v1/products/${ids.product_id}/`
    const relationship = (ids: Record<string, number>) => `/api/v1/relationships/${ids.relationship_id}/`
    const affiliate = (ids: Record<string, number>) => `/api/v1/affiliates/${ids.affiliate_id}/`
    const user = (id: number) => `/api/v1/auth/users/${id}/`
    const times: Record<string, number[]> = {
      'redirect URL': await addresses(world),
      'product status': await statuses(world, product, 'product_status'),
      'relationship status': await statuses(world, relationship, 'relationship_status'),
      'product archived': await archived(world, product),
      'relationship archived': await archived(world, relationship),
      'affiliate archived': await archived(world, affiliate),
      'user suspended': await people(world, (id) => ({
        method: 'PUT',
        path: user(id),
        body: { user_status: 'suspended' },
      })),
      'user archived': await people(world, (id) => ({ method: 'DELETE', path: user(id) })),
    }
    const figures: Figures = {}
    for (const [name, all] of Object.entries(times))
      figures[`${name} ms`] = `${Math.round(median(all))} (worst ${Math.round(Math.max(...all))})`
    promise(Math.max(...Object.values(times).flat()) < PROMISED_MS, 'A change took longer than a second', figures)
    return figures
  },
}
