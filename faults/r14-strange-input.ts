import { makeTargets } from '#server/bad-input.testing.ts'
import { ApiKeys } from '#server/companies/api-keys.ts'
import { type Aim, entryPoints, fuzz } from '#server/fuzz.testing.ts'
import { makeBearer, TEST_SECRET } from '#server/testing.ts'
import type { Fault } from './fault.ts'
import { withProduct } from './product.ts'

const RUNS = 300

export const fault: Fault = {
  id: 'R14',
  title: 'bytes of every kind come to every door',
  run: ({ short, say }) =>
    withProduct(async (product) => {
      const { db, origin } = product
      const ids = await makeTargets(db)
      const keys = new ApiKeys(db, TEST_SECRET)
      const owner = { issuerId: ids.issuer_id }
      const both = { api: await keys.create(db, owner, 'api'), postback: await keys.create(db, owner, 'postback') }
      const aim = async (): Promise<Aim> => {
        const bearer = await makeBearer(db, { role: 'admin' })
        return { origin, ids, keys: both, bearer }
      }
      const [statuses, began] = [new Map<string, number>(), performance.now()]
      for (const entryPoint of entryPoints) {
        const volley = await fuzz(entryPoint, short ? 6 : RUNS, aim)
        for (const [status, count] of Object.entries(volley.statuses))
          statuses.set(status, (statuses.get(status) ?? 0) + count)
        say(`${entryPoint.endpoint.method} ${entryPoint.endpoint.path} ${JSON.stringify(volley.statuses)}`)
      }
      const answered = [...statuses].sort().map(([status, count]) => [`answered ${status}`, count] as const)
      return {
        doors: entryPoints.length,
        requests: answered.reduce((sum, [, count]) => sum + count, 0),
        seconds: Math.round((performance.now() - began) / 1000),
        ...Object.fromEntries(answered),
      }
    }),
}
