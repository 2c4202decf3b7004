import { makePair } from '#db/factories.ts'
import { promise } from '../figures.ts'
import { ask, expectStatus } from './ask.ts'
import { Balancer, type Choice } from './balancer.ts'
import type { Check } from './check.ts'
import type { CopiesWorld } from './world.ts'

const VISITORS = 200
const TAPS = 3

interface Tapped {
  leads: number
  /** Visitors that were redirected with a single id. */
  asOne: number
  copies: number
}

/** Each visitor taps one link: twice at once, and again later, each time on a connection of its own. */
async function tap({ db, copies }: CopiesWorld, choice: Choice): Promise<Tapped> {
  const { ids } = await makePair(db)
  const path = `/api/v1/leads/redirect/${ids.relationship_id}/?product_id=${ids.product_id}&utm_source=doble`
  const balancer = await Balancer.open(
    copies.map(({ port }) => port),
    choice,
  )
  const touch = async (from: string) =>
    String((await expectStatus(302, ask(balancer.port, path, { from }))).headers.location)
  let asOne = 0
  for (let visitor = 1; visitor <= VISITORS; visitor += 1) {
    const from = `127.${choice === 'source' ? 40 : 41}.${visitor}.1`
    const seen = await Promise.all([touch(from), touch(from)])
    while (seen.length < TAPS) seen.push(await touch(from))
    if (new Set(seen).size === 1) asOne += 1
  }
  await balancer.close()
  const leads = await db.selectFrom('lead').select('id').where('product_id', '=', ids.product_id).execute()
  return { leads: leads.length, asOne, copies: balancer.passed.size }
}

export const taps: Check = {
  name: 'taps',
  title: 'double taps are one lead where the balancer keeps a visitor on one copy',
  run: async (world) => {
    const bySource = await tap(world, 'source')
    const inTurn = await tap(world, 'roundrobin')
    const figures = {
      visitors: VISITORS,
      'taps of each': TAPS,
      'leads by source': bySource.leads,
      'leads round robin': inTurn.leads,
    }
    promise(bySource.copies === 2, 'One copy served everybody', figures)
    promise(bySource.leads === VISITORS && bySource.asOne === VISITORS, 'A double tap became two leads', figures)
    return figures
  },
}
