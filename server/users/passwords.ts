import { randomBytes, timingSafeEqual } from 'node:crypto'
import { invalid } from '../http/errors.ts'
import { argon2id } from './argon2.ts'
import { hashQueue, type Place } from './hash-queue.ts'
import { weaknessOf } from './weak-passwords.ts'

/** OWASP's first choice of 2025: 19 MiB, two passes, one lane. `memory` is in KiB. */
export const COST = { memory: 19_456, passes: 2, parallelism: 1 }
/** What is hashed with. No setting changes it, but tests, which sign in hundreds of times, hash with less. */
export const cost = { ...COST }
const SALT_BYTES = 16
const TAG_BYTES = 32

/** The PHC string to store. Refuses weak passwords, naming the field of the form. */
export async function hashPassword(password: string, field = 'password', place?: Place): Promise<string> {
  const weakness = weaknessOf(password)
  if (weakness) throw invalid(field, weakness)
  return hashQueue.run(() => toPhc(password), place)
}

/** For use inside a job of the queue; others call `hashPassword`. */
export async function toPhc(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES)
  const tag = await argon2id({ ...cost, message: password, nonce, tagLength: TAG_BYTES })
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${toText(nonce)}$${toText(tag)}`
}

/** For use inside a job of the queue. An unreadable hash costs as much time as a good one and matches nothing. */
export async function matches(password: string, phc: string): Promise<boolean> {
  const stored = parsePhc(phc)
  const { cost, nonce, tag } = stored ?? nobody
  const actual = await argon2id({ ...cost, message: password, nonce, tagLength: tag.length })
  return timingSafeEqual(actual, tag) && stored !== undefined
}

/** Whether the hash was made with less than what we ask for today. */
export const isWeak = (phc: string): boolean => {
  const stored = parsePhc(phc)
  return !stored || stored.cost.memory < cost.memory || stored.cost.passes < cost.passes
}

/** The hash that unknown addresses are compared with. */
export const NOBODY = '!'
const nobody = { cost, nonce: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) }

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function parsePhc(phc: string) {
  const [, memory, passes, parallelism, nonce = '', tag = ''] = PHC.exec(phc) ?? []
  if (!memory) return undefined
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

const toText = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')
