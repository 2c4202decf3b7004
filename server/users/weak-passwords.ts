import { COMMON_PASSWORD, EASY_PASSWORD } from '#contract/auth.ts'
import { commonPasswords } from './common-passwords.ts'

const DISTINCT_MIN = 4
const UNIT_MAX = 8
const NAME_MIN = 5
const OTHER_LETTERS_MIN = 7
const repeated = new RegExp(`^(.{1,${UNIT_MAX}})\\1+$`, 'u')

/** Rows and columns of keys, digits and the alphabet; forwards, backwards and around. */
const ROWS = [
  '1234567890',
  '0123456789',
  'qwertyuiop',
  'asdfghjkl',
  'asdfghjklñ',
  'zxcvbnm',
  'abcdefghijklmnopqrstuvwxyz',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
]
const twice = ROWS.map((row) => row.repeat(2))
const lines = [...twice, ...twice.map((row) => [...row].reverse().join(''))]
/** Shorter ones stand in good passwords by chance. */
const LINE_MIN = 4
/** Beside what follows its neighbour, this much must be left. */
const OTHER_MIN = 6

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
  if (new Set(password).size < DISTINCT_MIN || repeated.test(password)) return EASY_PASSWORD
  if (isMostlyLines(password) || isOwnName(password)) return EASY_PASSWORD
  return undefined
}

/** Keys in the order of the keyboard, digits in theirs or one over and over, with little else. */
function isMostlyLines(password: string): boolean {
  const letters = [...password.toLowerCase()]
  const isLine = (text: string) => lines.some((line) => line.includes(text)) || /^(.)\1*$/u.test(text)
  let rest = 0
  for (let from = 0; from < letters.length; ) {
    let to = from + 1
    while (to < letters.length && isLine(letters.slice(from, to + 1).join(''))) to += 1
    const isLong = to - from >= LINE_MIN
    rest += isLong ? 0 : 1
    from = isLong ? to : from + 1
  }
  return rest < letters.length && rest < OTHER_MIN
}

/** A name of ours with little else but digits and signs, as in `Afluente2026`. */
function isOwnName(password: string): boolean {
  const letters = lettersOf(password)
  const longestFirst = [...ownNames].toSorted((a, b) => b.length - a.length)
  const rest = longestFirst.reduce((text, name) => text.replaceAll(name, ''), letters)
  return rest !== letters && rest.length < OTHER_LETTERS_MIN
}
