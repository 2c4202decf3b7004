import { COMMON_PASSWORD, EASY_PASSWORD } from '#contract/auth.ts'
import { commonPasswords } from './common-passwords.ts'

const DISTINCT_MIN = 4
const UNIT_MAX = 8
const NAME_MIN = 5
const OTHER_LETTERS_MIN = 7
const repeated = new RegExp(`^(.{1,${UNIT_MAX}})\\1+$`, 'u')

/** The product's name and those of the hosts that it is served under; only letters. */
const ownNames = new Set(['afluente'])

const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z]/g, '')

/** To be called once a server knows its address: guessing starts with what stands in it. */
export function refuseNamesIn(publicUrl: string): void {
  const host = new URL(publicUrl).hostname
  // The parts before the country's: too short, they are in every other word.
  for (const name of [host, ...host.split('.')].map(lettersOf)) if (name.length >= NAME_MIN) ownNames.add(name)
}

/** Why a password must not be used, if so. */
export function weaknessOf(password: string): string | undefined {
  if (commonPasswords.has(password.toLowerCase())) return COMMON_PASSWORD
  if (new Set(password).size < DISTINCT_MIN || repeated.test(password) || isOwnName(password)) return EASY_PASSWORD
  return undefined
}

/** A name of ours with little else but digits and signs, as in `Afluente2026`. */
function isOwnName(password: string): boolean {
  const letters = lettersOf(password)
  const longestFirst = [...ownNames].toSorted((a, b) => b.length - a.length)
  const rest = longestFirst.reduce((text, name) => text.replaceAll(name, ''), letters)
  return rest !== letters && rest.length < OTHER_LETTERS_MIN
}
