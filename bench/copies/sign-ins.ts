import { promise } from '../figures.ts'
import { ask, expectStatus } from './ask.ts'
import type { Check } from './check.ts'
import { makePerson } from './world.ts'

const LOGIN = '/api/v1/auth/login/'
const FAILURES = 5
const AT_ONCE = 24

export const signIns: Check = {
  name: 'sign-ins',
  title: 'wrong passwords are counted by both copies together',
  run: async (world) => {
    const guess = async (number: number, email: string, from: string) => {
      const copy = world.copies[number % 2] ?? world.copies[0]
      const body = { email, password: 'no es esta clave' }
      return (await ask(copy.port, LOGIN, { body, from })).status
    }
    const { account } = await makePerson(world)
    const inTurn: number[] = []
    for (let number = 0; number < FAILURES + 4; number += 1)
      inTurn.push(await guess(number, account.email, '127.20.1.1'))
    const expected = inTurn.map((_, index) => (index < FAILURES ? 401 : 429))
    promise(String(inTurn) === String(expected), 'Guesses in turn were not counted as one', {
      answers: inTurn.join(' '),
    })
    for (const copy of world.copies) {
      const locked = await expectStatus(429, ask(copy.port, LOGIN, { body: account, from: '127.20.1.1' }))
      promise(Number(locked.headers['retry-after']) > 0, 'A refusal does not say until when', {})
      await expectStatus(200, ask(copy.port, LOGIN, { body: account, from: '127.20.2.1' }))
    }
    const { account: other } = await makePerson(world)
    const atOnce = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, number) => guess(number, other.email, '127.20.3.1')),
    )
    const tried = atOnce.filter((status) => status === 401).length
    const figures = {
      'guesses in turn that were tried': inTurn.filter((status) => status === 401).length,
      [`of ${AT_ONCE} at once`]: tried,
    }
    // Each copy hashes one password at a time, so that one may be under way on each when the last is counted.
    promise(tried >= FAILURES && tried < FAILURES + world.copies.length, 'Guesses at once got past the lock', figures)
    return figures
  },
}
