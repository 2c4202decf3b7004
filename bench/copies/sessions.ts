import { promise } from '../figures.ts'
import { ask, expectStatus, untilAnswer } from './ask.ts'
import type { Check } from './check.ts'
import { makePerson, signIn } from './world.ts'

const ROUNDS = 20
const PROFILE = '/api/v1/auth/profile/'
/** An identity is cached for at most this long. */
const PROMISED_MS = 5_000

export const sessions: Check = {
  name: 'sessions',
  title: 'a session of one copy lives and dies on both',
  run: async (world) => {
    const [a, b] = world.copies
    const { account } = await makePerson(world)
    const died: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const [here, there] = round % 2 ? [b, a] : [a, b]
      const { access, refresh } = await signIn(here.port, account)
      await expectStatus(200, ask(there.port, PROFILE, { token: access }))
      const renewed = await expectStatus(200, ask(there.port, '/api/v1/token/refresh/', { body: { refresh } }))
      const tokens: string[] = [access, renewed.data.access]
      for (const token of tokens) await expectStatus(200, ask(here.port, PROFILE, { token }))
      const { at } = await expectStatus(200, ask(there.port, '/api/v1/auth/logout/', { body: { refresh } }))
      const refused = tokens.map((token) =>
        untilAnswer(
          at,
          () => ask(here.port, PROFILE, { token }),
          ({ status }) => status === 401,
        ),
      )
      died.push(...(await Promise.all(refused)))
      for (const copy of world.copies) {
        await expectStatus(401, ask(copy.port, '/api/v1/token/refresh/', { body: { refresh } }))
        await expectStatus(401, ask(copy.port, PROFILE, { token: access }))
      }
    }
    const worst = Math.round(Math.max(...died))
    const figures = { 'signed out on the other copy': ROUNDS, 'access token refused after ms, worst': worst }
    promise(worst < PROMISED_MS, 'An access token outlived its session on the other copy', figures)
    return figures
  },
}
