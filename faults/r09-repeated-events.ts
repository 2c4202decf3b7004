import { isDeepStrictEqual } from 'node:util'
import { promise } from '#bench/figures.ts'
import { promisedRepeats, repeatEvent } from '#server/events/repeats.testing.ts'
import { makeFunnel } from '#server/events/testing.ts'
import type { Fault } from './fault.ts'
import { withProduct } from './product.ts'

const ROUNDS = 50

export const fault: Fault = {
  id: 'R9',
  title: 'an event comes a hundred times at once, changed, and a month later',
  run: ({ short, say }) =>
    withProduct(async (product) => {
      const rounds = short ? 2 : ROUNDS
      for (let round = 1; round <= rounds; round += 1) {
        const repeated = await repeatEvent(product.db, await makeFunnel(product), `e-${round}`)
        promise(isDeepStrictEqual(repeated, promisedRepeats), 'A repetition was told or stored otherwise', {
          ...repeated,
        })
        say(`event ${round}: 1 × 201, ${repeated.repeats} × 200, ${repeated.other}, ${repeated.later}`)
      }
      return { events: rounds, 'answers 201': rounds, 'answers 200': rounds * promisedRepeats.repeats, entries: rounds }
    }),
}
